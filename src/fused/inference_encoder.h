#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fused/attention.h"
#include "fused/embedding.h"
#include "fused/encoder.h"
#include "fused/inference_model.h"

namespace nmt {

/// A source as the decoder sees it; hypotheses of one sentence share it.
struct SourceMemory {
  Buffer values;  // [S, H]  h_src
  Buffer keys;    // [S, H]  h_src W
  Buffer hidden;  // [layers, H]  the decoder's first state
  Buffer cell;    // [layers, H]  of an LSTM
  int64_t length() const { return values.matrix().rows; }
};

/// Encodes sentences, for one thread.
class InferenceEncoder {
 public:
  explicit InferenceEncoder(const InferenceModel& model);

  /// Sentences of at least one token each -> one memory each, in their order.
  std::vector<std::unique_ptr<SourceMemory>> encode(
      const std::vector<const std::vector<int32_t>*>& sentences);

 private:
  StackState& first_state(int64_t num_sentences);

  const InferenceModel& model_;
  FusedEmbedding embedding_;
  FusedEncoder encoder_;
  Buffer keys_;
  std::vector<Buffer> state_buffers_;
  StackState state_;
};

}  // namespace nmt
