#pragma once

#include <string>

#include "terminal/terminal.h"

namespace nmt {

/// What was pressed.
struct Key {
  enum class Name {
    kText,  // one code point, in `text`
    kEnter,
    kTab,
    kBackspace,
    kDelete,
    kLeft,
    kRight,
    kWordLeft,
    kWordRight,
    kHome,
    kEnd,
    kUp,
    kDown,
    kEraseToEnd,
    kEraseToBeginning,
    kEraseWord,
    kClearScreen,
    kInterrupt,   // Ctrl-C
    kEndOfInput,  // Ctrl-D
    kNone,        // a moment in which nothing came, or something without a meaning
    kClosed,      // no more will come
  };
  Name name = Name::kNone;
  std::string text = {};
};

/// Makes keys of the bytes that a terminal sends.
class KeyReader {
 public:
  explicit KeyReader(Terminal& terminal) : terminal_(terminal) {}

  Key next();

  /// Whether Ctrl-C has come, without waiting for it; then what came before it is forgotten.
  bool take_interrupt();

  /// More keys have come already.
  bool has_more() const { return !bytes_.empty(); }

 private:
  bool fetch();
  char take();
  Key escape_sequence();
  Key code_point(char first);

  Terminal& terminal_;
  std::string bytes_;
  bool closed_ = false;
};

}  // namespace nmt
