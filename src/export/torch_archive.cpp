#include "export/torch_archive.h"

#include <zip.h>

#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "checkpoint/safetensors_header.h"
#include "errors/error.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

using Kind = PickleValue::Kind;
using Members = std::map<std::string, std::string_view>;

constexpr std::string_view kZip = "PK\x03\x04";
// The pickled magic number at the start of files from before PyTorch 1.6.
constexpr std::string_view kSequence("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.",
                                     15);

[[noreturn]] void refuse_damaged(const std::string& name) {
  throw Error(name + ": a damaged file of torch.save");
}

/// The members of an uncompressed zip archive, named without their folder.
Members members_of(std::string_view bytes, const std::string& name) {
  auto* source = zip_source_buffer_create(bytes.data(), bytes.size(), /*freep=*/0, nullptr);
  const std::unique_ptr<zip_t, decltype(&zip_discard)> zip(
      zip_open_from_source(source, ZIP_RDONLY, nullptr), zip_discard);
  if (zip == nullptr) {
    zip_source_free(source);
    refuse_damaged(name);
  }
  Members members;
  zip_stat_t entry;
  for (zip_uint64_t i = 0; zip_stat_index(zip.get(), i, 0, &entry) == 0; ++i) {
    const std::string member = entry.name;
    if (member.find("/code/") != std::string::npos) {
      throw Error(name +
                  ": a TorchScript program, which cannot be imported; use a file of nmt export "
                  "--to safetensors");
    }
    if (entry.comp_method != ZIP_CM_STORE) {
      throw Error(name + ": compressed; use a file as torch.save wrote it");
    }
    if (entry.size == 0) continue;
    // libzip does not tell where a member's bytes are: just before where it stands after the first.
    const std::unique_ptr<zip_file_t, decltype(&zip_fclose)> file(zip_fopen_index(zip.get(), i, 0),
                                                                  zip_fclose);
    char first;
    if (file == nullptr || zip_fread(file.get(), &first, 1) != 1) refuse_damaged(name);
    const auto begin = static_cast<size_t>(zip_source_tell(source) - 1);
    if (entry.size > bytes.size() - begin) refuse_damaged(name);
    members[member.substr(member.find('/') + 1)] = bytes.substr(begin, entry.size);
  }
  return members;
}

[[noreturn]] void refuse_big_endian(const std::string& name) {
  throw Error(name + ": written on a big-endian machine; save it on a little-endian one");
}

std::string member_of(const PickleValue& storage) {
  return "data/" + std::string(storage.items[2]->text);
}

bool is_sound(const PickleValue& storage) {
  // ("storage", type, key, device, size); before 1.6 also a view of another storage, or None.
  return storage.kind == Kind::kStorage && storage.items.size() >= 5 &&
         (storage.items.size() == 5 || storage.items[5]->kind == Kind::kNone);
}

std::string dtype_of(const PickleValue& storage) {
  constexpr std::array<std::pair<const char*, const char*>, 10> kDtypes = {
      {{"torch\nFloatStorage", "F32"},
       {"torch\nDoubleStorage", "F64"},
       {"torch\nHalfStorage", "F16"},
       {"torch\nBFloat16Storage", "BF16"},
       {"torch\nLongStorage", "I64"},
       {"torch\nIntStorage", "I32"},
       {"torch\nShortStorage", "I16"},
       {"torch\nCharStorage", "I8"},
       {"torch\nByteStorage", "U8"},
       {"torch\nBoolStorage", "BOOL"}}};
  for (const auto& [type, dtype] : kDtypes) {
    if (storage.items[1]->text == type) return dtype;
  }
  return "";
}

std::vector<int64_t> numbers_of(const PickleValue& list) {
  std::vector<int64_t> numbers;
  for (const auto* item : list.items) numbers.push_back(item->number);
  return numbers;
}

}  // namespace

bool TorchArchive::is_one(std::string_view bytes) {
  return begins_with(bytes, kZip) || begins_with(bytes, kSequence);
}

