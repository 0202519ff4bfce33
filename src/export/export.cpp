#include "export/export.h"

#include <ATen/ATen.h>

#include "checkpoint/model.h"
#include "checkpoint/safetensors.h"
#include "config/settings_io.h"
#include "support/error.h"

namespace nmt {
namespace {

std::map<std::string, std::string> describe(const Model& model) {
  return {{"format", "nmt"},
          {"nmt_version", NMT_VERSION},
          {"settings", to_yaml(model.settings, /*with_comments=*/false)},
          {"source_vocabulary_size", std::to_string(model.source.vocabulary_size())},
          {"target_vocabulary_size", std::to_string(model.target.vocabulary_size())}};
}

void require_equal(const std::filesystem::path& path, const Seq2Seq& network) {
  const auto file = read_safetensors(path);
  for (const auto& parameter : network->named_parameters()) {
    if (torch::equal(file.at(parameter.key()), parameter.value())) continue;
    throw Error(path.string() + ": " + parameter.key() + " was not written as it is");
  }
}

}  // namespace

std::string export_model(const ExportRequest& request) {
  if (request.format != "safetensors") {
    throw UsageError("--to " + request.format + ": unknown format; it has to be safetensors");
  }
  if (std::filesystem::exists(request.output) && !request.overwrite) {
    throw Error(request.output.string() + ": is there already; say --overwrite to replace it");
  }
  const auto model = load_model(request.model_dir, torch::kCPU);
  save_weights(request.output, model.network, describe(model));
  require_equal(request.output, model.network);
  return request.output.string() + ": " + std::to_string(model.network->named_parameters().size()) +
         " tensors, " + std::to_string(count_parameters(*model.network)) + " parameters";
}

}  // namespace nmt
