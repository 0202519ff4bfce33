#include "decode/greedy_and_sampling_search.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <optional>

#include "decode/sentence_beam.h"
#include "decode/step_tensors.h"
#include "decode/token_sampler.h"

namespace nmt {
namespace {

/// One growing hypothesis, a beam of one; `sentence` is its place in the caller's batch.
struct Path {
  int64_t sentence = 0;
  int64_t sample = 0;
  SentenceBeam beam;
};

/// All paths of a batch. To the stepper, each is a sentence of its own, so that a path can leave as
/// soon as it ends.
class PathBatch {
 public:
  PathBatch(const torch::Tensor& lengths, const SearchOptions& options, int64_t paths_each)
      : options_(options), results_(static_cast<size_t>(lengths.size(0))) {
    options_.n_best = 1;  // of each path
    for (int64_t sentence = 0; sentence < lengths.size(0); ++sentence) {
      const SentenceBeam beam(options_, lengths[sentence].item<int64_t>());
      for (int64_t k = 0; k < paths_each; ++k) paths_.push_back(Path{sentence, k, beam});
    }
  }
  PathBatch(const PathBatch&) = delete;  // the beams refer to its options
  PathBatch& operator=(const PathBatch&) = delete;

  bool empty() const { return paths_.empty(); }
  const std::vector<Path>& paths() const { return paths_; }

  torch::Tensor tokens() const {
    std::vector<int64_t> values;
    for (const auto& path : paths_) values.push_back(path.beam.open().front().token);
    return torch::tensor(values);
  }

  std::vector<Ending> endings() const {
    std::vector<Ending> values;
    for (const auto& path : paths_) values.push_back(path.beam.ending());
    return values;
  }

  /// Appends tokens [N], of log_probabilities [N, V]; paths that end leave the stepper too.
  void advance(const torch::Tensor& tokens, const torch::Tensor& log_probabilities,
               const torch::Tensor& attention, Stepper& stepper) {
    const auto chosen_log_probabilities = log_probabilities.gather(1, tokens.unsqueeze(1));
    const auto values = chosen_log_probabilities.to(torch::kCPU, torch::kDouble).contiguous();
    const auto chosen = tokens.to(torch::kCPU).contiguous();
    const AttentionRows weights(attention);
    std::vector<Path> open;
    std::vector<int64_t> rows;
    for (size_t i = 0; i < paths_.size(); ++i) {
      const auto row = static_cast<int64_t>(i);
      auto& beam = paths_[i].beam;
      const auto token = static_cast<int32_t>(chosen.data_ptr<int64_t>()[i]);
      const double total = beam.open().front().log_probability + values.data_ptr<double>()[i];
      beam.advance({Candidate{0, token, total}}, [&](int64_t) { return weights.row(row); });
      if (beam.done()) {
        results_[static_cast<size_t>(paths_[i].sentence)].push_back(beam.best().front());
        continue;
      }
      open.push_back(std::move(paths_[i]));
      rows.push_back(row);
    }
    const bool some_left = open.size() < paths_.size();
    paths_ = std::move(open);
    if (some_left && !empty()) stepper.select(torch::tensor(rows), torch::tensor(rows));
  }

  std::vector<std::vector<Hypothesis>> take_results() { return std::move(results_); }

 private:
  SearchOptions options_;
  std::vector<Path> paths_;
  std::vector<std::vector<Hypothesis>> results_;
};

/// Runs all paths to their ends. `choose` maps allowed log-probabilities [N, V] of N paths to
/// tokens [N].
template <typename Choose>
std::vector<std::vector<Hypothesis>> follow(Stepper& stepper, const torch::Tensor& source,
                                            const torch::Tensor& lengths,
                                            const SearchOptions& options, int64_t paths_each,
                                            Choose&& choose) {
  const c10::InferenceMode no_gradients;
  PathBatch batch(lengths, options, paths_each);
  const auto copies = torch::arange(lengths.size(0)).repeat_interleave(paths_each);
  start_search(stepper, source.index_select(0, copies), lengths.index_select(0, copies), options,
               {});
  while (!batch.empty()) {
    const auto step = stepper.advance(batch.tokens());
    const auto allowed = restrict_tokens(step.log_probabilities, options, batch.endings());
    const auto attention = options.attention ? step.attention : torch::Tensor();
    batch.advance(choose(allowed, batch.paths()), allowed, attention, stepper);
  }
  return batch.take_results();
}

}  // namespace

std::vector<Hypothesis> greedy_search(Stepper& stepper, const torch::Tensor& source,
                                      const torch::Tensor& lengths, const SearchOptions& options) {
  const auto likeliest = [](const torch::Tensor& allowed, const auto&) {
    return allowed.argmax(1);
  };
  std::vector<Hypothesis> hypotheses;
  for (auto& result : follow(stepper, source, lengths, options, 1, likeliest)) {
    hypotheses.push_back(std::move(result.front()));
  }
  return hypotheses;
}

std::vector<std::vector<Hypothesis>> sample_search(Stepper& stepper, const torch::Tensor& source,
                                                   const torch::Tensor& lengths,
                                                   const SearchOptions& options) {
  std::vector<uint64_t> keys;
  for (int64_t sentence = 0; sentence < source.size(0); ++sentence) {
    const auto tokens = source[sentence].narrow(0, 0, lengths[sentence].item<int64_t>());
    const auto values = tokens.to(torch::kCPU, torch::kInt).contiguous();
    const auto* begin = values.data_ptr<int32_t>();
    keys.push_back(sampling_key(options.sampling->seed, {begin, begin + values.numel()}));
  }
  std::optional<TokenSampler> sampler;
  const auto draw = [&](const torch::Tensor& allowed, const std::vector<Path>& paths) {
    if (!sampler) sampler.emplace(options, allowed.size(1));
    const auto values = allowed.to(torch::kCPU, torch::kFloat).contiguous();
    std::vector<int64_t> tokens;
    const float* row = values.data_ptr<float>();
    for (const auto& path : paths) {
      std::copy_n(row, allowed.size(1), sampler->row());
      row += allowed.size(1);
      const auto key = keys[static_cast<size_t>(path.sentence)];
      tokens.push_back(sampler->draw(path.beam.ending(),
                                     sampling_uniform(key, path.sample, path.beam.length())));
    }
    return torch::tensor(tokens).to(allowed.device());
  };
  auto results = follow(stepper, source, lengths, options, options.n_best, draw);
  const auto better = [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; };
  for (auto& samples : results) std::stable_sort(samples.begin(), samples.end(), better);
  return results;
}

}  // namespace nmt
