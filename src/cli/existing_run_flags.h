#pragma once

#include <CLI/CLI.hpp>

#include "train/runs/existing_run.h"

namespace nmt {

/// --resume, --restart, --overwrite and --accept-changes of every command that trains.
struct ExistingRunFlags {
  bool resume = false;
  bool restart = false;
  bool overwrite = false;
  bool accept_changes = false;

  void add_to(CLI::App& command);
  ExistingRunPolicy policy() const;

  /// Whether training starts a new run in the directory instead of resuming one.
  bool starts_new(const ModelDirectory& directory) const;
};

}  // namespace nmt
