#include "data/batch.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "text/special_tokens.h"

namespace nmt {
namespace {

std::vector<TokenSpan> spans_of(const std::vector<std::vector<int32_t>>& sentences) {
  std::vector<TokenSpan> spans(sentences.size());
  for (size_t i = 0; i < spans.size(); ++i) spans[i] = {sentences[i].data(), sentences[i].size()};
  return spans;
}

int64_t longest(const std::vector<TokenSpan>& sentences) {
  size_t length = 0;
  for (const auto& sentence : sentences) length = std::max(length, sentence.size);
  return static_cast<int64_t>(length);
}

torch::Tensor padded(size_t rows, int64_t width) {
  auto ids = torch::empty({static_cast<int64_t>(rows), width}, torch::kLong);
  // Not torch::full, which would start threads for a large one.
  std::fill_n(ids.data_ptr<int64_t>(), ids.numel(), int64_t{kPadId});
  return ids;
}

void set_sources(Batch& batch, const std::vector<TokenSpan>& sources) {
  batch.source = padded(sources.size(), longest(sources));
  batch.source_lengths = torch::empty({static_cast<int64_t>(sources.size())}, torch::kLong);
  auto* lengths = batch.source_lengths.data_ptr<int64_t>();
  auto* row = batch.source.data_ptr<int64_t>();
  for (const auto& sentence : sources) {
    std::copy(sentence.begin(), sentence.end(), row);
    row += batch.source.size(1);
    *lengths++ = static_cast<int64_t>(sentence.size);
    batch.num_source_tokens += static_cast<int64_t>(sentence.size);
  }
  batch.global_source_tokens = batch.num_source_tokens;
}

void set_targets(Batch& batch, const std::vector<TokenSpan>& targets) {
  const int64_t width = longest(targets) + 1;
  batch.target_input = padded(targets.size(), width);
  batch.target_output = padded(targets.size(), width);
  auto* input = batch.target_input.data_ptr<int64_t>();
  auto* output = batch.target_output.data_ptr<int64_t>();
  for (const auto& sentence : targets) {
    input[0] = kBosId;
    std::copy(sentence.begin(), sentence.end(), input + 1);
    std::copy(sentence.begin(), sentence.end(), output);
    output[sentence.size] = kEosId;
    input += width;
    output += width;
    batch.num_target_tokens += static_cast<int64_t>(sentence.size) + 1;
  }
  batch.global_target_tokens = batch.num_target_tokens;
}

void set_weights(Batch& batch, const std::vector<float>& weights) {
  if (std::all_of(weights.begin(), weights.end(), [](float weight) { return weight == 1.0F; })) {
    return;
  }
  batch.weights = torch::empty({static_cast<int64_t>(weights.size())}, torch::kFloat32);
  std::copy(weights.begin(), weights.end(), batch.weights.data_ptr<float>());
}

void set_alignment(Batch& batch, const std::vector<TokenSpan>& links) {
  if (longest(links) == 0) return;
  const int64_t length = batch.source.size(1);
  const int64_t steps = batch.target_output.size(1);
  batch.alignment = torch::zeros({batch.source.size(0), steps, length}, torch::kFloat32);
  auto* pair = batch.alignment.data_ptr<float>();
  for (const auto& list : links) {
    for (size_t i = 0; i < list.size; i += 2) pair[list.data[i + 1] * length + list.data[i]] = 1.0F;
    for (int64_t t = 0; t < steps; ++t) {
      float* row = pair + t * length;
      const float sum = std::accumulate(row, row + length, 0.0F);
      if (sum > 0) std::for_each(row, row + length, [sum](float& weight) { weight /= sum; });
    }
    pair += steps * length;
  }
}

}  // namespace

Batch Batch::to(const torch::Device& device) const {
  const auto& any = source.defined() ? source : target_input;
  if (device.is_cpu() || !any.is_cpu()) return *this;
  // A GPU copies from pinned memory while the CPU continues.
  const auto move = [&](const torch::Tensor& ids) {
    return ids.defined() ? ids.pin_memory().to(device, /*non_blocking=*/true) : ids;
  };
  Batch moved = *this;
  moved.source = move(source);
  moved.target_input = move(target_input);
  moved.target_output = move(target_output);
  moved.weights = move(weights);
  moved.alignment = move(alignment);
  if (target_output.defined()) {
    moved.real_targets = move((target_output.reshape(-1) != kPadId).nonzero().squeeze(1));
  }
  return moved;
}

Batch make_batch(const std::vector<ParallelCorpus>& corpora, const std::vector<SizedPair>& pairs) {
  std::vector<TokenSpan> sources;
  std::vector<TokenSpan> targets;
  std::vector<TokenSpan> links;
  std::vector<float> weights;
  for (const auto& [where, source_length, target_length] : pairs) {
    sources.push_back(corpora[where.corpus].source(where.pair));
    targets.push_back(corpora[where.corpus].target(where.pair));
    links.push_back(corpora[where.corpus].links(where.pair));
    weights.push_back(corpora[where.corpus].weight(where.pair));
  }
  Batch batch;
  set_sources(batch, sources);
  set_targets(batch, targets);
  set_weights(batch, weights);
  set_alignment(batch, links);
  return batch;
}

Batch make_batch(const std::vector<std::vector<int32_t>>& sources,
                 const std::vector<std::vector<int32_t>>& targets) {
  auto batch = make_target_batch(targets);
  set_sources(batch, spans_of(sources));
  return batch;
}

Batch make_target_batch(const std::vector<std::vector<int32_t>>& targets) {
  Batch batch;
  set_targets(batch, spans_of(targets));
  return batch;
}

Batch make_source_batch(const std::vector<std::vector<int32_t>>& sources) {
  Batch batch;
  set_sources(batch, spans_of(sources));
  return batch;
}

std::vector<int32_t> tokens_of(const torch::Tensor& ids, int64_t row) {
  std::vector<int32_t> tokens;
  const auto* id = ids.data_ptr<int64_t>() + row * ids.size(1);
  for (int64_t t = 0; t < ids.size(1) && id[t] != kPadId && id[t] != kEosId; ++t) {
    tokens.push_back(static_cast<int32_t>(id[t]));
  }
  return tokens;
}

}  // namespace nmt
