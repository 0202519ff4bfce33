#include "checkpoint/stored_tensors.h"

#include "errors/error.h"

namespace nmt {

const TensorEntry& StoredTensors::at(const std::string& name) const {
  for (const auto& entry : header.tensors) {
    if (entry.name == name) return entry;
  }
  throw Error(path + ": the tensor " + name + " is missing");
}

std::string_view StoredTensors::bytes(const TensorEntry& entry) const {
  return file->bytes().substr(header.data_begin + entry.begin, entry.end - entry.begin);
}

StoredTensors open_safetensors(const std::filesystem::path& path, Checksum checksum) {
  StoredTensors tensors{path.string(), std::make_shared<MappedFile>(path), {}};
  tensors.header = parse_safetensors_header(tensors.file->bytes(), tensors.path);
  if (checksum == Checksum::kSkip) return tensors;
  // Only now, when the file is known to be as large as its tensors.
  tensors.file = std::make_shared<MappedFile>(path, MappedFile::Access::kCopy);
  const auto bytes = tensors.file->bytes();
  tensors.header = parse_safetensors_header(bytes, tensors.path);  // it may have been replaced
  verify_safetensors(tensors.header, bytes, tensors.path);
  return tensors;
}

}  // namespace nmt
