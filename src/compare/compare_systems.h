#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "translate/translator.h"

namespace nmt {

struct ComparisonRequest {
  std::string a;  // a model, or a file of translations
  std::string b;
  std::filesystem::path source;  // what models translate; empty: none
  std::filesystem::path reference;
  TranslatorOptions translator;  // of models; its model_dirs are ignored
  ComparisonOptions options;
};

/// The options of the translators that the systems need; none for files of translations.
std::vector<TranslatorOptions> translators_of(const ComparisonRequest& request);

struct ComparedSystems {
  ComparedTexts texts;
  Comparison comparison;
};

/// Throws UsageError when a model lacks a source, Error when files cannot be read or do not pair
/// line by line.
ComparedSystems compare_systems(const ComparisonRequest& request);

}  // namespace nmt
