#include "terminal/line_editor.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "config/choice.h"
#include "unicode/characters.h"

namespace nmt {
namespace {

using Name = Key::Name;

constexpr std::pair<Name, void (EditedLine::*)()> kEdits[] = {
    {Name::kBackspace, &EditedLine::erase_before},
    {Name::kDelete, &EditedLine::erase_after},
    {Name::kEndOfInput, &EditedLine::erase_after},
    {Name::kLeft, &EditedLine::left},
    {Name::kRight, &EditedLine::right},
    {Name::kWordLeft, &EditedLine::word_left},
    {Name::kWordRight, &EditedLine::word_right},
    {Name::kHome, &EditedLine::to_beginning},
    {Name::kEnd, &EditedLine::to_end},
    {Name::kEraseToEnd, &EditedLine::erase_to_end},
    {Name::kEraseToBeginning, &EditedLine::erase_to_beginning},
    {Name::kEraseWord, &EditedLine::erase_word_before},
};

std::string common_beginning(const std::vector<std::string>& texts) {
  std::string common = texts.front();
  for (const auto& text : texts) {
    const auto differ = std::mismatch(common.begin(), common.end(), text.begin(), text.end());
    common.erase(differ.first, common.end());
  }
  return common;
}

}  // namespace

void EditedLine::set(const std::string& text) {
  text_ = text;
  to_end();
}

void EditedLine::insert(const std::string& text) {
  text_.insert(cursor_, text);
  cursor_ += text.size();
}

size_t EditedLine::before() const {
  const auto characters = split_characters(std::string_view(text_).substr(0, cursor_));
  return characters.empty() ? 0 : cursor_ - characters.back().bytes.size();
}

size_t EditedLine::after() const {
  const auto characters = split_characters(std::string_view(text_).substr(cursor_));
  return characters.empty() ? cursor_ : cursor_ + characters.front().bytes.size();
}

size_t EditedLine::word_before() const {
  if (cursor_ == 0) return 0;
  const auto end = text_.find_last_not_of(' ', cursor_ - 1);
  if (end == std::string::npos) return 0;
  const auto space = text_.find_last_of(' ', end);
  return space == std::string::npos ? 0 : space + 1;
}

size_t EditedLine::word_after() const {
  const auto begin = text_.find_first_not_of(' ', cursor_);
  const auto space = begin == std::string::npos ? begin : text_.find(' ', begin);
  return space == std::string::npos ? text_.size() : space;
}

void EditedLine::erase(size_t begin, size_t end) {
  text_.erase(begin, end - begin);
  cursor_ = begin;
}

LineEditor::LineEditor(Terminal& terminal, KeyReader& keys, History& history, Completion completion)
    : terminal_(terminal),
      keys_(keys),
      history_(history),
      completion_(std::move(completion)),
      drawing_(terminal) {}

std::optional<std::string> LineEditor::read_line() {
  line_.set("");
  searching_ = false;
  place_ = history_.lines().size();
  show();
  for (;;) {
    const auto outcome = apply(keys_.next());
    if (outcome == Outcome::kContinue) continue;
    drawing_.finish(drawn());
    if (outcome == Outcome::kEnded) return std::nullopt;
    history_.add(line_.text());
    return line_.text();
  }
}

LineEditor::Outcome LineEditor::apply(const Key& key) {
  if (searching_ && edit_search(key)) {
    if (!keys_.has_more()) show();
    return Outcome::kContinue;
  }
  if (key.name == Name::kClosed) return Outcome::kEnded;
  if (key.name == Name::kEnter) return Outcome::kEntered;
  if (key.name == Name::kEndOfInput && line_.text().empty()) return Outcome::kEnded;
  const bool changed = edit(key) || terminal_.columns() != columns_;
  if (changed && !keys_.has_more()) show();  // draw pasted text once
  return Outcome::kContinue;
}

/// Returns false when nothing needs to be redrawn.
bool LineEditor::edit(const Key& key) {
  for (const auto& [name, edit] : kEdits) {
    if (key.name != name) continue;
    (line_.*edit)();
    return true;
  }
  switch (key.name) {
    case Name::kText:
      line_.insert(printable(key.text));
      break;
    case Name::kUp:
      recall(place_ - std::min<size_t>(place_, 1));
      break;
    case Name::kDown:
      recall(std::min(place_ + 1, history_.lines().size()));
      break;
    case Name::kSearchHistory:
      searching_ = true;
      found_ = true;
      query_.set("");
      break;
    case Name::kTab:
      complete();
      break;
    case Name::kClearScreen:
      drawing_.clear();
      terminal_.write("\x1b[H\x1b[2J");
      break;
    case Name::kInterrupt:
      drawing_.finish(drawn() + "^C");
      line_.set("");
      place_ = history_.lines().size();
      break;
    default:
      return false;
  }
  return true;
}

void LineEditor::recall(size_t place) {
  if (place == place_) return;
  const auto& lines = history_.lines();
  if (place_ == lines.size()) draft_ = line_.text();
  place_ = place;
  line_.set(place == lines.size() ? draft_ : lines[place]);
}

/// Returns false on a key that ends the search and edits the line found.
bool LineEditor::edit_search(const Key& key) {
  switch (key.name) {
    case Name::kText:
      query_.insert(printable(key.text));
      search(place_ + 1);
      return true;
    case Name::kBackspace:
      query_.erase_before();
      search(history_.lines().size());
      return true;
    case Name::kSearchHistory:
      search(place_);
      return true;
    case Name::kInterrupt:
      searching_ = false;
      recall(history_.lines().size());
      return true;
    case Name::kNone:
      return true;
    default:
      searching_ = false;
      return false;
  }
}

/// Recalls the newest line before `end` that contains the query.
void LineEditor::search(size_t end) {
  const auto& lines = history_.lines();
  size_t place = std::min(end, lines.size());
  while (place > 0 && lines[place - 1].find(query_.text()) == std::string::npos) --place;
  found_ = place > 0;
  if (found_) recall(place - 1);
}

std::string LineEditor::shown_prompt() const {
  if (!searching_) return "> ";
  return (found_ ? "search '" : "no match '") + query_.text() + "': ";
}

/// Inserts what all completions have in common; lists them if that adds nothing. If there are none,
/// as for a tab in pasted text, inserts a space.
void LineEditor::complete() {
  const auto found = completion_(line_.text());
  if (found.empty()) {
    if (!line_.text().empty()) line_.insert(" ");
    return;
  }
  const auto common = common_beginning(found);
  if (found.size() == 1) return line_.set(common + " ");
  if (common.size() > line_.text().size()) return line_.set(common);
  drawing_.finish(drawn());
  drawing_.finish(list_of(found, "  "));
}

void LineEditor::show() {
  columns_ = terminal_.columns();
  drawing_.show(drawn(), shown_prompt().size() + line_.cursor());
}

}  // namespace nmt
