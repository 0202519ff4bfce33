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
  std::string language_model;
  double language_model_weight = 0.2;

  void add_to(CLI::App& command, bool required = true);
  /// All but --model-dir.
  void add_compute_flags(CLI::App& command);
  /// --lm and --lm-weight, of commands that translate.
  void add_fusion_flags(CLI::App& command);
  TranslatorOptions options() const;
  /// Of a translator for these alone: sampling is of the plain engine.
  TranslatorOptions options(const TranslationOptions& translation) const;
};

/// What is wrong with a seed, or nothing: CLI11 takes -1 for the largest number, and cuts larger
/// ones down to it.
std::string check_seed(const std::string& text);

/// Adds the options of search and sampling, with the defaults that `options` holds.
void add_translation_flags(CLI::App& command, TranslationOptions& options);

}  // namespace nmt
