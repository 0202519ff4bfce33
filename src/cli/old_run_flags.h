#pragma once

#include <CLI/CLI.hpp>

#include "train/runs/resume.h"

namespace nmt {

/// What happens to the run that the model's folder holds, of every command that trains.
struct OldRunFlags {
  bool resume = false;
  bool restart = false;
  bool overwrite = false;
  bool accept_changes = false;

  void add_to(CLI::App& command);
  OldRun old_run() const;
};

}  // namespace nmt
