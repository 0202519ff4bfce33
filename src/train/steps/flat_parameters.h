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

/// A parameter within flat memory.
struct FlatParameter {
  int64_t offset = 0;
  int64_t rows = 0;  // of a matrix; 0: a vector
  int64_t columns = 0;
  double factor = 1.0;  // of the learning rate

  int64_t size() const { return rows == 0 ? columns : rows * columns; }
};

/// Parameters up to `end`, from the segment before, learn at `factor` times the learning rate; at 0
/// they are frozen, and their gradient does not count.
struct RateSegment {
  int64_t end = 0;
  double factor = 1.0;
};

/// Part of the flat memory whose gradient is complete at once; that of a tied parameter with the
/// last of its uses.
struct ParameterSegment {
  size_t model = 0;
  GradientPart part;
  int64_t offset = 0;
  int64_t size = 0;
  std::string sparse_embedding;  // name of the embedding that is all of it: few rows get a gradient
  int64_t rows = 0;              // of that embedding
};

/// All parameters of the models that are trained together, moved into one piece of memory, so that
/// an optimizer passes over them once, from one end to the other. The models use their parameters
/// there; tied ones lie there once. Zeros pad each to the next cache line. The memory lasts as long
/// as a model or this does.
class FlatParameters {
 public:
  explicit FlatParameters(const std::vector<Seq2Seq>& models);

  int64_t size() const { return values_.numel(); }  // floats
  float* data() const { return values_.data_ptr<float>(); }

  /// The parameters of a model by name, their gradients at the same places of `gradient`, size()
  /// floats.
  ParameterTable table(float* gradient, size_t model = 0) const;

  /// All of the memory, model by model, in the order in which the gradient is complete.
  std::vector<ParameterSegment> gradient_segments() const;

  /// All of the memory by factor of the learning rate, from one end to the other; `factors` are
  /// those of unique_named_parameters() of each model, in their order.
  std::vector<RateSegment> rate_segments(const std::vector<double>& factors) const;

  /// All parameters, tied ones once, with `factors` as above.
  std::vector<FlatParameter> parameters(const std::vector<double>& factors) const;

  /// The parts of `memory`, size() floats laid out as the parameters are, by the names and shapes
  /// of a model's; tied ones once, as unique_named_parameters has them.
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
