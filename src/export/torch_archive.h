#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "export/pickle.h"

namespace nmt {

/// A tensor's numbers where they lie: row-major, little-endian.
struct ArchivedTensor {
  std::string dtype;  // as in safetensors: "F32", "F64", "F16", "BF16"
  std::vector<int64_t> shape;
  std::string_view bytes;
};

/// What torch.save writes: a pickle and the numbers of its tensors, since PyTorch 1.6 in a zip
/// archive without compression, before that one after the other.
class TorchArchive {
 public:
  /// Whether bytes begin as either form does.
  static bool is_one(std::string_view bytes);

  /// `bytes` must outlive it; `name` begins messages. Throws Error on what is no such file; reads
  /// no more than the index and the pickle.
  TorchArchive(std::string_view bytes, std::string name);

  const PickleValue& root() const { return pickle_->root(); }

  /// Throws Error when the value is no contiguous tensor of floating-point numbers, or its numbers
  /// are not in the file. `key` names it in messages.
  ArchivedTensor tensor(const PickleValue& value, const std::string& key) const;

 private:
  void read_zip(std::string_view bytes);
  void read_in_sequence(std::string_view bytes);

  std::string name_;
  std::map<std::string, std::string_view> members_;  // of a zip archive, without its folder
  std::optional<Pickle> pickle_;
};

}  // namespace nmt
