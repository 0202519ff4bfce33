#include "markup/segment_builder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "markup/html_elements.h"
#include "markup/line_breaks.h"
#include "markup/note_mark.h"
#include "markup/placeholder.h"
#include "text/protected_spans.h"
#include "text/sentence_marks.h"
#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kMaxOpen = 1000;  // open elements in a segment; tags of further ones are points
constexpr size_t kCompoundLetters = 3;              // fewer after a hyphen are an ending
constexpr std::string_view kSoftHyphen = "\u00AD";  // where a word may be divided

bool is_blank(std::string_view text) {
  const auto codes = to_code_points(text);
  return std::all_of(codes.begin(), codes.end(), is_whitespace);
}

bool ends_with_space(std::string_view text) { return is_whitespace(last_code(text)); }

/// Whether a text begins with punctuation that belongs to the word before, unlike the point of
/// ".5".
bool begins_with_closing_mark(std::string_view text) {
  static constexpr std::u32string_view kMarks = U".,;:!?…)]}»”’。、，．！？；：）］｝」』】";
  size_t at = 0;
  for (char32_t code = 0; at < text.size(); at += character_length(text, at)) {
    code = first_code(text.substr(at));
    if (!is_one_of(code, kMarks)) return at > 0 && !is_letter(code) && !is_number(code);
  }
  return at > 0;
}

/// Whether a text has only marks that end no sentence, as between the keys of "Ctrl+C" and the
/// names of "a/b".
bool is_joining(std::string_view text) {
  if (text == "x") return true;  // "%dx%d"
  const auto codes = to_code_points(text);
  return std::none_of(codes.begin(), codes.end(), [](char32_t code) {
    return is_alphanumeric(code) || is_whitespace(code) || is_wide_sentence_mark(code);
  });
}

/// Whether a text begins with that many letters.
bool begins_with_letters(std::string_view text, size_t count) {
  for (; count > 0; --count) {
    if (!is_letter(first_code(text))) return false;
    text.remove_prefix(character_length(text, 0));
  }
  return true;
}

}  // namespace

std::string text_to_translate(const Segment& segment) {
  auto text = segment.text;
  for (const auto& element : segment.elements) {
    if (element.placement != Placement::kVerbatim) continue;
    text.replace(element.begin, element.end - element.begin, element.end - element.begin, ' ');
  }
  return text;
}

void SegmentBuilder::add_text(std::string_view text, std::string_view bytes) {
  if (text == bytes) return add_text(bytes);
  const bool is_space = !text.empty() && is_blank(text);
  if (is_space && !divides_number(text, bytes.size())) return add_space(bytes);
  const size_t length = has_templates() ? template_length(text) : 0;
  if (length > 0 && length == text.size()) return add_template(text, bytes);
  if (text != kSoftHyphen) segment_.text += text;
  position_ += bytes.size();
}

void SegmentBuilder::add_text(std::string_view bytes) {
  for (size_t at = 0; has_templates() && (at = bytes.find_first_of("{$%<", at)) < bytes.size();) {
    const auto rest = bytes.substr(at);
    const size_t value = template_length(rest);
    const size_t length = value == 0 && is_markdown(syntax_) ? attributes_length(rest) : value;
    if (length == 0) {
      ++at;
      continue;
    }
    add_characters(bytes.substr(0, at));
    add_template(rest.substr(0, length), rest.substr(0, length));
    bytes.remove_prefix(at + length);
    at = 0;
  }
  add_characters(bytes);
}

void SegmentBuilder::add_template(std::string_view text, std::string_view bytes) {
  const bool is_value = template_length(text) > 0 && instruction_length(text) == 0;
  is_value ? add_verbatim(text, bytes) : add_point(bytes);
}

void SegmentBuilder::add_verbatim(std::string_view text, std::string_view bytes) {
  const size_t end = position_ + bytes.size();
  open("", Placement::kVerbatim, "");
  add_characters(text);
  position_ = end;
  close("", "");
}

void SegmentBuilder::add_characters(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto character = bytes.substr(0, character_length(bytes, 0));
    bytes.remove_prefix(character.size());
    if (is_blank(character) && !divides_number(character, character.size())) {
      add_space(character);
    } else {
      if (character != kSoftHyphen) segment_.text += character;
      position_ += character.size();
    }
  }
}

