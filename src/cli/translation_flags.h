#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "translate/translator.h"

namespace nmt {

// Groups of options in --help.
constexpr char kComputeGroup[] = "Computation";
constexpr char kSearchGroup[] = "Search";
constexpr char kSamplingGroup[] = "Sampling";

/// The options that every command which loads a model shares.
struct ModelFlags {
  std::vector<std::string> model_dirs;
  std::string device = "cpu";
  int threads = 0;
  TranslationEngine engine = TranslationEngine::kAuto;
  TranslationPrecision precision = TranslationPrecision::kFloat32;
  std::string language_model;
  std::vector<double> model_weights;
  std::string terms;
  double language_model_weight = 0.2;

  void add_to(CLI::App& command, bool required = true);
  /// All but --model-dir.
  void add_compute_flags(CLI::App& command);
  /// --lm, --model-weights and --terms, for commands that translate.
  void add_guidance_flags(CLI::App& command);
  TranslatorOptions options() const;
};

/// Adds the options of search and sampling, with the defaults that `options` holds.
void add_translation_flags(CLI::App& command, TranslationOptions& options);

/// Throws UsageError if a given flag has no effect in combination with the others.
void refuse_idle_flags(const CLI::App& command, const TranslationOptions& options);

}  // namespace nmt
