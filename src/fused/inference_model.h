#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "config/settings.h"
#include "fused/packed_output_layer.h"
#include "fused/parameter.h"
#include "kernels/matrix.h"
#include "kernels/packed_weight.h"

namespace nmt {

/// One encoded source sentence, shared by its hypotheses.
class SourceMemory {
 public:
  explicit SourceMemory(int64_t length) : length_(length) {}
  virtual ~SourceMemory() = default;
  SourceMemory(const SourceMemory&) = delete;
  SourceMemory& operator=(const SourceMemory&) = delete;

  /// Tokens of the source.
  int64_t length() const { return length_; }

  std::vector<int32_t> tokens;  // of the source, for a model that copies them; else empty

 private:
  int64_t length_;
};

/// Token ids of sentences, at least one each, and what they are encoded to, in their order.
using SourceSentences = std::vector<const std::vector<int32_t>*>;
using SourceMemories = std::vector<std::unique_ptr<SourceMemory>>;

/// A hypothesis to be extended.
struct DecoderRow {
  const SourceMemory* source = nullptr;
  int64_t parent = kBeginning;  // its row in the previous step
  int32_t token = 0;            // the last one
  /// The only tokens that may follow, ascending; null for all. Either all rows of a step have them
  /// or none, and adjacent rows of one sentence share them.
  const std::vector<int32_t>* candidates = nullptr;

  static constexpr int64_t kBeginning = -1;  // starts from the source's initial state
};

/// Encoder and decoder of a model up to h̃, for one thread.
class InferenceSession {
 public:
  virtual ~InferenceSession() = default;

  virtual SourceMemories encode(const SourceSentences& sentences) = 0;

  /// Advances the rows by one token each; hypotheses may be added, removed and reordered between
  /// calls. Returns their h̃_t [N, H], valid until the next call.
  virtual ConstMatrix advance(const std::vector<DecoderRow>& rows) = 0;

  /// The weights of a row of the last step, one for each source token; null if the model has no
  /// attention.
  virtual const float* attention(int64_t row) const = 0;
};

/// Decides between generating and copying a token: γ = weight · h̃ + bias (nn/generator.h).
struct CopyGate {
  const float* weight;  // [H]
  float bias;
};

/// A trained model prepared for inference: its weights packed, in float32 or as 8-bit integers.
/// Shared by any number of threads.
class InferenceModel {
 public:
  virtual ~InferenceModel() = default;

  virtual std::unique_ptr<InferenceSession> make_session() const = 0;

  const PackedOutputLayer& output_layer() const { return output_layer_; }

  /// Set if the model copies; SourceMemory::tokens is then filled.
  const std::optional<CopyGate>& copy_gate() const { return copy_gate_; }

 protected:
  InferenceModel(const ParameterTable& parameters, WeightType type);

 private:
  PackedOutputLayer output_layer_;
  std::optional<CopyGate> copy_gate_;
};

/// The model of model.architecture. The parameters' memory must outlive it; their gradients are
/// unused.
std::unique_ptr<InferenceModel> pack_inference_model(const ModelConfig& model,
                                                     const ParameterTable& parameters,
                                                     WeightType type);

}  // namespace nmt
