#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fused/buffer.h"
#include "fused/inference_model.h"
#include "fused/packed_decoder_stack.h"
#include "fused/recurrent_inference_encoder.h"
#include "fused/recurrent_inference_model.h"

namespace nmt {

/// Steps of the recurrent model (nn/recurrent_seq2seq.h).
class RecurrentSession : public InferenceSession {
 public:
  explicit RecurrentSession(const RecurrentInferenceModel& model);

  std::vector<std::unique_ptr<SourceMemory>> encode(
      const std::vector<const std::vector<int32_t>*>& sentences) override {
    return encoder_.encode(sentences);
  }
  ConstMatrix advance(const std::vector<DecoderRow>& rows) override;
  const float* attention(int64_t row) const override {
    return model_.attention().attends() ? attention_.weights(row) : nullptr;
  }

 private:
  ConstMatrix query_states(ConstMatrix states);

  const RecurrentInferenceModel& model_;
  RecurrentInferenceEncoder encoder_;
  DecoderStackSession stack_;
  Buffer attentional_hidden_;                     // [N, H]   h̃_t
  Buffer attentional_hidden_before_;              // [P, H]   h̃_{t−1} of each parent
  Buffer normalized_;                             // [N, H]
  std::vector<PackedAttention::Source> sources_;  // [N]
  PackedAttention::Workspace attention_;
};

}  // namespace nmt