/// Whether the space after a number is one at which lines do not break, as in 10 000 and 5 €: it is
/// a character of the number then, as in plain text.
bool SegmentBuilder::divides_number(std::string_view space, size_t size) const {
  if (space != "\u00A0" && space != "\u202F") return false;
  const auto before = document_.substr(0, position_);
  const auto after = document_.substr(position_ + size);
  constexpr std::string_view kMarkup = "<*_`[{";
  return !before.empty() && is_ascii_digit(before.back()) && !segment_.text.empty() &&
         segment_.text.back() == before.back() && !after.empty() &&
         kMarkup.find(after.front()) == kMarkup.npos;
}

void SegmentBuilder::add_space(std::string_view bytes) {
  position_ += bytes.size();
  if (is_empty()) {
    segment_begin_ = position_;
  } else if (segment_.text.empty() || segment_.text.back() == ' ') {
    *tail_ += bytes;
  } else {
    segment_.spaces.push_back({segment_.text.size(), std::string(bytes), BreakKind::kNone});
    segment_.text += ' ';
    tail_ = &segment_.spaces.back().bytes;
  }
}

void SegmentBuilder::add_break(std::string_view bytes, BreakKind kind, bool joins) {
  if (joins && !is_empty()) {
    position_ += bytes.size();
    segment_.spaces.push_back({segment_.text.size(), std::string(bytes), kind});
    tail_ = &segment_.spaces.back().bytes;
    return;
  }
  add_space(bytes);
  // After a space and a tag, it is part of that tag.
  if (segment_.spaces.empty() || tail_ != &segment_.spaces.back().bytes) return;
  segment_.spaces.back().kind = std::max(segment_.spaces.back().kind, kind);
}

void SegmentBuilder::add_line_end(std::string_view bytes, std::string_view before,
                                  std::string_view after) {
  if (continues_sentence(before, after)) {
    add_break(bytes, BreakKind::kLine);
  } else {
    add_block(bytes);
  }
}

void SegmentBuilder::add_element(InlineElement element, std::string_view bytes) {
  element.begin = element.end = segment_.text.size();
  element.parent = parent();
  element.opening = bytes;
  segment_.elements.push_back(std::move(element));
  tail_ = &segment_.elements.back().opening;
  position_ += bytes.size();
}

void SegmentBuilder::open(const std::string& name, Placement placement, std::string_view bytes) {
  if (open_.size() >= kMaxOpen) return add_half(bytes);
  const size_t begin = position_;
  add_element({placement}, bytes);
  open_.push_back({segment_.elements.size() - 1, name, begin});
  if (placement == Placement::kLink) hold_link();
}

void SegmentBuilder::hold_link() {
  for (auto open = open_.rbegin(); open != open_.rend(); ++open) {
    if (std::exchange(segment_.elements[open->element].holds_link, true)) return;
  }
}

void SegmentBuilder::close(const std::string& name, std::string_view bytes,
                           std::string_view written) {
  const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const auto& open) {
    return open.name == name && !open.ends_late;
  });
  if (found == open_.rend()) return add_half(bytes);
  position_ += bytes.size();
  found->closing = written.empty() ? bytes : written;
  if (found != open_.rbegin()) {
    found->ends_late = true;
    found->end = segment_.text.size();
    return;
  }
  end_top();
  while (!open_.empty() && open_.back().ends_late) end_top();
}

void SegmentBuilder::end_top() {
  const auto open = std::move(open_.back());
  open_.pop_back();
  auto& element = segment_.elements[open.element];
  if (!open.ends_late && is_mark(open)) cut_text(element.begin);
  element.end = segment_.text.size();
  const bool empty = segment_.text.find_first_not_of(' ', element.begin) == std::string::npos;
  if (!empty && element.placement != Placement::kVerbatim) {
    element.closing = open.closing;
    tail_ = &element.closing;
    return;
  }
  // Its content is kept as written.
  element.opening = between(open.document_begin, position_);
  if (empty) {
    element.placement = Placement::kPoint;
    element.is_space = holds_only_space(open);
    element.begin = element.end;
    element.is_tab = std::any_of(&element, &segment_.elements.back() + 1,
                                 [](const InlineElement& inner) { return inner.is_tab; });
    if (element.is_space) segment_.spaces.back().bytes.clear();  // written with the point
    element.breaks_line = element.is_space || element.is_tab;
  }
  segment_.elements.resize(open.element + 1);
  tail_ = &element.opening;
  if (element.placement != Placement::kVerbatim) return;
  if (is_verbatim()) return;  // a part of that element
  if (joins_previous(element)) {
    auto& previous = segment_.elements[open.element - 1];
    previous.opening = between(verbatim_begin_, position_);
    previous.end = element.end;
    segment_.elements.pop_back();
    tail_ = &previous.opening;
  } else {
    verbatim_begin_ = open.document_begin;
  }
}

