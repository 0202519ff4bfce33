#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fused/inference_model.h"
#include "kernels/top_tokens.h"

namespace nmt {

/// The models that search predicts tokens with. Converts from a single model, which must outlive
/// it.
struct ModelEnsemble {
  ModelEnsemble() = default;
  ModelEnsemble(const InferenceModel& model) : members{&model} {}  // NOLINT: converts on purpose

  std::vector<const InferenceModel*> members;  // of any architectures, with the same vocabularies
  std::vector<double> weights = {1.0};         // of each member; they sum to 1
  const InferenceModel* language_model = nullptr;  // for shallow fusion; may be null
  double language_model_weight = 0.0;              // at least 0
};

/// Next tokens of hypotheses, for one thread. The log-probability of a token is
/// logit(row, token) − top(row).log_denominator(). In a row with candidates, all other tokens have
/// the logit −∞, in each model of an ensemble and in the language model.
class TokenPredictor {
 public:
  virtual ~TokenPredictor() = default;

  virtual SourceMemories encode(const SourceSentences& sentences) = 0;

  /// Takes a step and finds the `num_best` likeliest next tokens of each row, or as many as it has
  /// candidates. The accessors below refer to the last step.
  virtual void step(const std::vector<DecoderRow>& rows, int64_t num_best) = 0;
  /// The results of consecutive rows are adjacent in memory.
  virtual const TopTokens& top(int64_t row) const = 0;
  virtual float logit(int64_t row, int32_t token) const = 0;

  /// Writes all logits of a row to `logits` [V].
  virtual void copy_logits(int64_t row, float* logits) const = 0;

  /// Excludes tokens from the following calls of step_greedy().
  virtual void exclude(const std::vector<int64_t>& tokens);

  /// Takes a step and finds only the likeliest token of each row, not its probability, which may be
  /// faster; here it is a step() for enough tokens.
  virtual void step_greedy(const std::vector<DecoderRow>& rows);

  /// Result of step_greedy().
  struct Likeliest {
    TokenLogit best;         // other than EOS
    float end_logit = 0.0F;  // of EOS
  };
  virtual Likeliest likeliest(int64_t row) const;

  /// One weight for each source token; null if no model has attention.
  virtual const float* attention(int64_t row) const = 0;

  virtual int64_t vocabulary_size() const = 0;

 protected:
  std::vector<int64_t> excluded_;  // includes EOS, which has its own logit: it may be forbidden
};

std::unique_ptr<TokenPredictor> make_token_predictor(const ModelEnsemble& models);

}  // namespace nmt
