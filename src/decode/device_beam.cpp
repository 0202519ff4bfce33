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
constexpr int64_t kLengths = 16;

int64_t padded_length(const AttentionMemory& memory) {
  return (memory.keys.size(1) + kLengths - 1) / kLengths * kLengths;
}

}  // namespace

DeviceBeam::DeviceBeam(Seq2Seq model, const DeviceBeamOptions& options)
    : model_(std::move(model)), options_(options), queue_(model_->parameters().front().device()) {
  queue_.run([&] {
    excluded_ = torch::tensor(options_.excluded).to(model_->parameters().front().device());
  });
}

bool DeviceBeam::fits(const AttentionMemory& memory, const DecoderState& state) const {
  if (memory_.empty()) return false;
  const auto& keys = memory_.front().keys;
  return keys.size(0) == memory.keys.size(0) && keys.size(1) == padded_length(memory) &&
         keys.dtype() == memory.keys.dtype() && hidden_.dtype() == state.recurrent.hidden.dtype();
}

void DeviceBeam::allocate(const AttentionMemory& memory, const DecoderState& state) {
  const int64_t sentences = memory.keys.size(0), length = padded_length(memory);
  const int64_t rows = sentences * options_.width;
  const auto& hidden = state.recurrent.hidden;
  memory_ = {AttentionMemory()};
  memory_.front().keys =
      torch::empty({sentences, length, memory.keys.size(2)}, memory.keys.options());
  memory_.front().lengths = torch::empty_like(memory.lengths);
  hidden_ = torch::empty({hidden.size(0), rows, hidden.size(2)}, hidden.options());
  attentional_hidden_ = torch::empty({rows, hidden.size(2)}, state.attentional_hidden.options());
  const auto numbers = hidden.options().dtype(torch::kLong);
  found_ = torch::empty({2, rows, options_.count + 1}, numbers.dtype(torch::kInt));
  hypotheses_.totals = torch::empty({rows}, numbers.dtype(torch::kDouble));
  hypotheses_.rows = torch::empty({rows}, numbers);
  hypotheses_.tokens = torch::empty({rows}, numbers);
  if (options_.attention) {
    attention_ = torch::empty({rows, length}, numbers.dtype(torch::kFloat));
  }
}

void DeviceBeam::start(const AttentionMemory& memory, const DecoderState& state) {
  const bool same = fits(memory, state);
  if (!same) queue_.forget();
  queue_.run([&] {
    if (!same) allocate(memory, state);
    memory_.front().keys.narrow(1, 0, memory.keys.size(1)).copy_(memory.keys);
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
  queue_.repeat([this] { take_step(); });
  queue_.run([&] { results.queue(found_, attention_); });
  queue_.mark(step % kAhead);
}

void DeviceBeam::select(const torch::Tensor& sentences) {
  queue_.forget();
  queue_.run([&] {
    const auto kept = sentences.to(hidden_.device());
    const int64_t width = options_.width;
    const auto rows = (kept.unsqueeze(1) * width + torch::arange(width, kept.options())).flatten();
    memory_.front().keys = memory_.front().keys.index_select(0, kept);
    memory_.front().lengths = memory_.front().lengths.index_select(0, kept);
    hidden_ = hidden_.index_select(1, rows);
    attentional_hidden_ = attentional_hidden_.index_select(0, rows);
    found_ = found_.index_select(1, rows);
    if (options_.attention) attention_ = attention_.index_select(0, rows);
    hypotheses_ = {hypotheses_.totals.index_select(0, rows), hypotheses_.rows.index_select(0, rows),
                   hypotheses_.tokens.index_select(0, rows)};
  });
}

}  // namespace nmt
