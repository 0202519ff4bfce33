#include "checkpoint/safetensors.h"

#include <ATen/ATen.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "checkpoint/safetensors_header.h"
#include "support/error.h"
#include "support/file.h"
#include "support/sha256.h"

namespace nmt {
namespace {

constexpr char kChecksum[] = "sha256";

/// A private mapping of a file: writes to it stay in memory.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path) {
    // O_NONBLOCK: a named pipe is refused below, not waited for.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) throw Error(path.string() + ": cannot be read: " + std::strerror(errno));
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
      ::close(descriptor);
      throw Error(path.string() + ": is not a file that can be mapped into memory");
    }
    size_ = static_cast<size_t>(status.st_size);
    void* mapped = size_ == 0
                       ? nullptr
                       : ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0);
    ::close(descriptor);
    if (mapped == MAP_FAILED) throw Error(path.string() + ": cannot be mapped into memory");
    data_ = static_cast<char*>(mapped);
  }
  ~MappedFile() {
    if (data_ != nullptr) ::munmap(data_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  char* data() const { return data_; }
  std::string_view bytes() const { return {data_, size_}; }

 private:
  char* data_ = nullptr;
  size_t size_ = 0;
};

const std::vector<std::pair<std::string, at::ScalarType>>& dtypes() {
  static const std::vector<std::pair<std::string, at::ScalarType>> table = {
      {"F64", at::kDouble}, {"F32", at::kFloat}, {"F16", at::kHalf},  {"BF16", at::kBFloat16},
      {"I64", at::kLong},   {"I32", at::kInt},   {"I16", at::kShort}, {"I8", at::kChar},
      {"U8", at::kByte},    {"BOOL", at::kBool}};
  return table;
}

at::ScalarType scalar_type(const std::string& dtype) {
  for (const auto& [name, type] : dtypes()) {
    if (name == dtype) return type;
  }
  throw Error("unknown dtype " + dtype);
}

std::string dtype_name(at::ScalarType wanted) {
  for (const auto& [name, type] : dtypes()) {
    if (type == wanted) return name;
  }
  throw Error(std::string("safetensors has no dtype for ") + c10::toString(wanted));
}

/// The tensors' values, where they lie.
std::vector<std::string_view> data_of(const std::vector<NamedTensor>& tensors) {
  std::vector<std::string_view> data;
  for (const auto& [name, tensor] : tensors) {
    data.emplace_back(static_cast<const char*>(tensor.data_ptr()), tensor.nbytes());
  }
  return data;
}

std::string header_of(const TensorFile& file, const std::string& checksum) {
  nlohmann::ordered_json header;
  header["__metadata__"] = file.metadata;
  header["__metadata__"][kChecksum] = checksum;
  size_t at = 0;
  for (const auto& [name, tensor] : file.tensors) {
    if (header.contains(name)) throw Error("the tensor name " + name + " is taken already");
    const size_t end = at + tensor.nbytes();
    header[name] = {{"dtype", dtype_name(tensor.scalar_type())},
                    {"shape", tensor.sizes().vec()},
                    {"data_offsets", {at, end}}};
    at = end;
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const nlohmann::json::type_error&) {
    throw Error("metadata and tensor names have to be valid UTF-8");
  }
  text.append((8 - text.size() % 8) % 8, ' ');  // the data then starts on a multiple of 8
  return text;
}

torch::Tensor view_of(const std::shared_ptr<MappedFile>& file, const SafetensorsHeader& header,
                      const TensorEntry& entry) {
  char* data = file->data() + header.data_begin + entry.begin;
  const auto type = scalar_type(entry.dtype);
  const bool aligned = reinterpret_cast<uintptr_t>(data) % element_size(entry.dtype) == 0;
  if (!aligned || entry.begin == entry.end) {
    auto copy = torch::empty(entry.shape, type);
    if (entry.begin != entry.end) std::memcpy(copy.data_ptr(), data, entry.end - entry.begin);
    return copy;
  }
  return at::from_blob(
      data, entry.shape, [file](void*) {}, at::TensorOptions(type));
}

}  // namespace

const torch::Tensor& TensorFile::at(const std::string& name) const {
  for (const auto& entry : tensors) {
    if (entry.name == name) return entry.tensor;
  }
  throw Error(path + ": the tensor " + name + " is missing");
}

void write_safetensors(std::ostream& stream, const TensorFile& file) {
  auto tensors = file.tensors;
  for (auto& [name, tensor] : tensors) tensor = tensor.contiguous();
  const auto data = data_of(tensors);
  const auto header = header_of(file, sha256(data));
  for (size_t i = 0; i < sizeof(uint64_t); ++i) {
    stream.put(static_cast<char>(header.size() >> (8 * i) & 0xFF));
  }
  stream.write(header.data(), static_cast<std::streamsize>(header.size()));
  for (const auto& piece : data) {
    stream.write(piece.data(), static_cast<std::streamsize>(piece.size()));
  }
}

void write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  write_file_atomically(path, [&](std::ostream& stream) {
    try {
      write_safetensors(stream, file);
    } catch (const Error& error) {
      throw Error(path.string() + ": cannot be written: " + error.what());
    }
  });
}

TensorFile read_safetensors(const std::filesystem::path& path) {
  const auto mapped = std::make_shared<MappedFile>(path);
  const auto header = parse_safetensors_header(mapped->bytes(), path.string());
  const auto checksum = header.metadata.find(kChecksum);
  if (checksum != header.metadata.end() &&
      checksum->second != sha256(mapped->bytes().substr(header.data_begin))) {
    throw Error(path.string() + ": its checksum does not fit its data; the file is damaged");
  }
  TensorFile file;
  file.path = path.string();
  file.metadata = header.metadata;
  for (const auto& entry : header.tensors) {
    file.tensors.push_back({entry.name, view_of(mapped, header, entry)});
  }
  return file;
}

SafetensorsHeader read_safetensors_header(const std::filesystem::path& path) {
  const MappedFile mapped(path);
  return parse_safetensors_header(mapped.bytes(), path.string());
}

}  // namespace nmt
