#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fused/buffer.h"
#include "fused/inference_model.h"
#include "fused/key_value_cache.h"
#include "fused/sinusoidal_positions.h"
#include "fused/transformer_inference_model.h"
#include "kernels/attention_row.h"

namespace nmt {

/// Encoder and decoder steps of the Transformer (nn/transformer.h). Each row is computed by itself,
/// so a translation does not depend on the others.
class TransformerSession : public InferenceSession {
 public:
  explicit TransformerSession(const TransformerInferenceModel& model);

  std::vector<std::unique_ptr<SourceMemory>> encode(
      const std::vector<const std::vector<int32_t>*>& sentences) override;
  ConstMatrix advance(const std::vector<DecoderRow>& rows) override;

  /// The mean over the heads of the last layer.
  const float* attention(int64_t row) const override { return attention_.matrix().row(row); }

 private:
  int64_t width() const { return model_.config().hidden_size; }
  const int32_t* positions_up_to(int64_t count);
  void encode_self(const PackedTransformerLayer& layer, const std::vector<int64_t>& begin);
  void decode_self(size_t layer);
  void decode_source(size_t layer, const std::vector<DecoderRow>& rows);
  void feed_forward(const PackedTransformerLayer& layer);
  ConstMatrix input_of(const InferenceLayerNorm& norm);
  void add_output(ConstMatrix output, const InferenceLayerNorm& norm);
  float* weights_for(int64_t length);

  const TransformerInferenceModel& model_;
  AttentionScore score_;
  SinusoidalPositions positions_;
  KeyValueCache cache_;
  std::vector<int32_t> source_positions_;  // 0, 1, 2, …
  std::vector<float> weights_;             // [heads, longest]  of one query
  Buffer states_;                          // [N, H]
  Buffer normalized_;                      // [N, H]
  Buffer projected_;                       // [N, 3H]  queries, keys, values
  Buffer contexts_;                        // [N, H]
  Buffer widened_;                         // [N, F]
  Buffer output_;                          // [N, H]  of a sublayer
  Buffer attention_;                       // [N, longest source]
};

}  // namespace nmt
