#include "reports/model_report.h"

#include <nlohmann/json.hpp>
#include <system_error>

#include "checkpoint/model_directory.h"
#include "config/settings_io.h"
#include "errors/error.h"
#include "files/file.h"

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
                         value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
}

Facts read_facts(const fs::path& path) {
  const auto text = read_if_there(path);
  if (text.empty()) return {};
  const auto json = OrderedJson::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) throw Error(path.string() + ": is not what nmt train writes");
  Facts facts;
  add_facts(json, "", facts);
  return facts;
}

/// The texts that the request or the settings name.
StudyTexts texts_of(const ReportRequest& request, const ModelDirectory& directory) {
  const auto data = load_settings(directory.settings()).data;
  StudyTexts texts{data.valid_source,
                   data.valid_target,
                   {data.train_target.begin(), data.train_target.end()},
                   request.max_sentences};
  if (!request.source.empty()) texts.source = request.source;
  if (!request.reference.empty()) texts.reference = request.reference;
  return texts;
}

/// Why there can be no study, or nothing.
std::string what_lacks(const ModelDirectory& directory, const StudyTexts& texts) {
  if (!fs::exists(directory.weights())) {
    return directory.weights().string() + ": not there yet: nothing has been saved";
  }
  if (texts.source.empty() || texts.reference.empty()) {
    return directory.settings().string() +
           " names no validation text; --source and --reference do too";
  }
  for (const auto& path : {texts.source, texts.reference}) {
    if (!fs::exists(path)) {
      return path.string() +
             ": no such file, seen from this folder; --source and --reference name others";
    }
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
  content.checksums = read_if_there(directory.checksums());
  return content;
}

ReportContent describe_run(const ReportRequest& request) {
  const ModelDirectory directory{request.model_dir};
  if (!fs::is_directory(request.model_dir)) {
    throw Error(request.model_dir.string() +
                (fs::exists(request.model_dir) ? ": is not a folder; a report tells of the folder "
                                                 "that nmt train writes"
                                               : ": no such model directory"));
  }
  if (!fs::exists(directory.settings())) {
    throw Error(request.model_dir.string() +
                ": not a model directory (config.yaml is missing); nmt train makes one");
  }
  auto content = read_run(request.model_dir);
  const auto texts = texts_of(request, directory);
  content.why_no_study = what_lacks(directory, texts);
  if (!content.why_no_study.empty()) {
    // What was asked for by name has to be there.
    if (!request.source.empty()) throw Error(content.why_no_study);
    return content;
  }
  auto options = request.translator;
  options.model_dirs = {request.model_dir};
  content.study = study_validation(Translator(options), texts);
  return content;
}

}  // namespace nmt
