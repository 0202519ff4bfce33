#include "export/torch_file.h"

#include <ATen/ATen.h>

#include <cstring>

#include "checkpoint/safetensors.h"

namespace nmt {

bool TorchFile::is_one(const std::filesystem::path& path) {
  return TorchArchive::is_one(MappedFile(path).bytes());
}

TorchFile::TorchFile(const std::filesystem::path& path)
    : path_(path.string()), file_(path), archive_(file_.bytes(), path_) {}

torch::Tensor TorchFile::tensor(const PickleValue& value, const std::string& key) const {
  const auto stored = archive_.tensor(value, key);
  auto tensor = torch::empty(stored.shape, scalar_type(stored.dtype));
  std::memcpy(tensor.data_ptr(), stored.bytes.data(), stored.bytes.size());
  return tensor.to(torch::kFloat);
}

}  // namespace nmt
