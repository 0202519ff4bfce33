#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "translate/translator.h"

namespace nmt {

/// The options that every command which loads a model shares.
struct ModelFlags {
  std::vector<std::string> model_dirs;
  std::string device = "cpu";
  int threads = 0;
  std::string engine = "auto";
  std::string precision = "float32";

  void add_to(CLI::App& command, bool required = true);
  TranslatorOptions options() const;
};

/// Adds the options of search and sampling, with the defaults that `options` holds.
void add_translation_flags(CLI::App& command, TranslationOptions& options);

}  // namespace nmt
