#include "markup/line_breaks.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "unicode/characters.h"
#include "unicode/code_points.h"
#include "unicode/scripts.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr std::u32string_view kClosers = U"\"'”’»)]";
constexpr std::u32string_view kCommas = U",，、،";
constexpr std::u32string_view kEnds = U".!?:;…。！？♪";

// Closing punctuation, small kana and marks that belong to the preceding character.
constexpr std::u32string_view kNeverFirst =
    U"!\"'%),.:;?]}"
    U"¨°»’”†‡›…‥‧–—、。〃々〉》」』】〕〗〙〛〜〞〟ぁぃぅぇぉっゃゅょゎゕゖ゛゜ゝゞァィゥェォッャュ"
    U"ョヮヵヶ・ーヽヾ！％），．：；？］｝～｠｡｣､･ｧｨｩｪｫｬｭｮｯｰﾞﾟ";
constexpr std::u32string_view kNeverLast = U"\"'([{«‘“‹〈《「『【〔〖〘〚〝（［｛｟｢＄￥$¥#";

/// The last character of a text that is neither white space nor a closing quote or bracket; 0 if
/// there is none.
char32_t last_of(std::string_view text) {
  const auto codes = to_code_points(text);
  const auto counts = [](char32_t code) {
    return !is_whitespace(code) && !is_one_of(code, kClosers);
  };
  const auto found = std::find_if(codes.rbegin(), codes.rend(), counts);
  return found == codes.rend() ? 0 : *found;
}

char32_t first_of(std::string_view text) {
  const auto codes = to_code_points(text);
  const auto found =
      std::find_if(codes.begin(), codes.end(), [](char32_t code) { return !is_whitespace(code); });
  return found == codes.end() ? 0 : *found;
}

/// The breaks in order, without the line ends that exceed the number of `places`.
std::vector<SourceSpace> breaks_for(const Segment& segment, size_t places) {
  std::vector<SourceSpace> breaks;
  for (const auto& space : segment.spaces) {
    if (space.kind != BreakKind::kNone) breaks.push_back(space);
  }
  size_t surplus = breaks.size() > places ? breaks.size() - places : 0;
  const auto goes = [&](const SourceSpace& one) {
    if (surplus == 0 || one.kind != BreakKind::kLine) return false;
    --surplus;
    return true;
  };
  breaks.erase(std::remove_if(breaks.begin(), breaks.end(), goes), breaks.end());
  return breaks;
}

struct BreakPlace {
  size_t word = 0;
  size_t at = 0;  // in its bytes; 0: before it
  double column = 0;
};

/// The places in a word where Chinese and Japanese lines may end (Unicode Standard Annex 14).
std::vector<BreakPlace> breaks_within(const std::string& word) {
  std::vector<BreakPlace> places;
  BreakPlace place;
  char32_t before = 0;
  for (const auto& character : split_characters(word)) {
    const char32_t code = to_code_points(character.bytes).front();
    const bool allowed = is_east_asian(before) || (before != 0 && is_east_asian(code));
    if (allowed && !is_one_of(code, kNeverFirst) && !is_one_of(before, kNeverLast)) {
      places.push_back(place);
    }
    place.at += character.bytes.size();
    place.column += static_cast<double>(character.width);
    before = code;
  }
  return places;
}

/// The columns of a translation's words, and the column that corresponds to a position in the
/// source. Positions must be queried in order.
class Columns {
 public:
  explicit Columns(const AlignedWords& words) : words_(words) {
    double at = 0;
    for (const auto& word : words.target) {
      begins_.push_back(at);
      at += static_cast<double>(display_width(word)) + 1;
    }
    begins_.push_back(at);
  }

  /// All places between words or, in scripts without spaces, between characters.
  std::vector<BreakPlace> places() const {
    std::vector<BreakPlace> found;
    for (size_t word = 0; word < words_.target.size(); ++word) {
      if (word > 0) found.push_back({word, 0, begins_[word]});
      for (auto place : breaks_within(words_.target[word])) {
        found.push_back({word, place.at, begins_[word] + place.column});
      }
    }
    return found;
  }

  double after_share(size_t source_byte) {
    const auto& sentences = words_.sentences;
    while (sentence_ + 1 < sentences.size() && end_of_source(sentence_) < source_byte) ++sentence_;
    const auto& [source, target] = sentences[sentence_];
    if (source.size() == 0) return begins_[target.begin];
    const auto begin = static_cast<double>(words_.source[source.begin].begin);
    const auto end = static_cast<double>(end_of_source(sentence_));
    const double share =
        end > begin ? (static_cast<double>(source_byte) - begin) / (end - begin) : 1.0;
    return begins_[target.begin] +
           std::clamp(share, 0.0, 1.0) * (begins_[target.end] - begins_[target.begin]);
  }

 private:
  size_t end_of_source(size_t sentence) const {
    const auto& source = words_.sentences[sentence].source;
    return source.size() == 0 ? 0 : words_.source[source.end - 1].end;
  }

  const AlignedWords& words_;
  std::vector<double> begins_;  // of each target word, and of one past the last
  size_t sentence_ = 0;
};

}  // namespace

bool is_east_asian(char32_t code) {
  const auto script = script_of(code);
  return script == Script::kHan || script == Script::kKana || (code >= 0x3000 && code < 0x3040) ||
         (code >= 0xFF00 && code < 0xFFF0);
}

bool continues_sentence(std::string_view before, std::string_view line) {
  const char32_t last = last_of(before);
  const char32_t first = first_of(line);
  if (is_one_of(last, kCommas)) return is_letter(first);
  return is_lower(first) && !is_one_of(last, kEnds);
}

bool has_breaks(const Segment& segment) {
  return std::any_of(segment.spaces.begin(), segment.spaces.end(),
                     [](const auto& space) { return space.kind != BreakKind::kNone; });
}

std::string place_breaks(const Segment& segment, AlignedWords& words) {
  if (!has_breaks(segment)) return "";
  Columns columns(words);
  const auto places = columns.places();
  const auto breaks = breaks_for(segment, places.size());
  std::string left;
  size_t next = 0;  // the first place that is free
  for (size_t i = 0; i < breaks.size(); ++i) {
    if (next >= places.size()) {
      left += breaks[i].bytes;
      continue;
    }
    const size_t others = breaks.size() - i - 1;
    const size_t last = places.size() > next + others ? places.size() - 1 - others : next;
    const double wanted = columns.after_share(breaks[i].at);
    const auto distance = [&](size_t place) { return std::abs(places[place].column - wanted); };
    while (next < last && distance(next + 1) <= distance(next)) ++next;
    const auto& place = places[next++];
    if (place.at == 0) {
      words.gaps[place.word] = breaks[i].bytes;
    } else {
      words.inner_breaks.push_back({place.word, place.at, breaks[i].bytes});
    }
  }
  return left;
}

}  // namespace nmt
