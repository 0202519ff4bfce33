#include "checkpoint/stored_model.h"

#include "checkpoint/model_directory.h"
#include "checkpoint/model_parts.h"
#include "checkpoint/stored_weights.h"
#include "config/settings_io.h"
#include "config/validate.h"
#include "errors/error.h"
#include "files/file.h"

namespace nmt {
namespace {

/// Checks settings that a person or a damaged file may have got wrong, before anything is built
/// from them.
void require_possible(const Settings& settings, const Seq2SeqOptions& options,
                      const std::string& name) try {
  validate_model(settings);
  if (options.tied_embeddings == TiedEmbeddings::kAll &&
      options.source_vocabulary_size != options.target_vocabulary_size) {
    throw Error(
        "model.tied_embeddings: all needs one vocabulary, but source.spm and target.spm differ");
  }
} catch (const Error& error) {
  throw Error(name + ": " + error.what());
}

}  // namespace

StoredModel read_model(const std::filesystem::path& path) {
  return parse_model(read_model_files(path));
}

void require_translator(const Seq2SeqOptions& options, const std::filesystem::path& model) {
  if (options.architecture != Architecture::kLanguageModel) return;
  throw Error(
      model.string() +
      ": a language model does not translate; use a translator, and this with --lm or nmt lm");
}

StoredModel parse_model(const ModelFiles& files) {
  StoredModel model;
  const auto& parts = files.parts;
  const auto settings_name = files.name_of("config.yaml");
  apply_yaml(model.settings, parts.settings, settings_name, SettingsFrom::kModel);
  const auto vocabulary = [&](const std::string& bytes, const char* file) {
    return Tokenizer::from_bytes(bytes, files.name_of(file)).in_known_case();
  };
  model.source = vocabulary(parts.source_tokenizer, "source.spm");
  model.target = vocabulary(parts.target_tokenizer, "target.spm");
  model.options = {model.settings.model, model.source.vocabulary_size(),
                   model.target.vocabulary_size()};
  require_possible(model.settings, model.options, settings_name);
  require_weights_of(model.options, files.weights);
  if (!parts.calibration.empty()) {
    model.calibration = parse_calibration(parts.calibration, files.name_of("confidence.json"));
  }
  model.weights = files.weights;
  return model;
}

std::optional<ModelConfig> stored_model_config(const std::filesystem::path& path) try {
  std::string yaml;
  if (std::filesystem::is_directory(path)) {
    yaml = read_file(ModelDirectory{path}.settings());
  } else if (may_be_model(path)) {
    const auto file = open_safetensors(path, Checksum::kSkip);
    yaml = packed_parts(file.header, file.file->bytes(), file.path).settings;
  } else {
    return std::nullopt;
  }
  Settings settings;
  apply_yaml(settings, yaml, path.string(), SettingsFrom::kModel);
  validate_model(settings);
  return settings.model;
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace nmt
