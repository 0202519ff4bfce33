#include "markup/subtitle_parser.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "markup/html_elements.h"
#include "markup/html_parser.h"
#include "markup/line_breaks.h"
#include "unicode/code_points.h"
#include "unicode/letter_case.h"

namespace nmt {
namespace {

constexpr size_t kMaxJoinedCues = 4;  // subtitles without punctuation must not become one sentence
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kArrow = "-->";

bool is_all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Such as 00:00:01,000.
bool is_time(std::string_view text) {
  return text.size() > 5 && text.find_first_not_of("0123456789:,.") == std::string_view::npos &&
         text.find(':') != std::string_view::npos;
}

/// Such as "00:00:01,000 --> 00:00:02,500 X1:40 Y1:80".
bool has_times(std::string_view text) {
  const size_t arrow = text.find(kArrow);
  if (arrow == std::string_view::npos) return false;
  const auto after = trimmed(text.substr(arrow + kArrow.size()), kBlanks);
  return is_time(trimmed(text.substr(0, arrow), kBlanks)) &&
         is_time(after.substr(0, after.find_first_of(" \t")));
}

/// Length of a tag at the beginning, such as <i>, </i>, <00:01.500> of WebVTT, or {\an8} of another
/// format, which players support, at most kMaxTag; 0 if there is none.
size_t subtitle_tag_length(std::string_view text) {
  if (text.empty() || (text[0] != '<' && text[0] != '{')) return 0;
  const size_t end = text.substr(0, kMaxTag).find(text[0] == '<' ? '>' : '}');
  if (end == std::string_view::npos || end < 2) return 0;
  const char second = text[1] == '/' ? text[2] : text[1];
  const bool named = text[0] == '<' ? std::isalpha(static_cast<unsigned char>(second)) != 0 ||
                                          is_time(text.substr(1, end - 1))
                                    : second == '\\';
  return named ? end + 1 : 0;
}

/// Length of the dash that begins another speaker's text, with the spaces after it and the tags
/// before it; 0 if there is none.
size_t dash_length(std::string_view line) {
  size_t begin = 0;
  while (const size_t length = subtitle_tag_length(line.substr(begin))) begin += length;
  for (const std::string_view dash : {"-", "–", "—"}) {
    if (line.substr(begin, dash.size()) != dash) continue;
    return std::min(line.find_first_not_of(" \t", begin + dash.size()), line.size());
  }
  return 0;
}

/// Whether a line is no part of the next or previous line's sentence: a sound such as "(music)", or
/// a speaker such as "ANNA:".
bool stands_alone(std::string_view line) {
  const auto text = trimmed(line, kBlanks);
  if (text.size() < 3) return false;
  const auto inside = text.substr(1, text.size() - 2);
  const bool is_sound =
      (text.front() == '(' && text.back() == ')') || (text.front() == '[' && text.back() == ']');
  if (is_sound) return inside.find_first_of("()[]") == std::string_view::npos;
  return text.back() == ':' && is_in_capitals(to_code_points(text.substr(0, text.size() - 1)));
}

struct SubtitleLine {
  enum class Kind { kTimes, kStructure, kText };  // kStructure: a number, nothing, or before cues
  std::string_view text;                          // without the line end
  Kind kind = Kind::kText;
  size_t cue = 0;  // of kText: which one, counted from 1
};

std::vector<SubtitleLine> read_lines(std::string_view srt) {
  using Kind = SubtitleLine::Kind;
  std::vector<SubtitleLine> lines;
  while (!srt.empty()) {
    SubtitleLine line;
    const auto bytes = srt.substr(0, std::min(srt.find('\n'), srt.size() - 1) + 1);
    line.text = bytes.substr(0, bytes.find_last_not_of("\r\n") + 1);
    if (has_times(line.text)) line.kind = Kind::kTimes;
    srt.remove_prefix(bytes.size());
    lines.push_back(line);
  }
  size_t cue = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    auto& line = lines[i];
    if (line.kind == Kind::kTimes) ++cue;
    const auto text = trimmed(line.text, kBlanks);
    const bool counts = i + 1 < lines.size() && lines[i + 1].kind == Kind::kTimes;
    const bool structure = cue == 0 || text.empty() || (counts && is_all_digits(text));
    if (line.kind == Kind::kText && structure) line.kind = Kind::kStructure;
    line.cue = cue;
  }
  return lines;
}

class Subtitles {
 public:
  Subtitles(std::string_view srt, SegmentBuilder& builder)
      : srt_(srt), lines_(read_lines(srt)), builder_(builder) {
    has_tags_.resize(lines_.empty() ? 1 : lines_.back().cue + 1);
    for (const auto& line : lines_) {
      if (line.text.find_first_of("<{") != std::string_view::npos) has_tags_[line.cue] = true;
    }
    if (lines_.empty() || lines_.back().cue > 0 || trimmed(srt, kBlanks).empty()) return;
    throw MarkupError(
        "srt: no line with times such as 00:00:01,000 --> 00:00:02,500; check the format");
  }

