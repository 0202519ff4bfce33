#include "reports/model_report.h"

#include <algorithm>
#include <system_error>

#include "checkpoint/model_directory.h"
#include "config/settings_io.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/json.h"
#include "planning/training_advice.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;
using Facts = std::vector<std::pair<std::string, std::string>>;

std::string read_if_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) ? read_file(path) : "";
}

void add_facts(const OrderedJson& json, const std::string& prefix, Facts& facts) {
  for (const auto& [name, value] : json.items()) {
    if (value.is_object()) {
      add_facts(value, prefix + name + " ", facts);
    } else {
      facts.emplace_back(prefix + name,
                         value.is_string() ? value.get<std::string>() : dump_json(value));
    }
  }
}

Facts read_facts(const fs::path& path) {
  const auto text = read_if_there(path);
  if (text.empty()) return {};
  const auto json = parse_shallow_json(text);
  if (!json.is_object()) throw Error(path.string() + ": not a JSON object as written by nmt train");
  Facts facts;
  add_facts(json, "", facts);
  return facts;
}

/// The limit that ended the run, as flags that raise it; "" unless the run has ended and was not
/// fine-tuning, since nmt train has no advice then either.
std::string ending_limit(const Facts& facts, const std::string& yaml,
                         const ModelDirectory& directory) {
  const auto reason = std::find_if(facts.begin(), facts.end(),
                                   [](const auto& fact) { return fact.first == "stop_reason"; });
  if (reason == facts.end() || reason->second == "interrupted") return "";
  Settings settings;
  apply_yaml(settings, yaml, directory.settings().string(), SettingsFrom::kModel);
  if (settings.train.objective->needs_trained) return "";
  return limit_to_raise(reason->second, settings.train) + ": " +
         command_to_double(directory.root.string(), reason->second, settings);
}

/// The texts named by the request or the settings.
StudyTexts texts_of(const ReportRequest& request, const DataConfig& data) {
  const ModelDirectory directory{request.model_dir};
  auto training = data;
  for (auto* file : {&training.valid_source, &training.valid_target, &training.test_source,
                     &training.test_target}) {
    *file = directory.text_at(*file);
  }
  StudyTexts texts{training.valid_source, training.valid_target, training, request.max_sentences};
  if (!request.source.empty()) texts.source = request.source;
  if (!request.reference.empty()) texts.reference = request.reference;
  return texts;
}

/// Reason why no study is possible; "" if one is.
std::string what_lacks(const ModelDirectory& directory, const StudyTexts& texts,
                       Architecture architecture) {
  if (architecture == Architecture::kLanguageModel) {
    return directory.root.string() + ": a language model does not translate";
  }
  if (!fs::exists(directory.weights())) {
    return directory.weights().string() + ": no such file; no model has been saved yet";
  }
  if (texts.source.empty() || texts.reference.empty()) {
    return directory.settings().string() + ": no validation text; use --source and --reference";
  }
  for (const auto& path : {texts.source, texts.reference}) {
    if (path == "-" || fs::exists(path)) continue;
    return path.string() +
           ": no such file (relative to this folder); check --source and --reference";
  }
  return "";
}

}  // namespace

ReportContent read_run(const fs::path& model_dir) {
  const ModelDirectory directory{model_dir};
  ReportContent content;
  content.name = fs::weakly_canonical(model_dir).filename().string();
  if (fs::exists(directory.metrics())) {
    content.history = read_history(directory.metrics());
  } else {
    content.why_no_history = directory.metrics().string() + ": no such file";
  }
  content.facts = read_facts(directory.summary());
  content.settings = read_if_there(directory.settings());
  content.limit = ending_limit(content.facts, content.settings, directory);
  content.checksums = read_if_there(directory.checksums());
  return content;
}

ReportContent describe_run(const ReportRequest& request) {
  const ModelDirectory directory{request.model_dir};
  if (!fs::is_directory(request.model_dir)) {
    throw Error(request.model_dir.string() +
                (fs::exists(request.model_dir) ? ": not a folder; use a model directory written by "
                                                 "nmt train"
                                               : ": no such model directory"));
  }
  if (!fs::exists(directory.settings())) {
    throw Error(request.model_dir.string() +
                ": not a model directory (no config.yaml); use one written by nmt train");
  }
  auto content = read_run(request.model_dir);
  const auto settings = load_settings(directory.settings(), SettingsFrom::kModel);
  content.validation_beam = settings.validation.beam_size;
  content.validation_sentences = settings.validation.max_sentences;
  const auto texts = texts_of(request, settings.data);
  content.why_no_study = what_lacks(directory, texts, settings.model.architecture);
  if (!content.why_no_study.empty()) {
    // Texts requested explicitly must exist.
    if (!request.source.empty()) throw Error(content.why_no_study);
    return content;
  }
  auto options = request.translator;
  options.model_dirs = {request.model_dir};
  content.study = study_validation(Translator(options), texts);
  content.evaluated = request.source;
  return content;
}

}  // namespace nmt
