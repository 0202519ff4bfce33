#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "terminal/screen.h"
#include "terminal/terminal.h"

namespace nmt {

/// A terminal at which a test types, in as many pieces as it likes.
class FakeTerminal : public Terminal {
 public:
  FakeTerminal(size_t columns, size_t rows) : screen(columns, rows) {}

  void type(const std::string& bytes) { typed_.push_back({bytes, {}}); }

  /// Called when everything typed before is taken.
  void then(std::function<void()> look) { typed_.push_back({"", std::move(look)}); }

  std::optional<std::string> read(bool waits) override {
    if (!waits) return std::exchange(typed_meanwhile, "");
    if (typed_.empty()) return std::nullopt;
    const auto next = typed_.front();
    typed_.pop_front();
    if (next.look) next.look();
    return next.bytes;
  }

  void write(std::string_view text) override { screen.write(std::string(text)); }
  size_t columns() const override { return screen.columns(); }
  size_t rows() const override { return screen.rows(); }
  bool colors() const override { return false; }

  Screen screen;
  std::string typed_meanwhile;  // while nobody waits for it

 private:
  struct Typed {
    std::string bytes;
    std::function<void()> look;
  };
  std::deque<Typed> typed_;
};

}  // namespace nmt
