#include "decode/fused_search.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "decode/candidate_chooser.h"
#include "decode/length_order.h"
#include "decode/lexical_candidates.h"
#include "decode/sentence_beam.h"
#include "decode/token_sampler.h"
#include "fused/token_predictor.h"

namespace nmt {
namespace {

/// A sentence in the batch.
struct ActiveSentence {
  size_t index = 0;  // among all sources
  std::unique_ptr<SourceMemory> source;
  SentenceBeam beam;
  uint64_t sampling_key = 0;
  std::vector<int32_t> candidates;  // with a shortlist
  std::vector<int64_t> rows =
      {};  // of each open hypothesis in the last step; empty before the first
};

/// The search of one thread.
class ThreadSearch {
 public:
  ThreadSearch(const ModelEnsemble& models, const TokenLists& sources, size_t batch_size,
               const SearchOptions& options, const ConstraintList& constraint_list)
      : sources_(sources),
        batch_size_(batch_size),
        options_(options),
        constraint_list_(constraint_list),
        predictor_(make_token_predictor(models)),
        chooser_(options),
        only_greedy_(options.beam_size == 1 && !options.scores && !options.sampling &&
                     options.no_repeat_ngram == 0 && constraint_list.empty()) {
    if (options.sampling) sampler_.emplace(options, predictor_->vocabulary_size());
    if (only_greedy_) predictor_->exclude(options.suppressed_tokens);
  }

  /// Translates the sources at `places`, in that order.
  void run(const std::vector<size_t>& places, HypothesisLists& results) {
    size_t next = 0;
    while (next < places.size() || !active_.empty()) {
      next = refill(places, next);
      step();
      retire(results);
    }
  }

 private:
  /// Encodes new sentences several at a time, since single ones are slow. Returns the next place.
  size_t refill(const std::vector<size_t>& places, size_t next) {
    const size_t wanted = std::min(batch_size_ - active_.size(), places.size() - next);
    const bool worth_it = active_.size() <= batch_size_ - batch_size_ / 4;
    if (wanted == 0 || !worth_it) return next;
    SourceSentences sentences;
    for (size_t i = 0; i < wanted; ++i) sentences.push_back(&sources_[places[next + i]]);
    auto memories = predictor_->encode(sentences);
    for (size_t i = 0; i < wanted; ++i) {
      const size_t index = places[next + i];
      const auto* constraints = constraints_of(constraint_list_, index);
      SentenceBeam beam(options_, memories[i]->length(), constraints);
      const uint64_t key = sampler_ ? sampling_key(options_.sampling->seed, *sentences[i]) : 0;
      std::vector<int32_t> candidates;
      if (options_.shortlist != nullptr) {
        candidates = lexical_candidates(*options_.shortlist, *sentences[i], constraints);
      }
      active_.push_back(
          {index, std::move(memories[i]), std::move(beam), key, std::move(candidates)});
    }
    return next + wanted;
  }

  void step() {
    rows_.clear();
    int64_t num_best_needed = 0;
    for (auto& sentence : active_) {
      const auto parents = std::move(sentence.rows);
      const auto first = static_cast<int64_t>(rows_.size());
      sentence.rows.clear();
      num_best_needed =
          std::max(num_best_needed, sampler_ ? 1 : chooser_.num_best_needed(sentence.beam));
      for (const auto& open : sentence.beam.open()) {
        const int64_t parent = parents.empty() ? int64_t{DecoderRow::kBeginning}
                                               : parents[static_cast<size_t>(open.parent)];
        sentence.rows.push_back(
            row_of(first, {sentence.source.get(), parent, open.token,
                           options_.shortlist == nullptr ? nullptr : &sentence.candidates}));
      }
    }
    if (only_greedy_) {
      predictor_->step_greedy(rows_);
    } else {
      predictor_->step(rows_, num_best_needed);
    }
    for (auto& sentence : active_) advance(sentence);
  }