bool SegmentBuilder::keeps_tag(std::string_view tag) const {
  const bool ends_innermost =
      tag.substr(0, 2) == "</" && !open_.empty() && open_.back().name == tag_name(tag);
  return is_verbatim() && !ends_innermost;
}

bool SegmentBuilder::is_verbatim() const {
  return std::any_of(open_.begin(), open_.end(), [&](const OpenElement& open) {
    return segment_.elements[open.element].placement == Placement::kVerbatim;
  });
}

/// Whether the element, which has no text, adds a space to the segment, and no line end or tab.
bool SegmentBuilder::holds_only_space(const OpenElement& open) const {
  const auto& elements = segment_.elements;
  if (segment_.text.size() == elements[open.element].begin) return false;
  return segment_.spaces.back().kind == BreakKind::kNone &&
         std::none_of(elements.begin() + static_cast<std::ptrdiff_t>(open.element), elements.end(),
                      [](const InlineElement& one) { return one.breaks_line && !one.is_space; });
}

/// Whether the last element, kept as written, is one with such an element before it: nothing but
/// joining marks are between them ("<kbd>Ctrl</kbd>+<kbd>C</kbd>", "%d/%d"), whose place the model
/// would not know.
bool SegmentBuilder::joins_previous(const InlineElement& last) const {
  if (segment_.elements.size() < 2) return false;
  const auto& previous = segment_.elements[segment_.elements.size() - 2];
  const auto text = std::string_view(segment_.text);
  return previous.placement == Placement::kVerbatim && previous.parent == last.parent &&
         previous.end < last.begin &&
         is_joining(text.substr(previous.end, last.begin - previous.end));
}

bool SegmentBuilder::is_mark(const OpenElement& open) const {
  const auto text = std::string_view(segment_.text);
  const size_t begin = segment_.elements[open.element].begin;
  const bool holds_an_end = std::any_of(open_.begin(), open_.end(), [&](const auto& other) {
    return other.ends_late && other.end > begin;
  });
  return !holds_an_end && is_note_mark(open.name, text.substr(begin), text.substr(0, begin),
                                       document_.substr(position_));
}

/// Removes the segment's text from `begin` on.
void SegmentBuilder::cut_text(size_t begin) {
  segment_.text.resize(begin);
  auto& spaces = segment_.spaces;
  while (!spaces.empty() && spaces.back().at >= begin) spaces.pop_back();
  for (auto& open : open_) open.end = std::min(open.end, begin);
}

void SegmentBuilder::add_point(std::string_view bytes, bool breaks_line) {
  if (is_empty()) {
    position_ += bytes.size();
    segment_begin_ = position_;
    return;
  }
  if (!breaks_line && joins_last_point()) {
    auto& last = segment_.elements.back();
    last.opening += between(point_end_, position_);
    last.opening += bytes;
    cut_text(last.begin);
    position_ += bytes.size();
    point_end_ = position_;
    return;
  }
  const auto& elements = segment_.elements;
  const bool repeated = breaks_line && !elements.empty() && elements.back().breaks_line &&
                        !elements.back().is_space && elements.back().begin == segment_.text.size();
  if (repeated && open_.empty()) return add_block(bytes);
  const bool separates = breaks_line && !segment_.text.empty() && segment_.text.back() != ' ';
  if (separates) {
    segment_.spaces.push_back({segment_.text.size(), "", BreakKind::kNone});
    segment_.text += ' ';
  }
  InlineElement point;
  point.breaks_line = breaks_line;
  add_element(std::move(point), bytes);
  point_end_ = position_;
}

/// Whether only joining marks follow a point that is the last element, as between two codes of
/// XLIFF: "<x id="1"/>/<x id="2"/>".
bool SegmentBuilder::joins_last_point() const {
  if (segment_.elements.empty()) return false;
  const auto& last = segment_.elements.back();
  const auto text = std::string_view(segment_.text).substr(last.begin);
  return last.placement == Placement::kPoint && !last.is_half && !last.breaks_line &&
         last.parent == parent() && !text.empty() && is_joining(text);
}

void SegmentBuilder::add_space_point(std::string_view bytes) {
  add_point(bytes, true);
  if (!segment_.elements.empty()) segment_.elements.back().is_space = true;
}