  void add() {
    for (const auto& line : lines_) {
      if (line.kind != SubtitleLine::Kind::kText) continue;
      add_between(line);
      add_text(line.text);
      last_ = &line;
    }
    builder_.add_block(srt_.substr(builder_.position()));
  }

 private:
  /// The bytes between the last line of text and this one.
  void add_between(const SubtitleLine& line) {
    const size_t at = builder_.position();
    const auto between = srt_.substr(at, static_cast<size_t>(line.text.data() - srt_.data()) - at);
    const size_t dash = dash_length(line.text);
    const bool alone = last_ != nullptr && (stands_alone(last_->text) || stands_alone(line.text));
    if (last_ != nullptr && last_->cue == line.cue && dash == 0 && !alone) {
      builder_.add_break(between, BreakKind::kLine);
    } else if (dash == 0 && !alone && continues(line)) {
      ++joined_cues_;
      builder_.add_break(between, BreakKind::kCue);
    } else {
      joined_cues_ = 1;
      builder_.add_block(between);
    }
    if (dash > 0) builder_.add_block(line.text.substr(0, dash));
  }

  /// Whether a cue continues the sentence of the previous one. Times cannot stand within tags.
  bool continues(const SubtitleLine& line) const {
    return last_ != nullptr && last_->cue + 1 == line.cue && joined_cues_ < kMaxJoinedCues &&
           !has_tags_[last_->cue] && !has_tags_[line.cue] &&
           continues_sentence(last_->text, line.text);
  }

  void add_text(std::string_view text) {
    text.remove_prefix(dash_length(text));
    while (!text.empty()) {
      const size_t length = subtitle_tag_length(text);
      const auto piece = text.substr(0, length > 0 ? length : text.find_first_of("<{", 1));
      if (length > 0) {
        add_tag(piece);
      } else {
        builder_.add_text(piece);
      }
      text.remove_prefix(piece.size());
    }
  }

  void add_tag(std::string_view tag) {
    static const std::set<std::string> formatting = {"b", "font", "i", "s", "u"};
    const auto name = tag_name(tag);
    if (tag[0] == '{' || formatting.count(name) == 0) {
      builder_.add_point(tag);
    } else if (tag[1] == '/') {
      builder_.close(name, tag);
    } else {
      builder_.open(name, Placement::kRepeated, tag);
    }
  }

  std::string_view srt_;  // the document of the builder
  std::vector<SubtitleLine> lines_;
  SegmentBuilder& builder_;
  std::vector<bool> has_tags_;          // of each cue
  const SubtitleLine* last_ = nullptr;  // of text
  size_t joined_cues_ = 0;
};

}  // namespace

void parse_subtitles(std::string_view srt, SegmentBuilder& builder) {
  Subtitles(srt, builder).add();
}

}  // namespace nmt
