#include "export/torch_archive.h"

#include <array>
#include <cstring>
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

/// Reads little-endian numbers of a file, with bounds checks.
class FileBytes {
 public:
  FileBytes(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  [[noreturn]] void fail() const { throw Error(name_ + ": a damaged file of torch.save"); }

  std::string_view at(uint64_t begin, uint64_t size) const {
    if (begin > bytes_.size() || size > bytes_.size() - begin) fail();
    return bytes_.substr(begin, size);
  }

  template <typename Number>
  Number number(uint64_t begin) const {
    Number value = 0;
    std::memcpy(&value, at(begin, sizeof(Number)).data(), sizeof(Number));
    return value;
  }

 private:
  std::string_view bytes_;
  std::string name_;
};

/// The members of a zip archive (APPNOTE.TXT, 4.3), named without their folder.
Members members_of(std::string_view bytes, const std::string& name) {
  const FileBytes zip(bytes, name);
  const auto end = bytes.rfind("PK\x05\x06");
  if (end == std::string_view::npos) zip.fail();
  const auto count = zip.number<uint16_t>(end + 10);
  uint64_t entry = zip.number<uint32_t>(end + 16);
  Members members;
  for (uint16_t i = 0; i < count; ++i) {
    if (zip.at(entry, 4) != "PK\x01\x02") zip.fail();
    const auto stored = zip.number<uint16_t>(entry + 10) == 0;
    const uint64_t size = zip.number<uint32_t>(entry + 24);
    const uint64_t name_size = zip.number<uint16_t>(entry + 28);
    const uint64_t local = zip.number<uint32_t>(entry + 42);
    const std::string member(zip.at(entry + 46, name_size));
    if (member.find("/code/") != std::string::npos) {
      throw Error(
          name +
          ": a TorchScript program, which cannot be imported; use a file of nmt export --to "
          "safetensors");
    }
    if (!stored) throw Error(name + ": compressed; use a file as torch.save wrote it");
    const uint64_t data =
        local + 30 + zip.number<uint16_t>(local + 26) + zip.number<uint16_t>(local + 28);
    members[member.substr(member.find('/') + 1)] = zip.at(data, size);
    entry += 46 + name_size + zip.number<uint16_t>(entry + 30) + zip.number<uint16_t>(entry + 32);
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
    const FileBytes rest(bytes, name_);
    const auto count = rest.number<uint64_t>(0);
    const auto member = "data/" + std::string(key->text);
    const auto width = widths[member];
    if (width == 0 || count > bytes.size() / width) rest.fail();
    members_[member] = rest.at(sizeof(count), count * width);
    bytes.remove_prefix(sizeof(count) + count * width);
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
