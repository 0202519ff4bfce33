#include "compare/compare_systems.h"

#include "checkpoint/model_files.h"
#include "errors/error.h"
#include "files/line_reader.h"
#include "files/paired_lines.h"

namespace nmt {
namespace {

TranslatorOptions translator_for(const std::string& model, const ComparisonRequest& request) {
  auto options = request.translator;
  options.model_dirs = {model};
  return options;
}

std::vector<std::string> translations_of(const std::string& system,
                                         const std::vector<std::string>& sources,
                                         const ComparisonRequest& request) {
  if (!may_be_model(system)) return read_lines(system);
  TranslationOptions options;
  options.scores = false;
  std::vector<std::string> texts;
  for (const auto& translation :
       Translator(translator_for(system, request)).translate(sources, options)) {
    texts.push_back(translation.text);
  }
  return texts;
}

void require_sources(const ComparisonRequest& request) {
  for (const auto& system : {request.a, request.b}) {
    if (!request.source.empty() || !may_be_model(system)) continue;
    throw UsageError("compare: " + system + " is a model; use --source to give it a text");
  }
}

}  // namespace

std::vector<TranslatorOptions> translators_of(const ComparisonRequest& request) {
  std::vector<TranslatorOptions> options;
  for (const auto& system : {request.a, request.b}) {
    if (may_be_model(system)) options.push_back(translator_for(system, request));
  }
  return options;
}

ComparedSystems compare_systems(const ComparisonRequest& request) {
  require_sources(request);
  ComparedSystems systems;
  auto& texts = systems.texts;
  texts.name_a = request.a;
  texts.name_b = request.b;
  texts.references = read_lines(request.reference);
  const auto require_paired = [&](const std::string& name, const std::vector<std::string>& lines) {
    require_paired_lines(name, lines.size(), request.reference, texts.references.size());
  };
  if (!request.source.empty()) {
    texts.sources = read_lines(request.source);
    require_paired(request.source, texts.sources);
  }
  texts.a = translations_of(request.a, texts.sources, request);
  require_paired(request.a, texts.a);
  texts.b = translations_of(request.b, texts.sources, request);
  require_paired(request.b, texts.b);
  systems.comparison = compare(texts.a, texts.b, texts.references, request.options);
  return systems;
}

}  // namespace nmt
