#pragma once

#include <CLI/CLI.hpp>

#include "translate/translator.h"

namespace nmt {

// Groups of options in --help.
constexpr char kComputeGroup[] = "Computation";
constexpr char kSearchGroup[] = "Search";
constexpr char kSamplingGroup[] = "Sampling";

/// The options that every command which loads a model shares.
void add_model_flags(CLI::App& command, TranslatorOptions& options, bool required = true);

/// The options of add_model_flags() except --model-dir.
void add_compute_flags(CLI::App& command, TranslatorOptions& options);

/// --lm and --lm-weight.
void add_language_model_flags(CLI::App& command, TranslatorOptions& options);

/// --lm, --lm-weight, --terms and --shortlist, for commands that translate.
void add_guidance_flags(CLI::App& command, TranslatorOptions& options);

/// --model-weights, for commands that translate with an ensemble.
void add_ensemble_flags(CLI::App& command, TranslatorOptions& options);

/// Adds the options of search and sampling, with the defaults that `options` holds.
void add_translation_flags(CLI::App& command, TranslationOptions& options);

/// After parsing: sets the batch size that suits the device, unless --batch-size is given. Throws
/// UsageError if a given flag has no effect in combination with the others.
void complete_translation_flags(const CLI::App& command, const TranslatorOptions& translator,
                                TranslationOptions& options);

/// --mbr, the number of candidates of translate/minimum_bayes_risk.h.
void add_mbr_flag(CLI::App& command, int64_t& num_candidates);

}  // namespace nmt
