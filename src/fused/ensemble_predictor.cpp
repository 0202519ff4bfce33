#include "fused/ensemble_predictor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/elementwise.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

/// What each member reads of one source.
struct EnsembleMemory : SourceMemory {
  using SourceMemory::SourceMemory;
  std::vector<std::unique_ptr<SourceMemory>> members;
};

}  // namespace

EnsemblePredictor::EnsemblePredictor(const ModelEnsemble& models)
    : num_translators_(models.members.size()),
      language_model_weight_(models.language_model_weight),
      no_bias_(static_cast<size_t>(PackedOutputLayer::kBlockTokens)) {
  const auto add = [&](const InferenceModel* model, double log_weight) {
    members_.push_back({model, log_weight, model->make_session(), {}, {}});
  };
  for (size_t m = 0; m < models.members.size(); ++m) {
    add(models.members[m], std::log(models.weights[m]));
  }
  if (models.language_model != nullptr) add(models.language_model, 0.0);
}

std::vector<std::unique_ptr<SourceMemory>> EnsemblePredictor::encode(
    const std::vector<const std::vector<int32_t>*>& sentences) {
  std::vector<std::unique_ptr<SourceMemory>> memories;
  for (const auto* sentence : sentences) {
    memories.push_back(std::make_unique<EnsembleMemory>(static_cast<int64_t>(sentence->size())));
  }
  for (const auto& member : members_) {
    auto encoded = member.session->encode(sentences);
    for (size_t i = 0; i < memories.size(); ++i) {
      static_cast<EnsembleMemory&>(*memories[i]).members.push_back(std::move(encoded[i]));
    }
  }
  return memories;
}

void EnsemblePredictor::step(const std::vector<DecoderRow>& rows, int64_t num_best) {
  rows_ = rows;
  for (size_t m = 0; m < members_.size(); ++m) {
    own_rows_ = rows;
    for (auto& row : own_rows_) {
      row.source = static_cast<const EnsembleMemory&>(*row.source).members[m].get();
    }
    predict(members_[m], own_rows_);
  }
  mix(num_best);
  average_attention();
}

/// Logits and their denominators.
void EnsemblePredictor::predict(Member& member, const std::vector<DecoderRow>& rows) {
  const auto& output = member.model->output_layer();
  const auto attentional_hidden = member.session->advance(rows);  // [N, H]
  member.logits.take(output.vocabulary_size(), attentional_hidden.rows);
  member.top.resize(rows.size());
  for (auto& top : member.top) top.clear();
  int64_t first = 0;
  for (size_t block = 0; block < output.blocks().size(); ++block) {
    const auto logits = block_of(member.logits, block);
    output.blocks()[block].multiply(attentional_hidden, logits);
    for (int64_t row = 0; row < logits.rows; ++row) {
      add_to_top(logits.row(row), output.bias() + first, logits.columns,
                 static_cast<int32_t>(first), 1, member.top[static_cast<size_t>(row)]);
    }
    first += logits.columns;
  }
}

/// Replaces the first member's logits.
void EnsemblePredictor::mix(int64_t num_best) {
  top_.resize(rows_.size());
  for (auto& top : top_) top.clear();
  mixed_.resize(num_translators_);
  int64_t first = 0;
  for (size_t block = 0; block < output_of(0).blocks().size(); ++block) {
    const auto logits = block_of(members_.front().logits, block);
    for (int64_t row = 0; row < logits.rows; ++row) {
      const auto at = static_cast<size_t>(row);
      for (size_t m = 0; m < num_translators_; ++m) {
        const auto& member = members_[m];
        mixed_[m] = {
            block_of(member.logits, block).row(row),
            static_cast<float>(member.log_weight - double{member.top[at].log_denominator()})};
      }
      log_mixture(mixed_.data(), mixed_.size(), logits.columns, logits.row(row));
      if (has_language_model()) {
        const auto& member = members_.back();
        add_scaled({block_of(member.logits, block).row(row), -member.top[at].log_denominator()},
                   static_cast<float>(language_model_weight_), logits.columns, logits.row(row));
      }
      add_to_top(logits.row(row), no_bias_.data(), logits.columns, static_cast<int32_t>(first),
                 num_best, top_[at]);
    }
    first += logits.columns;
  }
  for (auto& top : top_) top.set_final();
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
      const float* weights = member.session->attention(row);
      if (weights == nullptr) continue;
      attending += 1.0F;
      for (int64_t i = 0; i < length; ++i) sum[i] += weights[i];
    }
    if (attending == 0.0F) return;
    for (int64_t i = 0; i < length; ++i) sum[i] /= attending;
  }
}

const float* EnsemblePredictor::attention(int64_t row) const {
  const bool attends = std::any_of(members_.begin(), members_.end(), [&](const auto& member) {
    return member.session->attention(row) != nullptr;
  });
  return attends ? attention_.matrix().row(row) : nullptr;
}

float EnsemblePredictor::logit(int64_t row, int32_t token) const {
  constexpr int64_t kBlock = PackedOutputLayer::kBlockTokens;
  const auto block = static_cast<size_t>(token / kBlock);
  return block_of(members_.front().logits, block).row(row)[token % kBlock];
}

void EnsemblePredictor::copy_logits(int64_t row, float* logits) const {
  for (size_t block = 0; block < output_of(0).blocks().size(); ++block) {
    const auto from = block_of(members_.front().logits, block);
    logits = std::copy_n(from.row(row), from.columns, logits);
  }
}

void EnsemblePredictor::exclude(const std::vector<int64_t>& tokens) {
  excluded_ = tokens;
  excluded_.push_back(kEosId);
}

void EnsemblePredictor::step_greedy(const std::vector<DecoderRow>& rows) {
  step(rows, 1 + static_cast<int64_t>(excluded_.size()));
}

TokenPredictor::Likeliest EnsemblePredictor::likeliest(int64_t row) const {
  TokenLogit best{kEosId, -std::numeric_limits<float>::infinity()};
  for (const auto& candidate : top(row).best) {
    if (std::find(excluded_.begin(), excluded_.end(), candidate.token) != excluded_.end()) continue;
    best = candidate;
    break;
  }
  return {best, logit(row, kEosId)};
}

Matrix EnsemblePredictor::block_of(const Buffer& logits, size_t block) const {
  const auto& all = logits.matrix();
  const int64_t first = static_cast<int64_t>(block) * PackedOutputLayer::kBlockTokens;
  return {all.row(first), all.columns, output_of(0).blocks()[block].outputs()};
}

}  // namespace nmt
