#include "decode/fused_search.h"

#include <algorithm>
#include <memory>

#include "decode/sentence_beam.h"
#include "fused/inference_decoder.h"
#include "fused/inference_encoder.h"
#include "kernels/matrix_product.h"

namespace nmt {
namespace {

/// A sentence in the batch.
struct ActiveSentence {
  size_t index = 0;  // among all sources
  std::unique_ptr<SourceMemory> source;
  SentenceBeam beam;
  int64_t first_row = DecoderRow::kBeginning;  // of its rows in the last step
};

/// The search of one thread.
class ThreadSearch {
 public:
  using Results = std::vector<std::vector<Hypothesis>>;

  ThreadSearch(const InferenceModel& model, const std::vector<std::vector<int32_t>>& sources,
               size_t batch_size, const SearchOptions& options)
      : sources_(sources),
        batch_size_(batch_size),
        options_(options),
        // Tokens that are not allowed may be among the best.
        num_best_(2 * options.beam_size + static_cast<int64_t>(options.suppressed_tokens.size()) +
                  1),
        encoder_(model),
        decoder_(model) {}

  /// Translates the sources at `places`, in that order.
  void run(const std::vector<size_t>& places, Results& results) {
    size_t next = 0;
    while (next < places.size() || !active_.empty()) {
      next = refill(places, next);
      step();
      retire(results);
    }
  }

 private:
  /// New sentences are encoded some at a time: one alone is slow. Returns the next place.
  size_t refill(const std::vector<size_t>& places, size_t next) {
    const size_t wanted = std::min(batch_size_ - active_.size(), places.size() - next);
    const bool worth_it = active_.size() <= batch_size_ - batch_size_ / 4;
    if (wanted == 0 || !worth_it) return next;
    std::vector<const std::vector<int32_t>*> sentences;
    for (size_t i = 0; i < wanted; ++i) sentences.push_back(&sources_[places[next + i]]);
    auto memories = encoder_.encode(sentences);
    for (size_t i = 0; i < wanted; ++i) {
      SentenceBeam beam(options_, memories[i]->length());
      active_.push_back({places[next + i], std::move(memories[i]), std::move(beam)});
    }
    return next + wanted;
  }

  void step() {
    rows_.clear();
    std::vector<int64_t> first_rows;
    for (const auto& sentence : active_) {
      first_rows.push_back(static_cast<int64_t>(rows_.size()));
      for (const auto& open : sentence.beam.open()) {
        const bool begins = sentence.first_row == DecoderRow::kBeginning;
        rows_.push_back({sentence.source.get(),
                         begins ? DecoderRow::kBeginning : sentence.first_row + open.beam,
                         open.token});
      }
    }
    decoder_.step(rows_, num_best_);
    for (size_t i = 0; i < active_.size(); ++i) {
      auto& sentence = active_[i];
      sentence.first_row = first_rows[i];
      collect_candidates(sentence);
      sentence.beam.advance(candidates_, [&](int64_t beam) {
        if (!options_.attention) return std::vector<float>();
        const float* weights = decoder_.attention(sentence.first_row + beam);
        return std::vector<float>(weights, weights + sentence.source->length());
      });
    }
  }

  /// The 2K best continuations of a sentence, best first: among them K that do not end, since a
  /// hypothesis ends in one way only.
  void collect_candidates(const ActiveSentence& sentence) {
    candidates_.clear();
    for (const auto& open : sentence.beam.open()) add_candidates(sentence, open);
    const auto better = [](const Candidate& a, const Candidate& b) { return a.total > b.total; };
    std::stable_sort(candidates_.begin(), candidates_.end(), better);
    const auto wanted = static_cast<size_t>(2 * options_.beam_size);
    if (candidates_.size() > wanted) candidates_.resize(wanted);
  }

  void add_candidates(const ActiveSentence& sentence, const OpenHypothesis& open) {
    const int64_t beam = &open - sentence.beam.open().data();
    const int64_t row = sentence.first_row + beam;
    const auto& top = decoder_.top(row);
    const double base = open.log_probability - double{top.log_denominator()};
    const auto ending = sentence.beam.ending();
    if (ending == Ending::kForced) {
      candidates_.push_back({beam, kEosId, base + double{decoder_.logit(row, kEosId)}});
      return;
    }
    for (const auto& [token, logit] : top.best) {
      if (is_suppressed(token) || (token == kEosId && ending == Ending::kForbidden)) continue;
      candidates_.push_back({beam, token, base + double{logit}});
    }
  }

  bool is_suppressed(int32_t token) const {
    const auto& tokens = options_.suppressed_tokens;
    return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
  }

  void retire(Results& results) {
    const auto done = [&](ActiveSentence& sentence) {
      if (!sentence.beam.done()) return false;
      results[sentence.index] = sentence.beam.best();
      return true;
    };
    active_.erase(std::remove_if(active_.begin(), active_.end(), done), active_.end());
  }

  const std::vector<std::vector<int32_t>>& sources_;
  size_t batch_size_;
  const SearchOptions& options_;
  int64_t num_best_;
  InferenceEncoder encoder_;
  InferenceDecoder decoder_;
  std::vector<ActiveSentence> active_;
  std::vector<DecoderRow> rows_;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<std::vector<Hypothesis>> fused_search(const InferenceModel& model,
                                                  const std::vector<std::vector<int32_t>>& sources,
                                                  int64_t batch_size, const SearchOptions& options,
                                                  ThreadTeam& team) {
  ThreadSearch::Results results(sources.size(), {Hypothesis{}});
  std::vector<size_t> order;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (!sources[i].empty()) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return sources[a].size() > sources[b].size(); });
  // Dealt out one by one: every thread gets as many long ones, and always the same ones.
  std::vector<std::vector<size_t>> shares(static_cast<size_t>(team.size()));
  for (size_t i = 0; i < order.size(); ++i) shares[i % shares.size()].push_back(order[i]);
  team.run([&](int member) {
    compute_products_alone();
    const auto& share = shares[static_cast<size_t>(member)];
    if (share.empty()) return;
    ThreadSearch search(model, sources, static_cast<size_t>(batch_size), options);
    search.run(share, results);
  });
  return results;
}

}  // namespace nmt
