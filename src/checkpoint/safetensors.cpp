#include "checkpoint/safetensors.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <cstring>
#include <ostream>

#include "errors/error.h"
#include "files/file.h"

namespace nmt {
namespace {

const std::vector<std::pair<std::string, at::ScalarType>>& dtypes() {
  static const std::vector<std::pair<std::string, at::ScalarType>> table = {
      {"F64", at::kDouble}, {"F32", at::kFloat}, {"F16", at::kHalf},  {"BF16", at::kBFloat16},
      {"I64", at::kLong},   {"I32", at::kInt},   {"I16", at::kShort}, {"I8", at::kChar},
      {"U8", at::kByte},    {"BOOL", at::kBool}};
  return table;
}

std::string dtype_name(at::ScalarType wanted) {
  for (const auto& [name, type] : dtypes()) {
    if (type == wanted) return name;
  }
  throw Error(std::string("safetensors has no dtype for ") + c10::toString(wanted));
}

/// Views of the tensors' bytes.
std::vector<std::string_view> data_of(const std::vector<NamedTensor>& tensors) {
  std::vector<std::string_view> data;
  data.reserve(tensors.size());
  for (const auto& [name, tensor] : tensors) {
    data.emplace_back(static_cast<const char*>(tensor.data_ptr()), tensor.nbytes());
  }
  return data;
}

std::vector<TensorEntry> entries_of(const std::vector<NamedTensor>& tensors) {
  std::vector<TensorEntry> entries;
  for (const auto& [name, tensor] : tensors) {
    entries.push_back({name, dtype_name(tensor.scalar_type()), tensor.sizes().vec()});
  }
  return entries;
}

torch::Tensor view_of(const StoredTensors& stored, const TensorEntry& entry) {
  char* data = stored.file->data() + stored.header.data_begin + entry.begin;
  const auto type = scalar_type(entry.dtype);
  const bool aligned = reinterpret_cast<uintptr_t>(data) % element_size(entry.dtype) == 0;
  if (!aligned || entry.begin == entry.end) {
    auto copy = torch::empty(entry.shape, type);
    if (entry.begin != entry.end) std::memcpy(copy.data_ptr(), data, entry.end - entry.begin);
    return copy;
  }
  return at::from_blob(
      data, entry.shape, [file = stored.file](void*) {}, at::TensorOptions(type));
}

}  // namespace

at::ScalarType scalar_type(const std::string& dtype) {
  for (const auto& [name, type] : dtypes()) {
    if (name == dtype) return type;
  }
  throw Error("unknown dtype " + dtype);
}

const torch::Tensor* TensorFile::find(const std::string& name) const {
  for (const auto& entry : tensors) {
    if (entry.name == name) return &entry.tensor;
  }
  return nullptr;
}

const torch::Tensor& TensorFile::at(const std::string& name) const {
  if (const auto* tensor = find(name)) return *tensor;
  throw Error(path + ": the tensor " + name + " is missing");
}

void write_safetensors(std::ostream& stream, const TensorFile& file) {
  auto tensors = file.tensors;
  for (auto& [name, tensor] : tensors) tensor = tensor.contiguous();
  const auto data = data_of(tensors);
  const auto header = make_safetensors_header(file.metadata, entries_of(tensors), data);
  stream.write(header.data(), static_cast<std::streamsize>(header.size()));
  for (const auto& piece : data) {
    stream.write(piece.data(), static_cast<std::streamsize>(piece.size()));
  }
}

void write_safetensors(const std::filesystem::path& path, const TensorFile& file,
                       const std::function<void(const std::filesystem::path&)>& check) {
  const auto write = [&](std::ostream& stream) {
    try {
      write_safetensors(stream, file);
    } catch (const Error& error) {
      throw Error(path.string() + ": cannot be written: " + error.what());
    }
  };
  write_file_atomically(path, write, check);
}

TensorFile read_safetensors(const std::filesystem::path& path) {
  const auto stored = open_safetensors(path);
  TensorFile file;
  file.path = stored.path;
  file.metadata = stored.header.metadata;
  for (const auto& entry : stored.header.tensors) {
    file.tensors.push_back({entry.name, view_of(stored, entry)});
  }
  return file;
}

SafetensorsHeader read_safetensors_header(const std::filesystem::path& path) {
  return open_safetensors(path, Checksum::kSkip).header;
}

}  // namespace nmt
