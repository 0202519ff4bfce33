#pragma once

#include <cstddef>
#include <string>

#include "terminal/terminal.h"

namespace nmt {

/// Text that is drawn again and again in the same place, as it is typed or grows. Of one that is
/// higher than the screen, what is around the cursor.
class RedrawnText {
 public:
  explicit RedrawnText(Terminal& terminal) : terminal_(terminal) {}

  /// `cursor` is the byte that the cursor stands on. The text is printable.
  void show(const std::string& text, size_t cursor);

  /// Draws all of it once more and goes to the line below.
  void finish(const std::string& text);

  /// Takes it away. What follows is drawn where the cursor is then, at the beginning of a line.
  void clear();

 private:
  std::string to_beginning() const;

  Terminal& terminal_;
  size_t cursor_row_ = 0;  // of those drawn last
};

}  // namespace nmt
