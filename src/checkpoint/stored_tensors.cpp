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
  const auto access =
      checksum == Checksum::kVerify ? MappedFile::Access::kCopy : MappedFile::Access::kReadAndWrite;
  StoredTensors tensors{path.string(), std::make_shared<MappedFile>(path, access), {}};
  const auto bytes = tensors.file->bytes();
  tensors.header = parse_safetensors_header(bytes, tensors.path);
  if (checksum == Checksum::kVerify) verify_safetensors(tensors.header, bytes, tensors.path);
  return tensors;
}

}  // namespace nmt
