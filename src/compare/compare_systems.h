#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "translate/translator.h"

namespace nmt {

struct ComparisonRequest {
  std::vector<std::string> systems;  // models, or files of translations; at least two
  std::filesystem::path source;      // text for the models to translate; empty: none
  std::filesystem::path reference;
  std::filesystem::path training_text;  // target side, for word frequencies; empty: none
  TranslatorOptions translator;         // options for the models; model_dirs is ignored
  ComparisonOptions options;
};

/// The options of the translators that the systems need; none for files of translations.
std::vector<TranslatorOptions> translators_of(const ComparisonRequest& request);

/// Compares the first system with each of the others. Throws UsageError if a system is a model and
/// `source` is empty, Error if files cannot be read or differ in their number of lines.
std::vector<ComparedSystems> compare_systems(const ComparisonRequest& request);

}  // namespace nmt
