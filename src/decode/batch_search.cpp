#include "decode/batch_search.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "checkpoint/lexical_shortlist.h"
#include "data/batch.h"
#include "decode/candidate_chooser.h"
#include "decode/device_beam.h"
#include "decode/length_order.h"
#include "decode/lexical_candidates.h"
#include "decode/sentence_beam.h"
#include "decode/step_results.h"
#include "decode/token_sampler.h"
#include "errors/out_of_memory.h"
#include "nn/cuda/best_tokens.h"

namespace nmt {
namespace {

/// The rows of a tensor [N, size] as plain numbers; copied to the CPU when first needed, by any
/// thread.
class TensorRows {
 public:
  explicit TensorRows(const StepperOutput& output) : output_(output) {}

  int64_t size() const { return output_.log_probabilities.size(1); }

  const float* row(int64_t index) {
    std::call_once(copied_, [this] {
      const c10::InferenceMode no_gradients;  // of this thread
      const auto& scores = output_.log_probabilities;
      const auto all = output_.normalized ? scores : scores.log_softmax(1, torch::kFloat);
      values_ = all.to(torch::kCPU, torch::kFloat).contiguous();
    });
    return values_.data_ptr<float>() + index * size();
  }

 private:
  const StepperOutput& output_;
  std::once_flag copied_;
  torch::Tensor values_;
};

/// Whether what a hypothesis continues with depends on the model's scores alone.
bool extends_by_scores(const SearchOptions& options) {
  return !options.sampling && options.diverse_groups == 1 && options.no_repeat_ngram == 0 &&
         options.shortlist == nullptr;
}

/// The sentences that are still being translated, and their rows in the batch.
class ActiveBatch {
 public:
  ActiveBatch(Stepper& stepper, const torch::Tensor& source, const torch::Tensor& lengths,
              const SearchOptions& options, const ConstraintList& constraint_list, ThreadTeam* team)
      : stepper_(stepper),
        options_(options),
        team_(options.observe ? nullptr : team),
        results_(stepper.device()),
        tokens_(stepper.device()),
        rows_(stepper.device()),
        places_(stepper.device()) {
    for (int i = 0; i < (team_ == nullptr ? 1 : team_->size()); ++i) workers_.emplace_back(options);
    stepper.start(source, lengths);
    torch::Tensor allowed;  // [B, V]
    if (options.shortlist != nullptr) {
      allowed =
          torch::zeros({source.size(0), options.shortlist->target_vocabulary_size}, torch::kBool);
    }
    const auto ids = source.contiguous(), sizes = lengths.contiguous();
    for (int64_t i = 0; i < source.size(0); ++i) {
      const int64_t length = sizes.data_ptr<int64_t>()[i];
      const auto* constraints = constraints_of(constraint_list, static_cast<size_t>(i));
      active_.push_back(i);
      beams_.emplace_back(options, length, constraints);
      if (!options.sampling && !allowed.defined()) continue;
      const auto* first = ids.data_ptr<int64_t>() + i * source.size(1);
      std::vector<int32_t> tokens(static_cast<size_t>(length));
      std::transform(first, first + length, tokens.begin(),
                     [](int64_t token) { return static_cast<int32_t>(token); });
      if (options.sampling) keys_.push_back(sampling_key(options.sampling->seed, tokens));
      if (!allowed.defined()) continue;
      for (const int32_t token : lexical_candidates(*options.shortlist, tokens, constraints)) {
        allowed[i][token] = true;
      }
    }
    if (allowed.defined()) stepper.restrict_to(allowed);
    is_done_.resize(beams_.size());
    if (beams_.empty() || !constraint_list.empty() || !extends_by_scores(options)) return;
    const int64_t count = workers_.front().chooser.num_best_needed(beams_.front());
    if (count > kMaxBestTokens) return;
    auto excluded = options.suppressed_tokens;
    excluded.push_back(kEosId);
    device_beam_ =
        stepper.start_on_device({options.beam_size, count, excluded, keeps_attention(options)});
  }

