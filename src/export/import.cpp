#include "export/import.h"

#include "checkpoint/model.h"
#include "checkpoint/model_directory.h"
#include "checkpoint/model_files.h"
#include "checkpoint/safetensors.h"
#include "config/settings_io.h"
#include "config/validate.h"
#include "errors/error.h"
#include "export/foreign_model.h"
#include "export/state_dict.h"

namespace nmt {
namespace {

Settings settings_for(const ImportRequest& request, const TensorFile& file) {
  Settings settings;
  if (!request.config.empty()) {
    settings = load_settings(request.config);
  } else if (file.metadata.count("settings") != 0) {
    apply_yaml(settings, file.metadata.at("settings"), file.path + ": its settings",
               SettingsFrom::kModel);
  } else {
    throw Error(file.path +
                ": does not describe the model; use --config FILE with its model section");
  }
  validate(settings);
  return settings;
}

void require_one_vocabulary(const Model& model) {
  const auto& network = model.settings.model;
  const bool tied = network.tied_embeddings == TiedEmbeddings::kAll;
  if ((!tied && !network.copy) || model.source.bytes() == model.target.bytes()) return;
  throw Error(std::string(tied ? "model.tied_embeddings: all" : "model.copy:") +
              " needs one vocabulary; use the same file as --source-tokenizer and "
              "--target-tokenizer");
}

/// Makes the network of the model's settings and vocabularies from the weights.
void fill_network(Model& model, const TensorFile& weights, const std::string& expected_by) {
  const Seq2SeqOptions options{model.settings.model, model.source.vocabulary_size(),
                               model.target.vocabulary_size()};
  model.network = load_state_dict(weights, options, expected_by);
}

Model read_foreign_model(const ImportRequest& request) {
  const auto name = request.weights.string();
  const TorchFile file(request.weights);
  const bool is_opennmt = is_opennmt_py(file);
  if (!is_opennmt && file.root().find("config") == nullptr) {
    throw Error(name +
                ": a model of neither OpenNMT-py nor simple-nmt; if its weights have nmt's names, "
                "save them as safetensors");
  }
  if (!(request.config.empty() && request.source_tokenizer.empty() &&
        request.target_tokenizer.empty())) {
    throw UsageError(name +
                     ": holds its settings and vocabularies; omit --config, --source-tokenizer and "
                     "--target-tokenizer");
  }
  const auto foreign = is_opennmt ? read_opennmt_py(file) : read_simple_nmt(file);
  Model model;
  model.settings = foreign.settings;
  // Sentence ends are ambiguous in tokenized text ("Mr . Smith"), and those programs do not split
  // lines either.
  model.settings.data.lines = LineUnit::kParagraphs;
  validate(model.settings);
  model.source = Tokenizer::from_bytes(foreign.source_vocabulary, name + ": source vocabulary");
  model.target = Tokenizer::from_bytes(foreign.target_vocabulary, name + ": target vocabulary");
  fill_network(model, foreign.weights, "a recurrent model of its settings");
  return model;
}

TensorFile read_weights(const std::filesystem::path& path) {
  if (!may_be_model(path)) {
    throw Error(path.string() +
                ": neither a safetensors file nor a model of OpenNMT-py or simple-nmt; check the "
                "path");
  }
  auto file = read_safetensors(path);
  if (file.metadata.count(kPackedSettings) > 0) {
    throw Error(path.string() +
                ": a packed model, which needs no import; use it as --model-dir, or nmt unpack");
  }
  return file;
}

Model read_model(const ImportRequest& request) {
  if (TorchFile::is_one(request.weights)) return read_foreign_model(request);
  const auto file = read_weights(request.weights);
  if (request.source_tokenizer.empty() || request.target_tokenizer.empty()) {
    throw UsageError(request.weights.string() +
                     ": holds no vocabularies; use --source-tokenizer and --target-tokenizer");
  }
  Model model;
  model.settings = settings_for(request, file);
  model.source = Tokenizer::from_file(request.source_tokenizer);
  model.target = Tokenizer::from_file(request.target_tokenizer);
  require_one_vocabulary(model);
  fill_network(
      model, file,
      (request.config.empty() ? "its settings" : request.config.string()) + " and the tokenizers");
  return model;
}

}  // namespace

std::string import_model(const ImportRequest& request) {
  const ModelDirectory directory{request.model_dir};
  for (const auto& input :
       {request.weights, request.config, request.source_tokenizer, request.target_tokenizer}) {
    if (input.empty() || !directory.has_part(input)) continue;
    throw UsageError(input.string() + ": lies in " + directory.root.string() +
                     ", where it would be replaced; use another --output");
  }
  directory.require_no_run(request.overwrite);
  const auto model = read_model(request);
  write_model_directory(directory,
                        {to_yaml(model.settings, /*with_comments=*/true), model.source.bytes(),
                         model.target.bytes(), ""},
                        model.network);
  return request.model_dir.string() + ": " + std::to_string(count_parameters(*model.network)) +
         " parameters, vocabularies of " + std::to_string(model.source.vocabulary_size()) +
         " and " + std::to_string(model.target.vocabulary_size()) + " pieces";
}

}  // namespace nmt
