#include "checkpoint/pack.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <cstring>

#include "checkpoint/model.h"
#include "checkpoint/weights.h"
#include "errors/error.h"
#include "files/file.h"

namespace nmt {
namespace {

torch::Tensor tensor_of(const std::string& bytes) {
  auto tensor = torch::empty({static_cast<int64_t>(bytes.size())}, at::kByte);
  if (!bytes.empty()) std::memcpy(tensor.data_ptr(), bytes.data(), bytes.size());
  return tensor;
}

TensorFile packed_file(const ModelParts& parts, const Seq2Seq& network,
                       const std::string& precision) {
  TensorFile packed;
  packed.metadata = {{kPackedSettings, parts.settings}, {"precision", precision}};
  if (!parts.summary.empty()) packed.metadata[kPackedSummary] = parts.summary;
  if (!parts.calibration.empty()) packed.metadata[kPackedCalibration] = parts.calibration;
  packed.tensors = pack_weights(network, parse_precision(precision));
  packed.tensors.push_back({kPackedSourceTokenizer, tensor_of(parts.source_tokenizer)});
  packed.tensors.push_back({kPackedTargetTokenizer, tensor_of(parts.target_tokenizer)});
  return packed;
}

/// Throws Error unless `written`, the file that becomes `path`, has the tensors of `packed`.
void require_written(const std::filesystem::path& written, const TensorFile& packed,
                     const std::filesystem::path& path) {
  const auto again = read_safetensors(written);
  for (const auto& [name, tensor] : packed.tensors) {
    if (!torch::equal(again.at(name), tensor)) {
      throw Error(path.string() + ": " + name +
                  " differs from the model after writing; check the disk");
    }
  }
}

}  // namespace

std::string pack_model(const PackRequest& request) {
  const auto& output = request.output;
  require_absent(output, request.overwrite);
  parse_precision(request.precision);  // before anything is read
  const auto files = read_model_files(request.model);
  const auto model = make_model(files, torch::kCPU);
  const auto packed = packed_file(files.parts, model.network, request.precision);
  write_safetensors(output, packed,
                    [&](const auto& written) { require_written(written, packed, output); });
  return output.string() + ": " + std::to_string(std::filesystem::file_size(output)) + " bytes, " +
         request.precision;
}

std::string unpack_model(const UnpackRequest& request) {
  const ModelDirectory directory{request.output};
  directory.require_no_run(request.overwrite);
  const auto files = read_model_files(request.model);
  const auto model = make_model(files, torch::kCPU);
  write_model_directory(directory, files.parts, model.network);
  return directory.root.string() + ": model unpacked";
}

}  // namespace nmt
