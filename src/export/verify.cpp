#include "export/verify.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/batch.h"
#include "decode/batch_search.h"
#include "decode/model_stepper.h"
#include "errors/error.h"
#include "files/line_reader.h"
#include "numbers/random.h"

namespace nmt {
namespace {

constexpr double kTolerance = 1e-4;
constexpr size_t kBatchSize = 16;

SampleSources made_up_sources(const Model& model) {
  constexpr int kSentences = 16;
  constexpr uint64_t kLongest = 30;
  Random random(/*seed=*/1, /*stream=*/1);
  const auto choices = static_cast<uint64_t>(model.source.vocabulary_size() - kUnknownId);
  SampleSources sources(kSentences);
  for (auto& source : sources) {
    for (uint64_t left = 1 + random.below(kLongest); left > 0; --left) {
      source.push_back(kUnknownId + static_cast<int32_t>(random.below(choices)));
    }
  }
  return sources;
}

/// The largest difference in the given rows (at least one) of [N, V].
double largest_difference(const torch::Tensor& ours, const torch::Tensor& theirs,
                          const torch::Tensor& rows) {
  const auto difference = ours.index_select(0, rows).to(torch::kDouble) -
                          theirs.index_select(0, rows).to(torch::kDouble);
  const auto worst = difference.abs().max().item<double>();  // NaN if any element is
  return std::isnan(worst) ? std::numeric_limits<double>::infinity() : worst;
}

std::vector<std::vector<int32_t>> tokens_of(const std::vector<std::vector<Hypothesis>>& found) {
  std::vector<std::vector<int32_t>> tokens(found.size());
  for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = found[i].front().tokens;
  return tokens;
}

void compare_steps(Stepper& ours, Stepper& theirs, const Batch& batch, Agreement& agreement) {
  ours.start(batch.source, batch.source_lengths);
  theirs.start(batch.source, batch.source_lengths);
  for (int64_t t = 0; t < batch.target_input.size(1); ++t) {
    const auto tokens = batch.target_input.select(1, t).contiguous();
    const auto open = (batch.target_output.select(1, t) != kPadId).nonzero().squeeze(1);
    const auto difference = largest_difference(ours.advance(tokens).log_probabilities,
                                               theirs.advance(tokens).log_probabilities, open);
    agreement.largest_difference = std::max(agreement.largest_difference, difference);
    agreement.num_steps += open.size(0);
  }
}

bool finds_the_targets(const ReloadedModel& exported, const Batch& batch) {
  // The targets without their last column, which is EOS or padding, and without other EOS.
  const auto width = batch.target_output.size(1) - 1;
  const auto expected = batch.target_output.masked_fill(batch.target_output == kEosId, kPadId);
  return torch::equal(exported.greedy(batch.source, batch.source_lengths).to(torch::kCPU),
                      expected.narrow(1, 0, width));
}

}  // namespace

SampleSources sample_sources(const std::filesystem::path& path, const Model& model) {
  if (path.empty()) return made_up_sources(model);
  SampleSources sources;
  for (const auto& line : read_lines(path.string())) {
    auto source = model.source.encode(line);
    const auto longest = static_cast<size_t>(model.settings.data.max_length);
    source.resize(std::min(source.size(), longest));
    if (!source.empty()) sources.push_back(std::move(source));
  }
  if (sources.empty()) throw Error(path.string() + ": holds no sentence to compare with");
  return sources;
}

Agreement verify_export(const Model& model, const ReloadedModel& exported,
                        const SampleSources& sources) {
  const c10::InferenceMode no_gradients;
  ModelStepper ours(model.network);
  SearchOptions greedy;
  greedy.beam_size = 1;
  bool same_tokens = true;
  Agreement agreement;
  agreement.num_sentences = static_cast<int64_t>(sources.size());
  for (size_t begin = 0; begin < sources.size(); begin += kBatchSize) {
    const auto end = std::min(sources.size(), begin + kBatchSize);
    const SampleSources chunk(sources.begin() + static_cast<std::ptrdiff_t>(begin),
                              sources.begin() + static_cast<std::ptrdiff_t>(end));
    const auto source = make_source_batch(chunk);
    const auto found = search_batch(ours, source.source, source.source_lengths, greedy);
    const auto batch = make_batch(chunk, tokens_of(found));
    compare_steps(ours, *exported.stepper, batch, agreement);
    if (exported.greedy) same_tokens = same_tokens && finds_the_targets(exported, batch);
  }
  if (agreement.largest_difference > kTolerance) {
    throw Error(fmt::format(
        "its log-probabilities differ from the model's by up to {:.1e}, more than {:.0e}",
        agreement.largest_difference, kTolerance));
  }
  if (!same_tokens) throw Error("its own greedy search finds other tokens than the model's");
  return agreement;
}

}  // namespace nmt