  /// Searches until all sentences are done.
  void run() {
    if (device_beam_ != nullptr) return follow();
    select_rows();
    while (!active_.empty()) {
      if (options_.sampling) {
        draw();
      } else {
        choose();
      }
      select_rows();
    }
  }

  HypothesisLists results() {
    HypothesisLists results(beams_.size());
    for_each(beams_.size(), [&](Worker&, size_t i) { results[i] = beams_[i].best(); });
    return results;
  }

 private:
  /// What a thread needs of its own.
  struct Worker {
    explicit Worker(const SearchOptions& options) : chooser(options) {}
    CandidateChooser chooser;
    std::vector<TopTokens> top;  // of each open hypothesis
    std::optional<TokenSampler> sampler;
  };

  SentenceBeam& beam(size_t place) { return beams_[static_cast<size_t>(active_[place])]; }

  int64_t row_of(size_t place, int64_t hypothesis) const {
    return static_cast<int64_t>(place) * width_ + hypothesis;
  }

  int64_t num_rows() const { return row_of(active_.size(), 0); }

  /// task(worker, i) for i < count, on several threads if there is enough to do.
  template <typename Task>
  void for_each(size_t count, const Task& task) {
    constexpr int64_t kRowsForThreads = 512;  // fewer take less time than starting the threads
    const auto rows = static_cast<int64_t>(count) * std::max<int64_t>(width_, 1);
    if (team_ == nullptr || rows < kRowsForThreads) {
      for (size_t i = 0; i < count; ++i) task(workers_.front(), i);
      return;
    }
    team_->run([&](int member) {
      const auto part = static_cast<size_t>(member), parts = workers_.size();
      for (size_t i = count * part / parts; i < count * (part + 1) / parts; ++i) {
        task(workers_[part], i);
      }
    });
  }

  /// Drops the sentences that are done and gives each other one as many rows as the most open
  /// hypotheses of any: rows beyond its own are padding.
  void select_rows() {
    size_t width = 0, remaining = 0;
    for (size_t place = 0; place < active_.size(); ++place) {
      if (is_done_[place] != 0) continue;
      ++remaining;
      width = std::max(width, beam(place).open().size());
    }
    const auto size = static_cast<int64_t>(remaining);
    const auto& rows = rows_.take({size * static_cast<int64_t>(width)}, torch::kLong);
    const auto& places = places_.take({size}, torch::kLong);
    auto* row = rows.data_ptr<int64_t>();
    auto* next_place = places.data_ptr<int64_t>();
    // Copying the states takes time, and a step of greedy search seldom changes the rows.
    bool changes = rows.size(0) != num_rows();
    for (size_t place = 0; place < active_.size(); ++place) {
      if (is_done_[place] != 0) continue;
      const auto& open = beam(place).open();
      for (size_t k = 0; k < width; ++k, ++row) {
        *row = row_of(place, k < open.size() ? open[k].parent : 0);
        changes |= *row != row - rows.data_ptr<int64_t>();
      }
      active_[static_cast<size_t>(next_place - places.data_ptr<int64_t>())] = active_[place];
      *next_place++ = static_cast<int64_t>(place);
    }
    active_.resize(remaining);
    width_ = static_cast<int64_t>(width);
    if (!active_.empty() && changes) stepper_.select(rows, places);
  }

  /// [B·K]
  const torch::Tensor& last_tokens() {
    const auto& tokens = tokens_.take({num_rows()}, torch::kLong);
    auto* token = tokens.data_ptr<int64_t>();
    for (size_t place = 0; place < active_.size(); ++place) {
      const auto& open = beam(place).open();
      for (size_t k = 0; k < static_cast<size_t>(width_); ++k) {
        *token++ = k < open.size() ? open[k].token : kPadId;
      }
    }
    return tokens;
  }

  void advance(size_t place, const std::vector<Candidate>& candidates, const StepResults& results) {
    beam(place).advance(candidates, [&results, row = row_of(place, 0)](int64_t parent) {
      return results.attention(row + parent);
    });
    is_done_[place] = beam(place).done() ? 1 : 0;
  }

