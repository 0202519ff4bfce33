#include "decode/device_beam.h"

#include <ATen/ATen.h>

#include <limits>
#include <utility>

#include "nn/cuda/best_tokens.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// Sources are padded to a multiple of this, so that fewer batches differ in shape.
constexpr int64_t kLengthMultiple = 16;

int64_t padded_length(const AttentionMemory& memory) {
  return (memory.keys.size(1) + kLengthMultiple - 1) / kLengthMultiple * kLengthMultiple;
}

}  // namespace

DeviceBeam::DeviceBeam(Seq2Seq model, const DeviceBeamOptions& options)
    : model_(std::move(model)),
      options_(options),
      queue_(make_device_queue(model_->parameters().front().device())) {}

bool DeviceBeam::fits(const AttentionMemory& memory, const DecoderState& state) const {
  if (memory_.empty()) return false;
  const auto& keys = memory_.front().keys;
  return keys.size(0) == memory.keys.size(0) && keys.size(1) == padded_length(memory) &&
         keys.dtype() == memory.keys.dtype() && hidden_.dtype() == state.recurrent.hidden.dtype();
}

void DeviceBeam::allocate(const AttentionMemory& memory, const DecoderState& state) {
  const auto& keys = memory.keys;
  const auto& hidden = state.recurrent.hidden;
  const int64_t rows = keys.size(0) * options_.width;
  memory_.clear();
  AttentionMemory padded;
  padded.keys = torch::empty({keys.size(0), padded_length(memory), keys.size(2)}, keys.options());
  padded.lengths = torch::empty_like(memory.lengths);
  hidden_ = torch::empty({hidden.size(0), rows, hidden.size(2)}, hidden.options());
  attentional_hidden_ = torch::empty({rows, hidden.size(2)}, state.attentional_hidden.options());
  const auto numbers = hidden.options().dtype(torch::kLong);
  hypotheses_.totals = torch::empty({rows}, numbers.dtype(torch::kDouble));
  hypotheses_.tokens = torch::empty({rows}, numbers);
  excluded_ = torch::tensor(options_.excluded).to(numbers.device());
  allocate_results(rows, padded.keys);
  memory_ = {padded};
}

/// What every step overwrites.
void DeviceBeam::allocate_results(int64_t rows, const torch::Tensor& keys) {
  const auto options = keys.options();
  found_ = torch::empty({2, rows, options_.count + 1}, options.dtype(torch::kInt));
  hypotheses_.rows = torch::empty({rows}, options.dtype(torch::kLong));
  if (options_.attention) {
    attention_ = torch::empty({rows, keys.size(1)}, options.dtype(torch::kFloat));
  }
}

void DeviceBeam::start(const AttentionMemory& memory, const DecoderState& state) {
  const bool same = fits(memory, state);
  if (!same) queue_->discard_graph();
  source_length_ = memory.keys.size(1);
  queue_->run_ordered([&] {
    if (!same) allocate(memory, state);
    memory_.front().keys.narrow(1, 0, source_length_).copy_(memory.keys);
    memory_.front().lengths.copy_(memory.lengths);
    const auto& hidden = state.recurrent.hidden;
    const int64_t sentences = memory.keys.size(0);
    hidden_.view({hidden.size(0), sentences, options_.width, hidden.size(2)})
        .copy_(hidden.unsqueeze(2));
    attentional_hidden_.zero_();
    hypotheses_.tokens.fill_(kBosId);
    hypotheses_.totals.fill_(kImpossible);
    hypotheses_.totals.view({sentences, options_.width}).select(1, 0).zero_();
  });
}

void DeviceBeam::take_step() {
  DecoderState state;
  state.recurrent.hidden = hidden_;
  state.attentional_hidden = attentional_hidden_;
  const auto step = model_->step(hypotheses_.tokens, state, memory_);
  best_tokens(model_->logits(step.attentional_hidden), options_.count, kEosId, found_);
  extend_beams(found_, excluded_, options_.width, hypotheses_);
  at::index_select_out(hidden_, state.recurrent.hidden, 1, hypotheses_.rows);
  at::index_select_out(attentional_hidden_, state.attentional_hidden, 0, hypotheses_.rows);
  if (options_.attention) attention_.copy_(step.attention);
}

void DeviceBeam::queue_step(int64_t step, StepResults& results) {
  queue_->repeat([this] { take_step(); });
  queue_->run([&] {
    results.queue(found_,
                  options_.attention ? attention_.narrow(1, 0, source_length_) : torch::Tensor());
  });
  queue_->mark(step % kAhead);
}

void DeviceBeam::select(const torch::Tensor& sentences) {
  queue_->discard_graph();
  queue_->run([&] {
    const auto all = std::exchange(memory_, {}).front();
    const auto kept = sentences.to(hidden_.device());
    const int64_t width = options_.width;
    const auto rows = (kept.unsqueeze(1) * width + torch::arange(width, kept.options())).flatten();
    AttentionMemory memory;
    memory.keys = all.keys.index_select(0, kept);
    memory.lengths = all.lengths.index_select(0, kept);
    hidden_ = hidden_.index_select(1, rows);
    attentional_hidden_ = attentional_hidden_.index_select(0, rows);
    hypotheses_.totals = hypotheses_.totals.index_select(0, rows);
    hypotheses_.tokens = hypotheses_.tokens.index_select(0, rows);
    allocate_results(rows.size(0), memory.keys);
    memory_ = {memory};
  });
}

}  // namespace nmt
