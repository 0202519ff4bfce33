#include "compare/compare_systems.h"

#include <algorithm>
#include <optional>

#include "checkpoint/model_files.h"
#include "errors/error.h"
#include "errors/log.h"
#include "files/line_reader.h"
#include "files/paired_lines.h"
#include "metrics/references.h"
#include "text/composed_form.h"
#include "text/target_languages.h"
#include "translate/untranslated_texts.h"

namespace nmt {
namespace {

TranslatorOptions translator_for(const std::string& model, const ComparisonRequest& request) {
  auto options = request.translator;
  options.model_dirs = {model};
  return options;
}

/// For a model with one target language: removes the language markers if every line has one.
std::vector<std::string> lines_for(const Translator& translator, std::vector<std::string> lines) {
  const auto is_marked = [](const std::string& line) {
    const bool blank = line.find_first_not_of(" \t\r") == std::string::npos;
    return blank || !split_marker(line).language.empty();
  };
  if (!translator.target_languages().empty()) return lines;
  if (!std::all_of(lines.begin(), lines.end(), is_marked)) return lines;
  for (auto& line : lines) line = std::string(split_marker(line).text);
  return lines;
}

std::vector<std::string> translations_of(const std::string& system,
                                         const std::vector<std::string>& sources,
                                         const ComparisonRequest& request) {
  if (!may_be_model(system)) return read_lines(system);
  TranslationOptions options;
  options.scores = false;
  const Translator translator(translator_for(system, request));
  translator.require_languages(sources, request.source);
  std::vector<std::string> texts;
  UntranslatedTexts untranslated;
  for (const auto& translation : translator.translate(lines_for(translator, sources), options)) {
    if (translation.candidates.front().untranslated) untranslated.add(sources[texts.size()]);
    texts.push_back(translation.text);
  }
  untranslated.warn("line", system + ": ");
  return texts;
}

void require_sources(const ComparisonRequest& request) {
  for (const auto& system : request.systems) {
    if (system.empty()) throw UsageError("compare: empty name; give a model or a file");
    if (!request.source.empty() || !may_be_model(system)) continue;
    throw UsageError("compare: " + system + " is a model; use --source to give it a text");
  }
}

}  // namespace

std::vector<TranslatorOptions> translators_of(const ComparisonRequest& request) {
  std::vector<TranslatorOptions> options;
  for (const auto& system : request.systems) {
    if (may_be_model(system)) options.push_back(translator_for(system, request));
  }
  return options;
}

std::vector<ComparedSystems> compare_systems(const ComparisonRequest& request) {
  require_sources(request);
  ComparedTexts texts;
  texts.name_a = request.systems.front();
  texts.references = read_lines(request.reference);
  lines_with_reference(texts.references);  // throws before the models translate
  const auto require_paired = [&](const std::string& name, const std::vector<std::string>& lines) {
    require_paired_lines(name, lines.size(), request.reference, texts.references.size());
  };
  if (!request.source.empty()) {
    texts.sources = read_lines(request.source);
    require_paired(request.source, texts.sources);
  }
  std::optional<WordCounts> in_training;  // once for all systems, and before they translate
  if (!request.training_text.empty()) {
    in_training = count_reference_words(texts.references, request.training_text);
  }
  std::vector<std::vector<std::string>> translations(request.systems.size());
  for (const bool models : {false, true}) {  // files first: their errors come at once
    for (size_t i = 0; i < request.systems.size(); ++i) {
      const auto& system = request.systems[i];
      if (may_be_model(system) != models) continue;
      translations[i] = translations_of(system, texts.sources, request);
      require_paired(system, translations[i]);
      const auto warning = composed_form_warning(texts.references, translations[i]);
      if (!warning.empty()) log_warning("{}: {}", system, warning);
    }
  }
  texts.a = translations.front();
  std::vector<ComparedSystems> compared;
  for (size_t i = 1; i < translations.size(); ++i) {
    texts.name_b = request.systems[i];
    texts.b = translations[i];
    compared.push_back({texts, compare(texts.a, texts.b, texts.references, request.options)});
    auto& comparison = compared.back().comparison;
    comparison.by_length = compare_by_length(texts);
    if (in_training) comparison.by_frequency = compare_by_frequency(texts, *in_training);
  }
  return compared;
}

}  // namespace nmt