  /// Continues a sentence with its best tokens; logit_of(row, token) is asked for others.
  template <typename LogitOf>
  void extend(Worker& worker, size_t place, const StepResults& results, const LogitOf& logit_of) {
    worker.top.resize(beam(place).open().size());
    for (size_t k = 0; k < worker.top.size(); ++k) {
      results.copy_best(row_of(place, static_cast<int64_t>(k)), worker.top[k]);
    }
    const auto logit = [&, place](int64_t parent, int32_t token) {
      const int64_t row = row_of(place, parent);
      return token == kEosId ? results.end(row) : logit_of(row, token);
    };
    advance(place, worker.chooser.choose(beam(place), worker.top.data(), logit), results);
  }

  /// Continues every sentence with its best tokens.
  void choose() {
    int64_t num_best = 0;
    for (size_t place = 0; place < active_.size(); ++place) {
      num_best = std::max(num_best, workers_.front().chooser.num_best_needed(beam(place)));
    }
    const auto output = num_best <= kMaxBestTokens ? stepper_.advance_to_logits(last_tokens())
                                                   : stepper_.advance(last_tokens());
    results_.read(output, num_best, keeps_attention(options_));
    TensorRows all(output);
    for_each(active_.size(), [&](Worker& worker, size_t place) {
      extend(worker, place, results_,
             [&](int64_t row, int32_t token) { return all.row(row)[token]; });
    });
  }

  /// Extends the open hypotheses as the device did, some steps later and from its results. Finished
  /// sentences keep their rows until half of all have finished.
  void follow() {
    constexpr int64_t kRowsToDrop = 256;  // halving fewer rows does not speed up a device
    std::vector<StepResults> results(DeviceBeam::kAhead, StepResults(stepper_.device()));
    width_ = options_.beam_size;
    int64_t steps = 0;  // that the longest translation can take
    for (const auto& beam : beams_) steps = std::max(steps, beam.tokens_left() + 1);
    int64_t queued = 0, followed = 0;
    const auto results_of = [&](int64_t step) -> StepResults& {
      return results[static_cast<size_t>(step) % results.size()];
    };
    while (true) {
      const auto remaining = std::count(is_done_.begin(), is_done_.end(), 0);
      if (remaining == 0) return;
      const bool drops =
          2 * remaining <= static_cast<int64_t>(active_.size()) && num_rows() > kRowsToDrop;
      if (drops && queued == followed) {
        drop_done();
        continue;
      }
      for (; !drops && queued < steps && queued - followed < DeviceBeam::kAhead; ++queued) {
        device_beam_->queue_step(queued, results_of(queued));
      }
      device_beam_->wait(followed);
      const auto& found = results_of(followed++);
      for_each(active_.size(), [&](Worker& worker, size_t place) {
        if (is_done_[place] != 0) return;
        extend(worker, place, found, [](int64_t, int32_t token) -> float {
          throw std::logic_error("the device's beam knows nothing of token " +
                                 std::to_string(token));
        });
      });
    }
  }

  /// Drops the sentences that are done from the device's beam.
  void drop_done() {
    std::vector<int64_t> places;
    for (size_t place = 0; place < active_.size(); ++place) {
      if (is_done_[place] != 0) continue;
      active_[places.size()] = active_[place];
      places.push_back(static_cast<int64_t>(place));
    }
    active_.resize(places.size());
    is_done_.assign(places.size(), 0);
    device_beam_->select(torch::tensor(places));
  }

