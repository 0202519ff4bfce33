#include <utility>

#include "checkpoint/safetensors.h"
#include "checkpoint/weights.h"
#include "decode/model_stepper.h"
#include "export/export_format.h"
#include "export/state_dict.h"

namespace nmt {
namespace {

void write_safetensors_export(const Model& model, std::ostream& stream) {
  write_safetensors(stream,
                    {describe_export(model), pack_weights(model.network, Precision::kF32), ""});
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
