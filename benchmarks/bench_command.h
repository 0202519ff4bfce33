#pragma once

#include <CLI/CLI.hpp>

namespace nmt {

/// Adds train, translate and network.
void add_benchmarks(CLI::App& app);

}  // namespace nmt
