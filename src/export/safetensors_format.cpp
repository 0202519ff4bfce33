#include <utility>

#include "checkpoint/safetensors.h"
#include "decode/model_stepper.h"
#include "export/export_format.h"
#include "export/state_dict.h"

namespace nmt {
namespace {

void write_safetensors_export(const Model& model, std::ostream& stream) {
  auto file = state_dict(model.network);
  file.metadata = describe_export(model);
  write_safetensors(stream, file);
}

ReloadedModel reload_safetensors(const std::filesystem::path& path, const Model& model) {
  auto network = reload_same_weights(read_safetensors(path), model.network);
  return {std::make_unique<ModelStepper>(std::move(network)), {}};
}

}  // namespace

ExportFormat safetensors_format() {
  return {"safetensors", "weights under their state_dict names", write_safetensors_export,
          reload_safetensors};
}

}  // namespace nmt