void SegmentBuilder::add_tab(std::string_view bytes) {
  if (open_.empty()) return add_block(bytes);
  add_point(bytes, true);
  segment_.elements.back().is_tab = true;
}

void SegmentBuilder::add_half(std::string_view bytes) {
  if (is_empty()) return add_point(bytes);
  InlineElement half;
  half.is_half = true;
  add_element(std::move(half), bytes);
}

void SegmentBuilder::add_block(std::string_view bytes) {
  end_segment();
  position_ += bytes.size();
  segment_begin_ = position_;
}

void SegmentBuilder::end_segment() {
  if (!kept_ && has_letters(text_to_translate(segment_))) {
    end_open_elements();
    const auto space = cut_last_space();
    mend_parents();
    cut_spaces_before_points();
    separate_verbatim_elements();
    divide_sentences();
    between_.back() += between(last_end_, segment_begin_);
    segment_.syntax = syntax_;
    segments_.push_back(std::move(segment_));
    between_.push_back(space);
    last_end_ = position_;
  }
  segment_ = {};
  open_.clear();
  tail_ = nullptr;
  kept_ = false;
  segment_begin_ = position_;
}

/// Start and end tags without a counterpart become points.
void SegmentBuilder::end_open_elements() {
  for (const auto& open : open_) {
    auto& element = segment_.elements[open.element];
    if (open.ends_late && open.end > element.begin) {
      element.end = open.end;
      element.closing = open.closing;
      if (element.placement == Placement::kVerbatim) element.placement = Placement::kOnce;
    } else {
      element.placement = Placement::kPoint;
      element.is_half = !open.ends_late;
      element.end = element.begin;
      element.opening += open.closing;
    }
  }
}

/// Returns the white space at the end of the text, unless markup after it takes it, and that after
/// the markup: punctuation that only the translation has stays before it.
std::string SegmentBuilder::cut_last_space() {
  auto& text = segment_.text;
  if (text.back() != ' ') return "";
  std::string after;
  if (tail_ != &segment_.spaces.back().bytes) {
    std::string_view rest = *tail_;
    while (ends_with_space(rest)) rest.remove_suffix(last_character_length(rest));
    after = tail_->substr(rest.size());
    tail_->resize(rest.size());
  }
  text.pop_back();
  auto space = std::move(segment_.spaces.back().bytes);
  segment_.spaces.pop_back();
  for (auto& element : segment_.elements) {
    if (element.begin > text.size()) element.opening.insert(0, std::exchange(space, ""));
    element.begin = std::min(element.begin, text.size());
    element.end = std::min(element.end, text.size());
  }
  return space + after;
}

/// Sets the parent of each element to the innermost one that really contains it.
void SegmentBuilder::mend_parents() {
  auto& elements = segment_.elements;
  for (auto& element : elements) {
    while (element.parent != kNoElement &&
           (elements[element.parent].placement == Placement::kPoint ||
            elements[element.parent].end < element.end)) {
      element.parent = elements[element.parent].parent;
    }
  }
}

/// If only points are between a space and a punctuation mark, as in "word <img>.", the space
/// becomes part of the points, so that the model sees the mark next to the word. Not after an
/// element: the points would then belong in it.
void SegmentBuilder::cut_spaces_before_points() {
  auto& elements = segment_.elements;
  const auto is_free = [](const InlineElement& element) {
    return element.placement == Placement::kPoint && !element.is_half;
  };
  std::vector<size_t> ends;  // of the others
  for (const auto& element : elements) {
    if (!is_free(element)) ends.push_back(element.end);
  }
  std::sort(ends.begin(), ends.end());
  const auto count_ends = [&](size_t at) {
    const auto [first, last] = std::equal_range(ends.begin(), ends.end(), at);
    return last - first;
  };
  std::vector<size_t> cut;
  std::vector<SourceSpace> kept;
  auto first = elements.begin();
  for (auto& space : segment_.spaces) {
    const size_t at = space.at + 1;
    first = std::find_if(first, elements.end(), [&](const auto& one) { return one.begin >= at; });
    const auto last =
        std::find_if(first, elements.end(), [&](const auto& one) { return one.begin > at; });
    bool cuts = first != last && space.kind == BreakKind::kNone &&
                std::all_of(first, last, is_free) && !ends_with_space(std::prev(last)->opening) &&
                begins_with_closing_mark(std::string_view(segment_.text).substr(at)) &&
                count_ends(space.at) == 0;
    std::ptrdiff_t around = 0;
    if (cuts) {
      for (size_t e = first->parent; e != kNoElement && elements[e].end == at;
           e = elements[e].parent) {
        cuts = cuts && !ends_with_space(elements[e].closing);
        ++around;
      }
    }
    if (cuts && count_ends(at) == around) {
      first->opening.insert(0, space.bytes);
      cut.push_back(space.at);
    } else {
      kept.push_back(std::move(space));
    }
  }
  const auto moved = [&](size_t at) {
    return at - static_cast<size_t>(std::lower_bound(cut.begin(), cut.end(), at) - cut.begin());
  };
  for (auto& element : elements) {
    element.begin = moved(element.begin);
    element.end = moved(element.end);
  }
  for (auto& space : kept) space.at = moved(space.at);
  segment_.spaces = std::move(kept);
  std::string text;
  size_t begin = 0;
  for (const size_t at : cut) {
    text.append(segment_.text, begin, at - begin);
    begin = at + 1;
  }
  segment_.text = text.append(segment_.text, begin, std::string::npos);
}

