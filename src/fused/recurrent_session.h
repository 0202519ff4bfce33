#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fused/buffer.h"
#include "fused/inference_model.h"
#include "fused/recurrent_inference_encoder.h"
#include "fused/recurrent_inference_layer.h"
#include "fused/recurrent_inference_model.h"

namespace nmt {

/// Steps of the recurrent model (nn/recurrent_seq2seq.h). Hypotheses with a common parent share its
/// products.
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
  struct Layer {
    Buffer hidden;       // [N, H]  h_t
    Buffer cell;         // [N, H]  c_t of an LSTM
    Buffer before;       // [P, H]  h_{t−1} of each parent
    Buffer cell_before;  // [P, H]
    RecurrentInferenceLayer recurrent;
  };

  void find_parents(const std::vector<DecoderRow>& rows);
  void gather(const std::vector<DecoderRow>& rows);
  void run_layer(size_t index, int64_t count);
  ConstMatrix asking();

  const RecurrentInferenceModel& model_;
  RecurrentInferenceEncoder encoder_;
  std::vector<Layer> layers_;
  std::vector<int32_t> last_tokens_;
  std::vector<const float*> addends_;
  std::vector<DecoderRow> distinct_;              // [P]  a row of each parent
  std::vector<int32_t> parents_;                  // [N]  index in distinct_
  std::vector<int32_t> distinct_of_;              // by row of the previous step; −1: not a parent
  Buffer attentional_hidden_;                     // [N, H]   h̃_t
  Buffer attentional_hidden_before_;              // [P, H]   h̃_{t−1} of each parent
  Buffer normalized_;                             // [N, H]
  std::vector<PackedAttention::Source> sources_;  // [N]
  PackedAttention::Workspace attention_;
};

}  // namespace nmt
