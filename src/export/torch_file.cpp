#include "export/torch_file.h"

#include <ATen/ATen.h>

#include <cstring>

#include "checkpoint/safetensors.h"
#include "errors/error.h"

namespace nmt {

bool TorchFile::is_one(const std::filesystem::path& path) {
  return TorchArchive::is_one(MappedFile(path).bytes());
}

TorchFile::TorchFile(const std::filesystem::path& path)
    : path_(path.string()), file_(path), archive_(file_.bytes(), path_) {}

torch::Tensor TorchFile::tensor(const PickleValue& value, const std::string& key) const {
  const auto stored = archive_.tensor(value, key);
  // Many tensors may be views of the same bytes; a model ties three matrices at most.
  constexpr size_t kMaxShares = 4;
  bytes_taken_ += stored.bytes.size();
  if (bytes_taken_ / kMaxShares > file_.bytes().size()) {
    throw Error(path_ + ": its tensors share more bytes than it has; save each with its own");
  }
  auto tensor = torch::empty(stored.shape, scalar_type(stored.dtype));
  std::memcpy(tensor.data_ptr(), stored.bytes.data(), stored.bytes.size());
  return tensor.to(torch::kFloat);
}

}  // namespace nmt
