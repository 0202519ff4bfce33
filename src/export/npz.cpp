#include "export/npz.h"

#include <ATen/ATen.h>
#include <zlib.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <ostream>
#include <string>
#include <string_view>

#include "errors/error.h"
#include "files/file.h"

namespace nmt {
namespace {

constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr uint32_t kCentralHeader = 0x02014b50;
constexpr uint32_t kEndOfDirectory = 0x06054b50;
constexpr size_t kLocalHeaderBytes = 30;
constexpr uint16_t kVersionNeeded = 20;
constexpr uint16_t kUtf8Names = 1 << 11;
constexpr uint16_t kFirstOfJanuary1980 =
    (1 << 5) | 1;                           // a fixed date: the same model, the same file
constexpr char kMagic[] = "\x93NUMPY\x01";  // and a zero byte: version 1.0
constexpr size_t kMagicBytes = 8;
constexpr size_t kAlignment = 64;

template <typename Integer>
void append(std::string& bytes, Integer value) {
  for (size_t i = 0; i < sizeof(Integer); ++i) {
    bytes.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
  }
}

template <typename Integer>
Integer integer_at(std::string_view bytes, size_t at) {
  if (at + sizeof(Integer) > bytes.size()) throw Error("it ends too early");
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof(Integer); ++i) {
    value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return static_cast<Integer>(value);
}

std::string dictionary_of(const torch::Tensor& tensor) {
  std::string shape;
  for (const int64_t size : tensor.sizes()) shape += std::to_string(size) + ", ";
  return "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
}

/// All of an array's file but its data. `offset` is where the file stands in the archive.
std::string array_header(const torch::Tensor& tensor, size_t offset) {
  auto dictionary = dictionary_of(tensor);
  const size_t before = kMagicBytes + sizeof(uint16_t);
  const size_t unpadded = offset + before + dictionary.size() + 1;
  dictionary.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  dictionary += '\n';
  std::string header(kMagic, kMagicBytes);
  append(header, static_cast<uint16_t>(dictionary.size()));
  return header + dictionary;
}

std::string_view data_of(const torch::Tensor& tensor) {
  return {static_cast<const char*>(tensor.data_ptr()), tensor.nbytes()};
}

uint32_t checksum(std::string_view bytes, uint32_t before = 0) {
  if (bytes.empty()) return before;  // crc32_z takes a null pointer for a question
  return static_cast<uint32_t>(
      ::crc32_z(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

/// One file of the archive.
struct Entry {
  std::string name;
  uint32_t offset = 0;
  uint32_t checksum = 0;
  uint32_t size = 0;
};

/// What the local header and the central one share.
std::string shared_fields(const Entry& entry) {
  std::string bytes;
  append(bytes, kVersionNeeded);
  append(bytes, kUtf8Names);
  append(bytes, uint16_t{0});  // stored
  append(bytes, uint16_t{0});  // midnight
  append(bytes, kFirstOfJanuary1980);
  append(bytes, entry.checksum);
  append(bytes, entry.size);  // compressed
  append(bytes, entry.size);
  append(bytes, static_cast<uint16_t>(entry.name.size()));
  append(bytes, uint16_t{0});  // extra field
  return bytes;
}

std::string local_header(const Entry& entry) {
  std::string bytes;
  append(bytes, kLocalHeader);
  return bytes + shared_fields(entry) + entry.name;
}

std::string central_header(const Entry& entry) {
  std::string bytes;
  append(bytes, kCentralHeader);
  append(bytes, kVersionNeeded);
  bytes += shared_fields(entry);
  append(bytes, uint16_t{0});  // comment
  append(bytes, uint16_t{0});  // disk
  append(bytes, uint16_t{0});  // internal attributes
  append(bytes, uint32_t{0});  // external attributes
  append(bytes, entry.offset);
  return bytes + entry.name;
}

std::string end_of_directory(size_t entries, size_t directory_bytes, size_t directory_offset) {
  std::string bytes;
  append(bytes, kEndOfDirectory);
  append(bytes, uint16_t{0});  // this disk
  append(bytes, uint16_t{0});  // the directory's disk
  append(bytes, static_cast<uint16_t>(entries));
  append(bytes, static_cast<uint16_t>(entries));
  append(bytes, static_cast<uint32_t>(directory_bytes));
  append(bytes, static_cast<uint32_t>(directory_offset));
  append(bytes, uint16_t{0});  // comment
  return bytes;
}

void write_bytes(std::ostream& stream, std::string_view bytes) {
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void require_room(const std::vector<NamedTensor>& tensors) {
  uint64_t bytes = 0;
  for (const auto& [name, tensor] : tensors) bytes += tensor.nbytes() + 4 * name.size() + 1024;
  if (bytes <= std::numeric_limits<uint32_t>::max()) return;
  throw Error("the weights pass npz's 4 GiB; --to safetensors has no such limit");
}

/// The shape in a header that dictionary_of wrote.
std::vector<int64_t> shape_of(std::string_view dictionary) {
  const auto begin = dictionary.find('(');
  const auto end = dictionary.find(')');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin ||
      dictionary.substr(0, begin) != "{'descr': '<f4', 'fortran_order': False, 'shape': ") {
    throw Error("it holds another kind of array");
  }
  std::vector<int64_t> shape;
  const std::string inside(dictionary.substr(begin + 1, end - begin - 1));
  for (size_t at = 0; at < inside.size(); at = inside.find(", ", at) + 2) {
    shape.push_back(std::stoll(inside.substr(at)));
  }
  return shape;
}

torch::Tensor array_from(std::string_view bytes) {
  const size_t before = kMagicBytes + sizeof(uint16_t);
  const size_t header = before + integer_at<uint16_t>(bytes, kMagicBytes);
  if (bytes.substr(0, kMagicBytes) != std::string_view(kMagic, kMagicBytes) ||
      header > bytes.size()) {
    throw Error("it holds something that is no array");
  }
  auto tensor = torch::empty(shape_of(bytes.substr(before, header - before)), torch::kFloat);
  if (tensor.nbytes() != bytes.size() - header) throw Error("an array has another size");
  // Of an empty one there is no pointer to copy to.
  if (tensor.numel() > 0) {
    std::memcpy(tensor.data_ptr(), bytes.data() + header, tensor.nbytes());
  }
  return tensor;
}

/// The entries up to the central directory, which repeats what they say.
std::vector<NamedTensor> read_entries(std::string_view bytes) {
  constexpr std::string_view kSuffix = ".npy";
  std::vector<NamedTensor> tensors;
  size_t at = 0;
  while (integer_at<uint32_t>(bytes, at) == kLocalHeader) {
    const auto expected = integer_at<uint32_t>(bytes, at + 14);
    const auto size = integer_at<uint32_t>(bytes, at + 18);
    const auto name_size = integer_at<uint16_t>(bytes, at + 26);
    const size_t data = at + kLocalHeaderBytes + name_size;
    if (data + size > bytes.size() || name_size <= kSuffix.size()) throw Error("it is cut short");
    const auto content = bytes.substr(data, size);
    if (checksum(content) != expected) throw Error("a checksum does not fit its data");
    tensors.push_back(
        {std::string(bytes.substr(at + kLocalHeaderBytes, name_size - kSuffix.size())),
         array_from(content)});
    at = data + size;
  }
  return tensors;
}

}  // namespace

void write_npz(std::ostream& stream, const std::vector<NamedTensor>& tensors) {
  require_room(tensors);
  std::vector<Entry> entries;
  size_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    Entry entry{name + ".npy", static_cast<uint32_t>(offset)};
    const auto header = array_header(tensor, offset + kLocalHeaderBytes + entry.name.size());
    entry.checksum = checksum(data_of(tensor), checksum(header));
    entry.size = static_cast<uint32_t>(header.size() + tensor.nbytes());
    write_bytes(stream, local_header(entry));
    write_bytes(stream, header);
    write_bytes(stream, data_of(tensor));
    offset += kLocalHeaderBytes + entry.name.size() + entry.size;
    entries.push_back(std::move(entry));
  }
  std::string directory;
  for (const auto& entry : entries) directory += central_header(entry);
  write_bytes(stream, directory);
  write_bytes(stream, end_of_directory(entries.size(), directory.size(), offset));
}

std::vector<NamedTensor> read_npz(const std::filesystem::path& path) {
  const auto bytes = read_file(path);
  try {
    return read_entries(bytes);
  } catch (const Error& error) {
    throw Error(path.string() + ": not an npz file of nmt's: " + error.what());
  }
}

}  // namespace nmt
