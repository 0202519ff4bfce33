#pragma once

#include <torch/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "checkpoint/safetensors.h"
#include "fused/gradient.h"
#include "fused/parameter.h"
#include "nn/seq2seq.h"
#include "train/steps/fused_optimizer.h"

namespace nmt {

/// Part of the flat memory whose gradient is complete at once; that of a tied parameter with the
/// last of its uses.
struct ParameterSegment {
  GradientPart part;
  int64_t offset = 0;
  int64_t size = 0;
  std::string sparse_embedding;  // name of the embedding that is all of it: few rows get a gradient
  int64_t rows = 0;              // of that embedding
};

/// All parameters of a model, moved into one piece of memory, so that an optimizer passes over them
/// once, from one end to the other. The model uses its parameters there; tied ones lie there once.
/// Zeros pad each to the next cache line. The memory lasts as long as the model or this does.
class FlatParameters {
 public:
  explicit FlatParameters(const Seq2Seq& model);

  int64_t size() const { return values_.numel(); }  // floats
  float* data() const { return values_.data_ptr<float>(); }

  /// The parameters by name, their gradients at the same places of `gradient`, size() floats.
  ParameterTable table(float* gradient) const;

  /// All of the memory, in the order in which the gradient is complete.
  std::vector<ParameterSegment> gradient_segments() const;

  /// All of the memory by factor of the learning rate, from one end to the other; `factors` are
  /// those of unique_named_parameters(), in their order.
  std::vector<RateSegment> rate_segments(const std::vector<double>& factors) const;

  /// The parts of `memory`, size() floats laid out as the parameters are, by their names and
  /// shapes; tied ones once, as unique_named_parameters has them.
  std::vector<NamedTensor> views(float* memory) const;

 private:
  struct Place {
    int64_t offset = 0;
    int64_t rows = 0;
    int64_t columns = 0;
  };
  struct Unique {
    std::string name;
    int64_t offset = 0;
    std::vector<int64_t> shape;
  };

  torch::Tensor values_;  // [size]
  std::map<std::string, Place> places_;
  std::vector<Unique> unique_;
};

}  // namespace nmt
