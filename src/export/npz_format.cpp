#include <utility>

#include "decode/model_stepper.h"
#include "export/export_format.h"
#include "export/npz.h"
#include "export/state_dict.h"

namespace nmt {
namespace {

void write_npz_export(const Model& model, std::ostream& stream) {
  write_npz(stream, state_dict(model.network).tensors);
}

ReloadedModel reload_npz(const std::filesystem::path& path, const Model& model) {
  TensorFile file;
  file.path = path.string();
  file.tensors = read_npz(path);
  return {std::make_unique<ModelStepper>(reload_same_weights(file, model.network)), {}};
}

}  // namespace

ExportFormat npz_format() {
  return {"npz", "the same for numpy.load", write_npz_export, reload_npz};
}

}  // namespace nmt
