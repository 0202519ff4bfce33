#pragma once

#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "checkpoint/safetensors.h"
#include "fused/gradient.h"
#include "fused/parameter.h"
#include "nn/seq2seq.h"

namespace nmt {

/// Parameters from the previous segment's end to `end` learn at `factor` times the learning rate.
/// At 0 they are frozen, and their gradient is ignored.
struct RateSegment {
  int64_t end = 0;
  double factor = 1.0;
};

/// Part of the flat memory whose gradient is completed together; a tied parameter's with its last
/// use in the backward pass.
struct ParameterSegment {
  size_t model = 0;
  GradientPart part;
  int64_t offset = 0;
  int64_t size = 0;
  std::string sparse_embedding;  // name, if it is an embedding, where few rows get a gradient
  int64_t rows = 0;              // of that embedding
};

/// Moves all parameters of the models trained together into one block of memory, so that an
/// optimizer processes them in a single pass. The models' parameters become views of it; tied ones
/// are stored once. Each is zero-padded to a cache line. The memory is shared: it lives as long as
/// this object or a model.
class FlatParameters {
 public:
  explicit FlatParameters(const std::vector<Seq2Seq>& models);

  int64_t size() const { return values_.numel(); }  // floats
  float* data() const { return values_.data_ptr<float>(); }

  /// The parameters of a model by name, with their gradients at the same offsets in `gradient`,
  /// size() floats.
  ParameterTable table(float* gradient, size_t model = 0) const;

  /// All of the memory, model by model, in the order in which gradients are completed.
  std::vector<ParameterSegment> gradient_segments() const;

  /// All of the memory in order, by learning rate factor. `factors`: one for each of the models'
  /// unique_named_parameters(), in order.
  std::vector<RateSegment> rate_segments(const std::vector<double>& factors) const;

  /// Views of `memory`, size() floats with the layout of the parameters, with the names and shapes
  /// of unique_named_parameters() of a model.
  std::vector<NamedTensor> views(float* memory, size_t model = 0) const;

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

  struct Model {
    std::map<std::string, Place> places;
    std::vector<Unique> unique;
  };
  std::vector<ParameterSegment> segments_of(size_t model) const;

  torch::Tensor values_;  // [size]
  std::vector<Model> models_;
};

}  // namespace nmt
