#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "translate/translator.h"

namespace nmt {

struct ComparisonRequest {
  std::vector<std::string> systems;  // models, or files of translations; at least two
  std::filesystem::path source;      // what models translate; empty: none
  std::filesystem::path reference;
  std::filesystem::path training_text;  // target side, whose word frequencies are used; or empty
  TranslatorOptions translator;         // of models; its model_dirs are ignored
  ComparisonOptions options;
};

/// The options of the translators that the systems need; none for files of translations.
std::vector<TranslatorOptions> translators_of(const ComparisonRequest& request);

/// The first system, compared with each of the others. Throws UsageError when a model lacks a
/// source, Error when files cannot be read or do not pair line by line.
std::vector<ComparedSystems> compare_systems(const ComparisonRequest& request);

}  // namespace nmt
