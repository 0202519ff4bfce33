#include "fused/copied_logits.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "kernels/log_space.h"
#include "kernels/logit_bounds.h"

namespace nmt {
namespace {

/// Inserts a token whose logit has risen, or moves it up; keeps the `count` best.
void raise(TokenLogit raised, size_t count, std::vector<TokenLogit>& best) {
  const auto is_it = [&](const TokenLogit& other) { return other.token == raised.token; };
  best.erase(std::remove_if(best.begin(), best.end(), is_it), best.end());
  const auto place = std::find_if(best.begin(), best.end(), [&](const TokenLogit& other) {
    return raised.logit != other.logit ? raised.logit > other.logit : raised.token < other.token;
  });
  best.insert(place, raised);
  if (best.size() > count) best.resize(count);
}

}  // namespace

void add_copied(const CopyGate& gate, const InferenceSession& session,
                const std::vector<DecoderRow>& rows, ConstMatrix attentional_hidden,
                int64_t num_best, StepLogits& logits, std::vector<TopTokens>& top) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    const float gamma =
        dot_product(gate.weight, attentional_hidden.row(row), attentional_hidden.columns) +
        gate.bias;
    const float log_denominator = top[i].log_denominator();
    const auto& source = rows[i].source->tokens;
    const float* weights = session.attention(row);
    std::map<int32_t, float> copied;  // c_v = Σ_i a_i of the source tokens x_i = v
    for (size_t k = 0; k < source.size(); ++k) copied[source[k]] += weights[k];
    for (const auto& [token, attention] : copied) {
      if (attention <= 0) continue;
      float& logit = logits.at(row, token);
      logit = log_add(logit, log_denominator - gamma + std::log(attention));
      raise({token, logit}, static_cast<size_t>(num_best), top[i].best);
    }
    top[i].set_denominator(log_denominator - log_sigmoid(gamma));
  }
}

}  // namespace nmt
