#include "terminal/edited_line.h"

#include <string_view>

#include "unicode/characters.h"

namespace nmt {

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

}  // namespace nmt
