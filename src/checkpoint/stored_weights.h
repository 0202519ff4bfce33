#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "checkpoint/stored_tensors.h"
#include "nn/seq2seq_options.h"

namespace nmt {

/// The name of the tensor of scales of a matrix of 8-bit integers: one float32 per row, value =
/// integer · scale.
std::string scale_name(const std::string& parameter);

/// Throws Error unless the file holds exactly the parameters of that network, in a precision that
/// can be read. Nothing large is allocated.
void require_weights_of(const Seq2SeqOptions& options, const StoredTensors& file);

/// The parameters of a file as float32, by their state_dict names. Parameters that are stored as
/// aligned float32 are used in place; the others are copies.
class StoredWeights {
 public:
  struct Values {
    const float* data = nullptr;
    std::vector<int64_t> shape;
  };

  /// Throws Error as require_weights_of() does, and for values that are not finite.
  StoredWeights(const Seq2SeqOptions& options, const StoredTensors& file);

  const std::map<std::string, Values>& all() const { return values_; }

 private:
  const float* read(const StoredTensors& file, const TensorEntry& entry);

  std::shared_ptr<MappedFile> file_;
  std::vector<std::vector<float>> copies_;
  std::map<std::string, Values> values_;
};

}  // namespace nmt