TorchArchive::TorchArchive(std::string_view bytes, std::string name) : name_(std::move(name)) {
  if (begins_with(bytes, kSequence)) {
    read_in_sequence(bytes);
  } else {
    read_zip(bytes);
  }
}

void TorchArchive::read_zip(std::string_view bytes) {
  members_ = members_of(bytes, name_);
  const auto order = members_.find("byteorder");
  if (order != members_.end() && order->second != "little") refuse_big_endian(name_);
  const auto found = members_.find("data.pkl");
  if (found == members_.end()) throw Error(name_ + ": not a file of torch.save");
  pickle_.emplace(found->second, name_);
}

/// The file: pickles of the magic number, the version, the machine, the content and the storages'
/// keys; then, for each storage, the number of its elements and the elements.
void TorchArchive::read_in_sequence(std::string_view bytes) {
  bytes.remove_prefix(kSequence.size());
  const auto next = [&] {
    Pickle pickle(bytes, name_);
    bytes.remove_prefix(pickle.size());
    return pickle;
  };
  next();
  const auto machine = next();
  const auto* little_endian = machine.root().find("little_endian");
  if (little_endian == nullptr || little_endian->number != 1) refuse_big_endian(name_);
  pickle_ = next();
  std::map<std::string, uint64_t> widths;
  for (const auto& value : pickle_->values()) {
    if (is_sound(value)) widths[member_of(value)] = element_size(dtype_of(value));
  }
  const auto keys = next();
  for (const auto* key : keys.root().items) {
    uint64_t count = 0;
    if (bytes.size() < sizeof(count)) refuse_damaged(name_);
    std::memcpy(&count, bytes.data(), sizeof(count));
    bytes.remove_prefix(sizeof(count));
    const auto member = "data/" + std::string(key->text);
    const auto width = widths[member];
    if (width == 0 || count > bytes.size() / width) refuse_damaged(name_);
    members_[member] = bytes.substr(0, count * width);
    bytes.remove_prefix(count * width);
  }
}

ArchivedTensor TorchArchive::tensor(const PickleValue& entry, const std::string& key) const {
  const auto where = name_ + ": " + key;
  const auto damaged = [&]() -> Error { return Error(where + ": not a tensor, or damaged"); };
  const bool is_parameter =
      entry.text == "torch._utils\n_rebuild_parameter" && !entry.items.empty();
  const auto& value = is_parameter ? *entry.items.front() : entry;
  // _rebuild_tensor_v2(storage, offset, size, stride, …)
  if (value.kind != Kind::kObject || value.items.size() < 4 ||
      value.text != "torch._utils\n_rebuild_tensor_v2") {
    throw damaged();
  }
  const auto& storage = *value.items[0];
  if (!is_sound(storage)) throw damaged();
  ArchivedTensor tensor{dtype_of(storage), numbers_of(*value.items[2]), {}};
  if (tensor.dtype.find('F') == std::string::npos) {
    throw Error(where + ": not floating-point numbers");
  }
  const auto found = members_.find(member_of(storage));
  if (found == members_.end()) throw damaged();
  const auto& shape = tensor.shape;
  const auto strides = numbers_of(*value.items[3]);
  const auto width = static_cast<int64_t>(element_size(tensor.dtype));
  const auto available = static_cast<int64_t>(found->second.size()) / width;
  const auto offset = value.items[1]->number;
  if (shape.size() != strides.size() || shape.empty() || offset < 0 || offset > available) {
    throw damaged();
  }
  int64_t count = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] < 1 || shape[i] > available) throw damaged();
    if (shape[i] > 1 && strides[i] != count) {
      throw Error(where + ": not contiguous; save the state_dict with contiguous tensors");
    }
    if (count > available / shape[i]) throw damaged();
    count *= shape[i];
  }
  if (count > available - offset) throw damaged();
  tensor.bytes =
      found->second.substr(static_cast<size_t>(offset * width), static_cast<size_t>(count * width));
  return tensor;
}

}  // namespace nmt