  /// Adds a hypothesis to a sentence whose rows begin at `first`; returns its row. Equal samples
  /// share a row.
  int64_t row_of(int64_t first, const DecoderRow& row) {
    const auto end = static_cast<int64_t>(rows_.size());
    for (int64_t i = sampler_ ? first : end; i < end; ++i) {
      const auto& other = rows_[static_cast<size_t>(i)];
      if (other.parent == row.parent && other.token == row.token) return i;
    }
    rows_.push_back(row);
    return end;
  }

  void advance(ActiveSentence& sentence) {
    const auto& candidates = only_greedy_ ? likeliest(sentence)
                             : sampler_   ? draw(sentence)
                                          : choose(sentence);
    sentence.beam.advance(candidates, [&](int64_t parent) {
      if (!keeps_attention(options_)) return std::vector<float>();
      const float* weights = predictor_->attention(sentence.rows[static_cast<size_t>(parent)]);
      if (weights == nullptr) return std::vector<float>();
      return std::vector<float>(weights, weights + sentence.source->length());
    });
    // Once the result is certain, the open hypotheses are no longer part of it.
    if (options_.watch != nullptr && !sentence.beam.done()) {
      options_.watch(sentence.beam.tokens(sentence.beam.likeliest()));
    }
  }

  const std::vector<Candidate>& choose(const ActiveSentence& sentence) {
    const int64_t first = sentence.rows.front();
    return chooser_.choose(
        sentence.beam, &predictor_->top(first),
        [&](int64_t parent, int32_t token) { return predictor_->logit(first + parent, token); });
  }

  /// The continuation in greedy search.
  const std::vector<Candidate>& likeliest(const ActiveSentence& sentence) {
    const auto& [best, end_logit] = predictor_->likeliest(sentence.rows.front());
    const bool may_end = sentence.beam.ending() != Ending::kForbidden;
    const bool ends = may_end && end_logit >= best.logit;
    const int32_t chosen = ends ? kEosId : best.token;
    candidates_ = {{0, sentence.beam.forced_token().value_or(chosen), 0.0}};
    return candidates_;
  }

  /// One continuation of each open sample.
  const std::vector<Candidate>& draw(const ActiveSentence& sentence) {
    const auto row_after = [&](int64_t k) { return sentence.rows[static_cast<size_t>(k)]; };
    return sampler_->draw(
        sentence.beam, sentence.sampling_key,
        [&](int64_t k, float* row) { predictor_->copy_logits(row_after(k), row); },
        [&](int64_t k, int32_t token) {
          const double logit = predictor_->logit(row_after(k), token);
          return logit - predictor_->top(row_after(k)).log_denominator();
        });
  }

  void retire(HypothesisLists& results) {
    const auto done = [&](ActiveSentence& sentence) {
      if (!sentence.beam.done()) return false;
      results[sentence.index] = sentence.beam.best();
      return true;
    };
    active_.erase(std::remove_if(active_.begin(), active_.end(), done), active_.end());
  }

  const TokenLists& sources_;
  size_t batch_size_;
  const SearchOptions& options_;
  const ConstraintList& constraint_list_;
  std::unique_ptr<TokenPredictor> predictor_;
  CandidateChooser chooser_;
  bool only_greedy_;
  std::optional<TokenSampler> sampler_;
  std::vector<Candidate> candidates_;  // of greedy search
  std::vector<ActiveSentence> active_;
  std::vector<DecoderRow> rows_;
};

}  // namespace

HypothesisLists fused_search(const ModelEnsemble& models, const TokenLists& sources,
                             int64_t batch_size, const SearchOptions& options, ThreadTeam& team,
                             const ConstraintList& constraint_list) {
  // Many samples of few sentences fill a batch too.
  constexpr int64_t kMaxSamples = 1024;
  const int64_t sentences =
      options.sampling ? std::min(batch_size, 1 + kMaxSamples / options.n_best) : batch_size;
  HypothesisLists results(sources.size(), {Hypothesis{}});
  share_among_threads(longest_first_nonempty(sources), team, [&](const auto& share) {
    ThreadSearch search(models, sources, static_cast<size_t>(sentences), options, constraint_list);
    search.run(share, results);
  });
  return results;
}

}  // namespace nmt
