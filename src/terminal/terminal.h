#pragma once

#include <termios.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace nmt {

/// A source of keys and a sink for text and escape sequences.
class Terminal {
 public:
  virtual ~Terminal() = default;

  /// Returns the bytes that have arrived; if `waits`, waits for some up to a timeout. Empty if none
  /// arrived, nullopt at the end of input.
  virtual std::optional<std::string> read(bool waits) = 0;

  virtual void write(std::string_view text) = 0;

  virtual size_t columns() const = 0;  // at least 1
  virtual size_t rows() const = 0;     // likewise
  virtual bool colors() const = 0;
};

/// The terminal of standard input and output, in raw mode during this object's lifetime: keys
/// arrive at once, without echo, and Ctrl-C is a key. A signal that catch_interrupts() or
/// catch_hangups() caught ends the input.
class SystemTerminal : public Terminal {
 public:
  /// Whether standard input and output are a terminal that supports escape sequences.
  static bool is_there();

  SystemTerminal();
  ~SystemTerminal() override;
  SystemTerminal(const SystemTerminal&) = delete;
  SystemTerminal& operator=(const SystemTerminal&) = delete;

  std::optional<std::string> read(bool waits) override;

  /// Throws Error if the terminal has been closed.
  void write(std::string_view text) override;

  size_t columns() const override;
  size_t rows() const override;
  bool colors() const override;

 private:
  termios found_{};  // to restore
};

}  // namespace nmt
