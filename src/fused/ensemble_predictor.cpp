#include "fused/ensemble_predictor.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/softmax_row.h"

namespace nmt {
namespace {

/// What each member reads of one source.
struct EnsembleMemory : SourceMemory {
  using SourceMemory::SourceMemory;
  SourceMemories members;
};

/// Best first, equal ones in the vocabulary's order.
void sort_tokens(std::vector<TokenLogit>& tokens) {
  std::sort(tokens.begin(), tokens.end(), [](const auto& a, const auto& b) {
    return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
  });
}

}  // namespace

EnsemblePredictor::EnsemblePredictor(const ModelEnsemble& models)
    : output_(models.members.front()->output_layer()),
      num_translators_(models.members.size()),
      language_model_weight_(static_cast<float>(models.language_model_weight)),
      no_bias_(static_cast<size_t>(PackedOutputLayer::kBlockTokens)) {
  const auto add = [&](const InferenceModel* model, double log_weight) {
    members_.push_back({ModelPredictor(*model), log_weight});
  };
  for (size_t m = 0; m < models.members.size(); ++m) {
    add(models.members[m], std::log(models.weights[m]));
  }
  if (models.language_model != nullptr) add(models.language_model, 0.0);
}

SourceMemories EnsemblePredictor::encode(const SourceSentences& sentences) {
  SourceMemories memories;
  memories.reserve(sentences.size());
  for (const auto* sentence : sentences) {
    memories.push_back(std::make_unique<EnsembleMemory>(static_cast<int64_t>(sentence->size())));
  }
  for (auto& member : members_) {
    auto encoded = member.predictor.encode(sentences);
    for (size_t i = 0; i < memories.size(); ++i) {
      static_cast<EnsembleMemory&>(*memories[i]).members.push_back(std::move(encoded[i]));
    }
  }
  return memories;
}

void EnsemblePredictor::step(const std::vector<DecoderRow>& rows, int64_t num_best) {
  rows_ = rows;
  constexpr int64_t kMore = 4;  // nearly always enough to find the best of all
  const int64_t of_each = std::min(num_best + kMore, vocabulary_size());
  for (size_t m = 0; m < members_.size(); ++m) {
    own_rows_ = rows;
    for (auto& row : own_rows_) {
      row.source = static_cast<const EnsembleMemory&>(*row.source).members[m].get();
    }
    auto& [predictor, log_weight, shifts] = members_[m];
    predictor.step(own_rows_, of_each);
    shifts.resize(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const float denominator = predictor.top(static_cast<int64_t>(i)).log_denominator();
      shifts[i] = static_cast<float>(log_weight - double{denominator});
    }
  }
  top_.resize(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    if (!find_best_among_lists(row, num_best)) find_best_of_all(row, num_best);
    top_[i].set_denominator(0.0F);  // search ranks by the logits as they are
  }
  average_attention();
}

template <typename LogitOf>
float EnsemblePredictor::mixed_logit(int64_t row, LogitOf&& logit_of) const {
  const auto term = [&](const Member& member) {
    return logit_of(member) + member.shifts[static_cast<size_t>(row)];
  };
  float largest = term(members_.front());
  for (size_t m = 1; m < num_translators_; ++m) largest = std::max(largest, term(members_[m]));
  float mixed = largest;
  if (num_translators_ > 1) {
    float sum = 0.0F;
    for (size_t m = 0; m < num_translators_; ++m) {
      const float difference = term(members_[m]) - largest;
      sum += difference == 0.0F ? 1.0F : std::exp(difference);
    }
    mixed += std::log(sum);
  }
  return has_language_model() ? mixed + language_model_weight_ * term(members_.back()) : mixed;
}

/// Finds the best tokens among the members' lists; returns whether no other token can belong to
/// them. A token on no list has at most the last logit of each list (the threshold algorithm of
/// Fagin, Lotem and Naor 2003, section 4).
bool EnsemblePredictor::find_best_among_lists(int64_t row, int64_t num_best) {
  const auto at = static_cast<size_t>(row);
  auto& best = top_[at].best;
  best.clear();
  for (const auto& own : members_) {
    for (const auto& on_list : own.predictor.top(row).best) {
      const int32_t listed = on_list.token;
      const float known = on_list.logit;
      const auto is_same = [&](const TokenLogit& other) { return other.token == listed; };
      if (std::any_of(best.begin(), best.end(), is_same)) continue;
      best.push_back({listed, mixed_logit(row, [&](const Member& member) {
                        return &member == &own ? known : member.predictor.logit(row, listed);
                      })});
    }
  }
  sort_tokens(best);
  const auto wanted = static_cast<size_t>(num_best);
  const auto* allowed = candidates(row);
  const auto possible =
      allowed == nullptr ? static_cast<size_t>(vocabulary_size()) : allowed->size();
  if (best.size() == possible) {
    best.resize(std::min(best.size(), wanted));
    return true;
  }
  constexpr float kRounding = 1e-5F;
  const float others = mixed_logit(
      row, [&](const Member& member) { return member.predictor.top(row).best.back().logit; });
  if (best.size() < wanted || best[wanted - 1].logit <= others + kRounding) return false;
  best.resize(wanted);
  return true;
}

void EnsemblePredictor::find_best_of_all(int64_t row, int64_t num_best) {
  auto& top = top_[static_cast<size_t>(row)];
  top.clear();
  row_.resize(static_cast<size_t>(vocabulary_size()));
  copy_logits(row, row_.data());
  int64_t first = 0;
  for (const auto& block : output_.blocks()) {
    add_to_top(row_.data() + first, no_bias_.data(), block.outputs(), static_cast<int32_t>(first),
               num_best, top);
    first += block.outputs();
  }
  for (auto& token : top.best) token.logit = logit(row, token.token);
  sort_tokens(top.best);
}

void EnsemblePredictor::average_attention() {
  int64_t longest = 0;
  for (const auto& row : rows_) longest = std::max(longest, row.source->length());
  const auto sums = attention_.take_zeros(static_cast<int64_t>(rows_.size()), longest);
  for (int64_t row = 0; row < sums.rows; ++row) {
    const int64_t length = rows_[static_cast<size_t>(row)].source->length();
    float* sum = sums.row(row);
    float attending = 0.0F;
    for (const auto& member : members_) {
      const float* weights = member.predictor.attention(row);
      if (weights == nullptr) continue;
      attending += 1.0F;
      for (int64_t i = 0; i < length; ++i) sum[i] += weights[i];
    }
    attends_ = attending > 0.0F;
    if (!attends_) return;
    for (int64_t i = 0; i < length; ++i) sum[i] /= attending;
  }
}

const float* EnsemblePredictor::attention(int64_t row) const {
  return attends_ ? attention_.matrix().row(row) : nullptr;
}

float EnsemblePredictor::logit(int64_t row, int32_t token) const {
  const auto* allowed = candidates(row);
  if (allowed != nullptr && !std::binary_search(allowed->begin(), allowed->end(), token)) {
    return kMinusInfinity;
  }
  return mixed_logit(row, [&](const Member& member) { return member.predictor.logit(row, token); });
}

void EnsemblePredictor::copy_logits(int64_t row, float* logits) const {
  if (const auto* allowed = candidates(row)) {
    std::fill_n(logits, vocabulary_size(), kMinusInfinity);
    for (const int32_t token : *allowed) logits[token] = logit(row, token);
    return;
  }
  std::vector<MixedLogits> mixed(num_translators_);
  for (size_t block = 0; block < output_.blocks().size(); ++block) {
    const auto of = [&](const Member& member) -> MixedLogits {
      return {member.predictor.logits(block).row(row), member.shifts[static_cast<size_t>(row)]};
    };
    for (size_t m = 0; m < num_translators_; ++m) mixed[m] = of(members_[m]);
    const int64_t size = output_.blocks()[block].outputs();
    log_mixture(mixed.data(), mixed.size(), size, logits);
    if (has_language_model()) {
      add_scaled(of(members_.back()), language_model_weight_, size, logits);
    }
    logits += size;
  }
}

}  // namespace nmt