  /// Continues each open sample with one token.
  void draw() {
    const auto output = stepper_.advance(last_tokens());
    results_.queue_attention(keeps_attention(options_) ? output.attention : torch::Tensor());
    TensorRows all(output);
    all.row(0);  // waits for the attention, too
    for_each(active_.size(), [&](Worker& worker, size_t place) {
      if (!worker.sampler) worker.sampler.emplace(options_, all.size());
      const auto row_after = [&](int64_t k) { return all.row(row_of(place, k)); };
      const auto& drawn = worker.sampler->draw(
          beam(place), keys_[static_cast<size_t>(active_[place])],
          [&](int64_t k, float* row) { std::copy_n(row_after(k), all.size(), row); },
          [&](int64_t k, int32_t token) { return double{row_after(k)[token]}; });
      advance(place, drawn, results_);
    });
  }

  Stepper& stepper_;
  const SearchOptions& options_;
  ThreadTeam* team_;  // may be null
  std::vector<Worker> workers_;
  StepResults results_;
  HostBuffer tokens_, rows_, places_;
  DeviceBeam* device_beam_ = nullptr;  // if the model's device searches
  std::vector<SentenceBeam> beams_;    // of all sentences
  std::vector<uint64_t> keys_;         // likewise, of their samples
  std::vector<int64_t> active_;        // sentences still in the batch, in its order
  std::vector<char> is_done_;          // whether each of them is, after its last step
  int64_t width_ = 1;                  // K, rows of each
};

/// Attention rows of a padded batch are as wide as its longest source.
void remove_padding(std::vector<Hypothesis>& hypotheses, size_t source_length) {
  for (auto& hypothesis : hypotheses) {
    for (auto& row : hypothesis.attention) {
      if (!row.empty()) row.resize(source_length);  // [S] to [own S]
    }
  }
}

/// The number of sentences in a batch whose longest source has `length` tokens: fewer than
/// batch_size if memory demands it.
int64_t sentences_together(int64_t batch_size, size_t length, const SearchOptions& options) {
  constexpr int64_t kMaxTokens = int64_t{1} << 17;  // of the padded sources
  constexpr int64_t kMaxRows = int64_t{1} << 16;
  const int64_t rows = options.sampling ? options.n_best : options.beam_size;
  const int64_t fitting = std::min(kMaxTokens / static_cast<int64_t>(length), kMaxRows / rows);
  return std::clamp<int64_t>(fitting, 1, batch_size);
}

}  // namespace

HypothesisLists search_batch(Stepper& stepper, const torch::Tensor& source,
                             const torch::Tensor& lengths, const SearchOptions& options,
                             const ConstraintList& constraint_list, ThreadTeam* team) {
  const c10::InferenceMode no_gradients;
  ActiveBatch batch(stepper, source, lengths, options, constraint_list, team);
  batch.run();
  return batch.results();
}

HypothesisLists search_all(Stepper& stepper, const TokenLists& sources, int64_t batch_size,
                           const SearchOptions& options, const ConstraintList& constraint_list,
                           ThreadTeam* team) {
  HypothesisLists results(sources.size(), {Hypothesis{}});
  const auto order = longest_first_nonempty(sources);
  int64_t parts = 1;  // of a batch, once memory has run out
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const auto together = sentences_together(batch_size, sources[order[begin]].size(), options);
    end = std::min(order.size(), begin + static_cast<size_t>((together + parts - 1) / parts));
    TokenLists chunk;
    ConstraintList chunk_constraints;
    for (size_t i = begin; i < end; ++i) {
      chunk.push_back(sources[order[i]]);
      if (!constraint_list.empty()) chunk_constraints.push_back(constraint_list[order[i]]);
    }
    const auto batch = make_source_batch(chunk);
    HypothesisLists found;
    try {
      found = search_batch(stepper, batch.source, batch.source_lengths, options, chunk_constraints,
                           team);
    } catch (const std::exception& error) {
      stepper.release();  // or there would be no room to continue
      if (chunk.size() == 1 || !is_out_of_memory(error.what())) throw;
      parts *= 2;  // a model's memory depends on more than the number of tokens
      end = begin;
      continue;
    }
    for (size_t i = begin; i < end; ++i) {
      remove_padding(found[i - begin], chunk[i - begin].size());
      results[order[i]] = std::move(found[i - begin]);
    }
  }
  return results;
}

}  // namespace nmt
