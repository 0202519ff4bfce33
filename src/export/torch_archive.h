#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "export/pickle.h"

namespace nmt {

/// A view of a tensor's numbers in the file: row-major, little-endian.
struct ArchivedTensor {
  std::string dtype;  // as in safetensors: "F32", "F64", "F16", "BF16"
  std::vector<int64_t> shape;
  std::string_view bytes;
};

/// A file of torch.save: a pickle and the numbers of its tensors. PyTorch 1.6 and later write an
/// uncompressed zip archive, earlier versions write one part after the other.
class TorchArchive {
 public:
  /// Whether `bytes` begin like one of the two forms.
  static bool is_one(std::string_view bytes);

  /// `bytes` must outlive this; `name` begins messages. Reads only the index and the pickle. Throws
  /// Error if `bytes` are not such a file.
  TorchArchive(std::string_view bytes, std::string name);

  const PickleValue& root() const { return pickle_->root(); }

  /// Throws Error, with `key` for the tensor, if the value is not a contiguous tensor of
  /// floating-point numbers, or its numbers are not in the file.
  ArchivedTensor tensor(const PickleValue& entry, const std::string& key) const;

 private:
  void read_zip(std::string_view bytes);
  void read_in_sequence(std::string_view bytes);

  std::string name_;
  std::map<std::string, std::string_view> members_;  // of a zip archive, without its folder
  std::optional<Pickle> pickle_;
};

}  // namespace nmt
