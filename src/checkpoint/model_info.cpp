#include "checkpoint/model_info.h"

#include <nlohmann/json.hpp>
#include <set>

#include "checkpoint/model.h"
#include "checkpoint/model_directory.h"
#include "checkpoint/safetensors.h"
#include "config/settings_io.h"
#include "support/file.h"
#include "support/sha256.h"

namespace nmt {
namespace {

using Json = nlohmann::ordered_json;

int64_t elements(const TensorEntry& entry) {
  int64_t count = 1;
  for (const int64_t size : entry.shape) count *= size;
  return count;
}

/// Tied matrices stand in the file under each of their names but are counted once.
int64_t count_parameters(const SafetensorsHeader& header, const ModelConfig& model) {
  std::set<std::string> repeated;
  if (model.tied_embeddings != "none") repeated.insert("generator.output.weight");
  if (model.tied_embeddings == "all") repeated.insert("emb_dec.weight");
  int64_t count = 0;
  for (const auto& entry : header.tensors) {
    if (repeated.count(entry.name) == 0) count += elements(entry);
  }
  return count;
}

Json describe_vocabulary(const std::filesystem::path& path) {
  return {{"pieces", Tokenizer::from_file(path).vocabulary_size()},
          {"sha256", sha256_of_file(path)}};
}

}  // namespace

Json describe_model(const std::filesystem::path& path) {
  const ModelDirectory directory{path};
  require_model(directory);
  const auto settings = load_settings(directory.settings());
  const auto header = read_safetensors_header(directory.weights());
  Json info;
  info["model"] = path.string();
  info["cell"] = settings.model.cell;
  info["layers"] = settings.model.num_layers;
  info["embedding_size"] = settings.model.embedding_size;
  info["hidden_size"] = settings.model.hidden_size;
  info["input_feeding"] = settings.model.input_feeding;
  info["tied_embeddings"] = settings.model.tied_embeddings;
  info["parameters"] = count_parameters(header, settings.model);
  info["source_vocabulary"] = describe_vocabulary(directory.source_tokenizer());
  info["target_vocabulary"] = describe_vocabulary(directory.target_tokenizer());
  for (const auto& entry : header.tensors) {
    info["tensors"][entry.name] = {{"dtype", entry.dtype}, {"shape", entry.shape}};
  }
  info["weights_metadata"] = header.metadata;
  info["weights_sha256"] = sha256_of_file(directory.weights());
  if (std::filesystem::exists(directory.summary())) {
    info["training"] = Json::parse(read_file(directory.summary()), nullptr, false);
  }
  return info;
}

}  // namespace nmt
