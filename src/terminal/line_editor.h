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

/// Lets a line be typed and edited, with the keys that shells have.
class LineEditor {
 public:
  /// The whole texts that a begun one may be completed to.
  using Completion = std::function<std::vector<std::string>(const std::string& begun)>;

  LineEditor(Terminal& terminal, KeyReader& keys, History& history, Completion completion);

  /// The next line, which then stands in the history; nothing when the user wants no more, or the
  /// terminal is gone. Ctrl-C gives up the line and begins anew.
  std::optional<std::string> read_line(const std::string& prompt);

 private:
  enum class Outcome { kGoesOn, kEntered, kEnded };

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
  size_t place_ = 0;   // in the history; behind it: the line that is new
  std::string draft_;  // that one, while an older one is shown
  size_t columns_ = 0;
};

}  // namespace nmt
