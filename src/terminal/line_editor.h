#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "terminal/edited_line.h"
#include "terminal/history.h"
#include "terminal/keys.h"
#include "terminal/redrawn_text.h"
#include "terminal/terminal.h"

namespace nmt {

/// Reads a line with the editing keys of shells.
class LineEditor {
 public:
  /// The completions of a text.
  using Completion = std::function<std::vector<std::string>(const std::string& begun)>;

  LineEditor(Terminal& terminal, KeyReader& keys, History& history, Completion completion);

  /// The next line, which is added to the history; nullopt at the end of input. Ctrl-C discards the
  /// line and starts a new one.
  std::optional<std::string> read_line(const std::string& prompt);

 private:
  enum class Outcome { kContinue, kEntered, kEnded };

  Outcome apply(const Key& key);
  bool edit(const Key& key);
  void recall(size_t place);
  void complete();
  void show();
  std::string drawn() const { return prompt_ + line_.text(); }

  Terminal& terminal_;
  KeyReader& keys_;
  History& history_;
  Completion completion_;
  RedrawnText drawing_;
  std::string prompt_;
  EditedLine line_;
  size_t place_ = 0;   // in the history; its size: the new line
  std::string draft_;  // the new line while an older one is shown
  size_t columns_ = 0;
};

}  // namespace nmt