/// Puts spaces between elements kept as written and text that would otherwise be one word with them
/// and be replaced by them: text between two such elements ("%1$stext%2$s"), which stays joined to
/// them in the translation, text before one, and a compound ("<code>a</code>-based"). Other letters
/// right after one are its ending ("{name}은").
void SegmentBuilder::separate_verbatim_elements() {
  const std::string_view text = segment_.text;
  std::vector<size_t> places;
  InlineElement* joined = nullptr;  // the last one, if a letter is right after it
  size_t last_end = 0;
  for (auto& element : segment_.elements) {
    if (element.placement != Placement::kVerbatim) continue;
    const bool follows_text = element.begin > last_end;  // not another such element
    last_end = element.end;
    if (follows_text && is_letter(last_code(text.substr(0, element.begin)))) {
      places.push_back(element.begin);
      if (joined != nullptr) {
        places.push_back(joined->end);
        joined->joins_next = element.joins_previous = true;
      }
    }
    const auto after = text.substr(element.end);
    joined = is_letter(first_code(after)) ? &element : nullptr;
    const bool compound = !after.empty() && after.front() == '-' &&
                          begins_with_letters(after.substr(1), kCompoundLetters);
    if (compound) places.push_back(element.end);
  }
  if (places.empty()) return;
  std::sort(places.begin(), places.end());
  insert_spaces(places);
}

/// Inserts spaces at these places, in order: after what ends there and before what begins there.
void SegmentBuilder::insert_spaces(const std::vector<size_t>& places) {
  const auto count_to = [&](size_t at) {
    return static_cast<size_t>(std::upper_bound(places.begin(), places.end(), at) - places.begin());
  };
  const auto count_before = [&](size_t at) {
    return static_cast<size_t>(std::lower_bound(places.begin(), places.end(), at) - places.begin());
  };
  for (auto& element : segment_.elements) {
    element.end += count_before(element.end);
    element.begin += count_to(element.begin);
    element.end = std::max(element.end, element.begin);
  }
  auto& spaces = segment_.spaces;
  for (auto& space : spaces) space.at += count_to(space.at);
  const auto num_spaces = static_cast<std::ptrdiff_t>(spaces.size());
  std::string text;
  size_t begin = 0;
  for (const size_t place : places) {
    text.append(segment_.text, begin, place - begin);
    spaces.push_back({text.size(), "", BreakKind::kNone});
    text += ' ';
    begin = place;
  }
  segment_.text = text.append(segment_.text, begin, std::string::npos);
  std::inplace_merge(spaces.begin(), spaces.begin() + num_spaces, spaces.end(),
                     [](const auto& a, const auto& b) { return a.at < b.at; });
}

/// Puts a tab, which ends a sentence, at tab points and before lines that begin with a list mark.
void SegmentBuilder::divide_sentences() {
  constexpr size_t kNear = 256;  // bytes within which the list item has letters
  auto& text = segment_.text;
  for (const auto& element : segment_.elements) {
    const bool follows_space = element.begin > 0 && text[element.begin - 1] == ' ';
    if (!element.breaks_line || element.is_space || !follows_space) continue;
    const auto line = std::string_view(text).substr(element.begin, kNear);
    if (element.is_tab || list_mark_length(line) > 0) text[element.begin - 1] = '\t';
  }
}

ParsedDocument SegmentBuilder::finish() {
  end_segment();
  between_.back() += between(last_end_, document_.size());
  return {std::move(segments_), std::move(between_), {}};
}

}  // namespace nmt
