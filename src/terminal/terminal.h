#pragma once

#include <termios.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace nmt {

/// Where a conversation takes place: keys come from it, text and escape sequences go to it.
class Terminal {
 public:
  virtual ~Terminal() = default;

  /// The bytes that have come, waiting for them for a moment at most or, if not `waits`, not at
  /// all; none where none came. Nothing at all when no more will come.
  virtual std::optional<std::string> read(bool waits) = 0;

  virtual void write(std::string_view text) = 0;

  virtual size_t columns() const = 0;  // at least 1
  virtual size_t rows() const = 0;     // likewise
  virtual bool colours() const = 0;
};

/// The one that standard input and output are. While this is there each key comes at once and is
/// not echoed, and Ctrl-C is a key.
class SystemTerminal : public Terminal {
 public:
  /// Whether both are a terminal that understands escape sequences.
  static bool is_there();

  SystemTerminal();
  ~SystemTerminal() override;
  SystemTerminal(const SystemTerminal&) = delete;
  SystemTerminal& operator=(const SystemTerminal&) = delete;

  std::optional<std::string> read(bool waits) override;

  /// Throws Error when it is gone.
  void write(std::string_view text) override;

  size_t columns() const override;
  size_t rows() const override;
  bool colours() const override;

 private:
  termios found_{};  // as the program found it
};

}  // namespace nmt
