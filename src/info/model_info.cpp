#include "info/model_info.h"

#include "checkpoint/model_files.h"
#include "checkpoint/parameter_shapes.h"
#include "config/layers.h"
#include "config/settings_io.h"
#include "files/json.h"
#include "files/sha256.h"
#include "text/target_languages.h"
#include "text/tokenizer.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// Tied matrices are stored under each of their names but counted once. Scales of a matrix of 8-bit
/// integers (docs/model-format.md) are not parameters.
int64_t count_parameters(const SafetensorsHeader& weights, const ModelConfig& model) {
  int64_t count = 0;
  for (const auto& tensor : weights.tensors) {
    if (is_tied_copy(tensor.name, model) || ends_with(tensor.name, ".scale")) continue;
    count += static_cast<int64_t>((tensor.end - tensor.begin) / element_size(tensor.dtype));
  }
  return count;
}

/// The settings that apply to this architecture.
OrderedJson describe_network(const ModelConfig& model) {
  const bool is_transformer = model.architecture == Architecture::kTransformer;
  OrderedJson network;
  network["architecture"] = choice_name(model.architecture);
  if (!is_transformer) network["cell"] = choice_name(model.cell);
  network["layers"] = model.num_layers;
  if (model.architecture != Architecture::kLanguageModel) {
    network["decoder_layers"] = num_decoder_layers(model);
  }
  if (!is_transformer) {
    network["residual"] = model.residual;
    network["cell_layer_norm"] = model.cell_layer_norm;
  }
  network["embedding_size"] = model.embedding_size;
  network["hidden_size"] = model.hidden_size;
  if (model.architecture == Architecture::kRecurrent) {
    network["decoder_init"] = choice_name(model.decoder_init);
    network["encoder_output"] = choice_name(model.encoder_output);
    network["attention"] = model.attention->name;
    network["coverage"] = model.coverage;
    network["copy"] = model.copy;
    network["input_feeding"] = model.input_feeding;
    network["layer_norm"] = model.layer_norm;
  }
  const bool has_heads =
      model.architecture == Architecture::kRecurrent && model.attention->has_heads;
  if (is_transformer || has_heads) network["heads"] = model.heads;
  if (is_transformer) {
    network["feed_forward_size"] = model.feed_forward_size;
    network["pre_norm"] = model.pre_norm;
  }
  network["tied_embeddings"] = choice_name(model.tied_embeddings);
  return network;
}

OrderedJson describe_vocabulary(const Tokenizer& vocabulary) {
  return {{"pieces", vocabulary.vocabulary_size()}, {"sha256", sha256(vocabulary.bytes())}};
}

}  // namespace

OrderedJson describe_model(const std::filesystem::path& path) {
  const auto files = read_model_files(path);
  const auto& weights = files.weights.header;
  Settings settings;
  apply_yaml(settings, files.parts.settings, files.name_of("config.yaml"), SettingsFrom::kModel);
  OrderedJson info;
  info["model"] = path.string();
  info["format_version"] = format_version_of(weights.metadata);
  info.update(describe_network(settings.model));
  info["parameters"] = count_parameters(weights, settings.model);
  const auto source =
      Tokenizer::from_bytes(files.parts.source_tokenizer, files.name_of("source.spm"));
  info["source_vocabulary"] = describe_vocabulary(source);
  info["target_vocabulary"] = describe_vocabulary(
      Tokenizer::from_bytes(files.parts.target_tokenizer, files.name_of("target.spm")));
  const TargetLanguages languages(source);
  if (!languages.empty()) info["target_languages"] = languages.codes();
  for (const auto& tensor : weights.tensors) {
    info["tensors"][tensor.name] = {{"dtype", tensor.dtype}, {"shape", tensor.shape}};
  }
  info["weights_metadata"] = weights.metadata;
  // Already shown above.
  for (const char* part : {kPackedSettings, kPackedSummary}) info["weights_metadata"].erase(part);
  info["weights_sha256"] = sha256_of_file(files.weights.path);
  if (!files.parts.summary.empty()) info["training"] = parse_shallow_json(files.parts.summary);
  return info;
}

}  // namespace nmt
