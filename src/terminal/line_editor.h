#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "terminal/history.h"
#include "terminal/keys.h"
#include "terminal/redrawn_text.h"
#include "terminal/terminal.h"

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

/// Reads a line with the editing keys of shells.
class LineEditor {
 public:
  /// The completions of a text.
  using Completion = std::function<std::vector<std::string>(const std::string& begun)>;

  LineEditor(Terminal& terminal, KeyReader& keys, History& history, Completion completion);

  /// The next line, which is added to the history; nullopt at the end of input. Ctrl-C discards the
  /// line and starts a new one.
  std::optional<std::string> read_line();

 private:
  enum class Outcome { kContinue, kEntered, kEnded };

  Outcome apply(const Key& key);
  bool edit(const Key& key);
  void recall(size_t place);
  bool edit_search(const Key& key);
  void search(size_t end);
  void complete();
  void show();
  std::string shown_prompt() const;
  std::string drawn() const { return shown_prompt() + line_.text(); }

  Terminal& terminal_;
  KeyReader& keys_;
  History& history_;
  Completion completion_;
  RedrawnText drawing_;
  EditedLine line_;
  size_t place_ = 0;        // in the history; its size: the new line
  std::string draft_;       // the new line while an older one is shown
  bool searching_ = false;  // Ctrl-R
  bool found_ = true;       // whether a line contains the query
  EditedLine query_;
  size_t columns_ = 0;
};

}  // namespace nmt
