#include "export/torch_file.h"

#include <ATen/ATen.h>

#include <cstring>
#include <fstream>

#include "errors/error.h"

namespace nmt {
namespace {

using Members = std::map<std::string, std::string_view>;

/// Little-endian numbers of a zip archive (APPNOTE.TXT, 4.3), checked against its end.
class ZipBytes {
 public:
  ZipBytes(std::string_view bytes, std::string path) : bytes_(bytes), path_(std::move(path)) {}

  [[noreturn]] void fail() const { throw Error(path_ + ": a damaged file of torch.save"); }

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

  /// Of the record that ends the archive.
  uint64_t end_record() const {
    const auto found = bytes_.rfind("PK\x05\x06");
    if (found == std::string_view::npos) fail();
    return found;
  }

 private:
  std::string_view bytes_;
  std::string path_;
};

Members read_members(std::string_view bytes, const std::string& path) {
  const ZipBytes zip(bytes, path);
  const auto end = zip.end_record();
  const auto count = zip.number<uint16_t>(end + 10);
  uint64_t entry = zip.number<uint32_t>(end + 16);
  Members members;
  for (uint16_t i = 0; i < count; ++i) {
    if (zip.at(entry, 4) != "PK\x01\x02") zip.fail();
    const auto stored = zip.number<uint16_t>(entry + 10) == 0;
    const uint64_t size = zip.number<uint32_t>(entry + 24);
    const uint64_t name_size = zip.number<uint16_t>(entry + 28);
    const uint64_t local = zip.number<uint32_t>(entry + 42);
    const std::string name(zip.at(entry + 46, name_size));
    if (!stored) throw Error(path + ": compressed; use a file as torch.save wrote it");
    const uint64_t data =
        local + 30 + zip.number<uint16_t>(local + 26) + zip.number<uint16_t>(local + 28);
    members[name.substr(name.find('/') + 1)] = zip.at(data, size);
    entry += 46 + name_size + zip.number<uint16_t>(entry + 30) + zip.number<uint16_t>(entry + 32);
  }
  const auto order = members.find("byteorder");
  if (order != members.end() && order->second != "little") {
    throw Error(path + ": written on a big-endian machine; save it on a little-endian one");
  }
  return members;
}

std::string_view pickle_of(const Members& members, const std::string& path) {
  const auto found = members.find("data.pkl");
  if (found == members.end()) throw Error(path + ": not a file of torch.save");
  return found->second;
}

torch::ScalarType type_of(const PickleValue& storage, const std::string& name) {
  const auto global = storage.items[1]->text;
  if (global == "torch\nFloatStorage") return torch::kFloat;
  if (global == "torch\nDoubleStorage") return torch::kDouble;
  if (global == "torch\nHalfStorage") return torch::kHalf;
  if (global == "torch\nBFloat16Storage") return torch::kBFloat16;
  throw Error(name + ": not floating-point numbers");
}

std::vector<int64_t> numbers_of(const PickleValue& list) {
  std::vector<int64_t> numbers;
  for (const auto* item : list.items) numbers.push_back(item->number);
  return numbers;
}

}  // namespace

bool TorchFile::is_one(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(4, '\0');
  if (!file.read(begin.data(), 4)) return false;
  constexpr std::string_view kBeforeZip =
      "\x80\x02\x8a\x0a";  // a pickle of torch.save's magic number
  if (begin == kBeforeZip) {
    throw Error(path.string() +
                ": saved by PyTorch before 1.6; load it and save it again with torch.save");
  }
  return begin == "PK\x03\x04";
}

TorchFile::TorchFile(const std::filesystem::path& path)
    : path_(path.string()),
      file_(path),
      members_(read_members(file_.bytes(), path_)),
      pickle_(pickle_of(members_, path_), path_) {}

torch::Tensor TorchFile::tensor(const PickleValue& value, const std::string& name) const {
  using Kind = PickleValue::Kind;
  const auto where = path_ + ": " + name;
  const auto damaged = [&]() -> Error { return Error(where + ": not a tensor, or damaged"); };
  // _rebuild_tensor_v2(storage, offset, size, stride, …)
  if (value.kind != Kind::kObject || value.items.size() < 4 ||
      value.text != "torch._utils\n_rebuild_tensor_v2") {
    throw damaged();
  }
  const auto& storage = *value.items[0];
  if (storage.kind != Kind::kStorage || storage.items.size() < 3) throw damaged();
  const auto type = type_of(storage, where);
  const auto found = members_.find("data/" + std::string(storage.items[2]->text));
  if (found == members_.end()) throw damaged();
  const auto sizes = numbers_of(*value.items[2]);
  const auto strides = numbers_of(*value.items[3]);
  const auto width = static_cast<int64_t>(torch::elementSize(type));
  const auto available = static_cast<int64_t>(found->second.size()) / width;
  const auto offset = value.items[1]->number;
  if (sizes.size() != strides.size() || sizes.empty() || offset < 0 || offset > available) {
    throw damaged();
  }
  int64_t count = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] < 1 || sizes[i] > available) throw damaged();
    if (sizes[i] > 1 && strides[i] != count) {
      throw Error(where + ": not contiguous; save the state_dict with contiguous tensors");
    }
    if (count > available / sizes[i]) throw damaged();
    count *= sizes[i];
  }
  if (count > available - offset) throw damaged();
  auto tensor = torch::empty(sizes, type);
  std::memcpy(tensor.data_ptr(), found->second.data() + offset * width,
              static_cast<size_t>(count * width));
  return tensor.to(torch::kFloat);
}

}  // namespace nmt
