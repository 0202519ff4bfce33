#pragma once

#include <cstddef>
#include <string>

namespace nmt {

/// A line of text with a cursor that moves and erases by grapheme clusters.
class EditedLine {
 public:
  const std::string& text() const { return text_; }
  size_t cursor() const { return cursor_; }  // in bytes

  void set(const std::string& text);  // moves the cursor to its end
  void insert(const std::string& text);

  void to_beginning() { cursor_ = 0; }
  void to_end() { cursor_ = text_.size(); }
  void left() { cursor_ = before(); }
  void right() { cursor_ = after(); }
  void word_left() { cursor_ = word_before(); }
  void word_right() { cursor_ = word_after(); }

  void erase_before() { erase(before(), cursor_); }
  void erase_after() { erase(cursor_, after()); }
  void erase_word_before() { erase(word_before(), cursor_); }
  void erase_to_beginning() { erase(0, cursor_); }
  void erase_to_end() { erase(cursor_, text_.size()); }

 private:
  size_t before() const;
  size_t after() const;
  size_t word_before() const;
  size_t word_after() const;
  void erase(size_t begin, size_t end);

  std::string text_;
  size_t cursor_ = 0;
};

}  // namespace nmt
