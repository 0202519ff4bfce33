#include "fused/buffer.h"
#include "fused/recurrent_inference_encoder.h"
#include "fused/recurrent_inference_model.h"
#include "kernels/elementwise.h"

namespace nmt {
namespace {

const RecurrentMemory& memory_of(const DecoderRow& row) {
  return static_cast<const RecurrentMemory&>(*row.source);
}

/// Steps of the recurrent model (nn/recurrent_seq2seq.h).
class RecurrentSession : public InferenceSession {
 public:
  explicit RecurrentSession(const RecurrentInferenceModel& model);

  SourceMemories encode(const SourceSentences& sentences) override {
    return encoder_.encode(sentences);
  }
  ConstMatrix advance(const std::vector<DecoderRow>& rows) override;
  const float* attention(int64_t row) const override {
    return model_.attention.attends() ? attention_.weights(row) : nullptr;
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

RecurrentSession::RecurrentSession(const RecurrentInferenceModel& model)
    : model_(model), encoder_(model), stack_(model.decoder) {}

/// h̃_t of each row.
ConstMatrix RecurrentSession::advance(const std::vector<DecoderRow>& rows) {
  const auto count = static_cast<int64_t>(rows.size());
  stack_.begin(rows, [](const DecoderRow& row) -> DecoderStackSession::FirstState {
    return {memory_of(row).hidden.matrix(), memory_of(row).cell.matrix()};
  });
  const auto fed = stack_.of_parents(attentional_hidden_.matrix(), attentional_hidden_before_);
  const auto decoder_states = query_states(stack_.advance(rows, fed));
  const auto attentional_hidden = attentional_hidden_.take(count, model_.hidden_size());
  model_.concat_state.multiply(decoder_states, attentional_hidden);
  if (model_.attention.attends()) {
    sources_.clear();
    for (const auto& row : rows) {
      const auto& memory = memory_of(row);
      sources_.push_back({memory.keys.matrix(), memory.values.matrix(), row.parent});
    }
    model_.attention.attend(decoder_states, sources_, attention_, attentional_hidden);
  }
  tanh_with_bias(attentional_hidden, model_.concat_bias);
  return attentional_hidden;
}

/// h_t of the top layer, as attention and W_c read it.
ConstMatrix RecurrentSession::query_states(ConstMatrix states) {
  const auto& norm = model_.decoder_norm;
  if (!norm) return states;
  const auto normalized = normalized_.take(states.rows, states.columns);
  norm->apply(states, normalized);
  return normalized;
}

}  // namespace

std::unique_ptr<InferenceSession> RecurrentInferenceModel::make_session() const {
  return std::make_unique<RecurrentSession>(*this);
}

}  // namespace nmt
