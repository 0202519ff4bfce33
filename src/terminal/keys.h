#pragma once

#include <string>

#include "terminal/terminal.h"

namespace nmt {

/// A key press.
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
    kSearchHistory,
    kInterrupt,   // Ctrl-C
    kEndOfInput,  // Ctrl-D
    kNone,        // a timeout, or an unknown key
    kClosed,      // end of input
  };
  Name name = Name::kNone;
  std::string text = {};
};

/// Decodes the bytes that a terminal sends.
class KeyReader {
 public:
  explicit KeyReader(Terminal& terminal) : terminal_(terminal) {}

  Key next();

  /// Whether Ctrl-C was pressed or the input has ended, without waiting; discards the keys before
  /// Ctrl-C.
  bool take_interrupt();

  /// Whether more keys have already arrived.
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
