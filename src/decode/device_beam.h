#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "decode/step_results.h"
#include "nn/cuda/beam_extension.h"
#include "nn/cuda/device_queue.h"
#include "nn/seq2seq.h"

namespace nmt {

struct DeviceBeamOptions {
  int64_t width = 0;              // K
  int64_t count = 0;              // best tokens per row, copied to the host
  std::vector<int64_t> excluded;  // tokens that continue no hypothesis, EOS among them
  bool attention = false;         // whether it is copied to the host

  bool operator==(const DeviceBeamOptions& other) const {
    return width == other.width && count == other.count && excluded == other.excluded &&
           attention == other.attention;
  }
};

/// Beam search on the model's device, for models that step by nn/cuda/decoder_step.h. The open
/// hypotheses depend on the log-probabilities alone, so the device extends them by itself: the host
/// queues steps, and learns from their results, some steps later, which sentences are done.
///
/// Every sentence has K rows from the first step on, when all but its first are impossible.
class DeviceBeam {
 public:
  DeviceBeam(Seq2Seq model, const DeviceBeamOptions& options);
  DeviceBeam(const DeviceBeam&) = delete;
  DeviceBeam& operator=(const DeviceBeam&) = delete;

  const DeviceBeamOptions& options() const { return options_; }

  /// Starts a search for B sentences from the encoder's states, `memory`, and the decoder's state
  /// [·, B, ·] before the first token.
  void start(const AttentionMemory& memory, const DecoderState& state);

  static constexpr int64_t kAhead = DeviceQueue::kSlots;

  /// Queues step number `step`, counted from 0, and the copy of its results to `results`; rows i·K
  /// to i·K + K − 1 are those of sentence i. At most kAhead − 1 earlier steps may still be pending:
  /// call wait() for the others first.
  void queue_step(int64_t step, StepResults& results);

  /// Waits for the results of that step.
  void wait(int64_t step) { queue_->wait(step % kAhead); }

  /// Keeps only these sentences, int64 [B'] on the CPU, ascending. Call it when no step is pending.
  void select(const torch::Tensor& sentences);

 private:
  bool fits(const AttentionMemory& memory, const DecoderState& state) const;
  void allocate(const AttentionMemory& memory, const DecoderState& state);
  void allocate_results(int64_t rows, const torch::Tensor& keys);
  void take_step();

  Seq2Seq model_;
  DeviceBeamOptions options_;
  torch::Tensor excluded_;               // of the options
  std::vector<AttentionMemory> memory_;  // one: keys [B, S, H], lengths [B]; none: allocate()
  torch::Tensor hidden_;                 // [L, N, H]  h_{t−1} of the hypotheses
  torch::Tensor attentional_hidden_;     // [N, H]     h̃_{t−1}
  torch::Tensor found_;                  // [2, N, count + 1]  of best_tokens()
  torch::Tensor attention_;              // [N, S]     undefined if it is not wanted
  int64_t source_length_ = 0;            // of the batch: S without what memory_ is padded with
  DeviceHypotheses hypotheses_;
  std::unique_ptr<DeviceQueue> queue_;  // last: its pending work uses the others
};

}  // namespace nmt
