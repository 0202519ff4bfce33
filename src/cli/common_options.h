#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>

#include "cli/option_checks.h"

namespace nmt {

// Options that are identical in several commands.

/// Adds an option whose help shows the current content of `value` as the default.
template <typename Value>
CLI::Option* add_with_default(CLI::App& command, const std::string& names, Value& value,
                              const std::string& meaning) {
  return command.add_option(names, value, meaning)->capture_default_str();
}

/// --model-dir of one model or, where `Path` is a list, of several.
template <typename Path>
CLI::Option* add_model(CLI::App& command, Path& model,
                       const char* meaning = "Model directory or packed model") {
  return command.add_option("-m,--model-dir", model, meaning)->type_name("MODEL");
}

/// --output of a model directory, and --overwrite.
inline void add_output_model(CLI::App& command, std::filesystem::path& output, bool& overwrite,
                             const char* meaning = "Model directory to write") {
  command.add_option("-o,--output", output, meaning)->type_name("DIR")->required();
  command.add_flag("--overwrite", overwrite, "Replace the model in that directory");
}

inline CLI::Option* add_device(CLI::App& command, std::string& device) {
  return add_with_default(command, "--device", device, "Device: cpu, cuda or cuda:N")
      ->type_name("DEVICE")
      ->check(check_device);
}

inline CLI::Option* add_threads(CLI::App& command, int& threads) {
  return add_with_default(command, "--threads", threads, "CPU threads; 0 uses one per core")
      ->check(CLI::Range(0, 1024));
}

inline void add_batch_size(CLI::App& command, int64_t& batch_size, const char* meaning) {
  add_with_default(command, "--batch-size", batch_size, meaning)->check(CLI::Range(1, 100000));
}

}  // namespace nmt
