#pragma once

#include <cstddef>
#include <string>

#include "terminal/terminal.h"

namespace nmt {

/// Text redrawn in place while it is typed or grows. If it is higher than the screen, shows the
/// part around the cursor.
class RedrawnText {
 public:
  explicit RedrawnText(Terminal& terminal) : terminal_(terminal) {}

  /// `cursor` is a byte offset. The text must be printable.
  void show(const std::string& text, size_t cursor);

  /// Draws the whole text a last time and moves to the next line.
  void finish(const std::string& text);

  /// Erases the text and leaves the cursor at the beginning of its first line.
  void clear();

 private:
  std::string to_beginning() const;

  Terminal& terminal_;
  size_t cursor_row_ = 0;  // among the rows drawn last
};

}  // namespace nmt
