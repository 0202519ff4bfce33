#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/token_loss_row.cpp"
#include "kernels/token_loss_row.h"

#include <hwy/foreach_target.h>

#include <cmath>

#include "kernels/log_space.h"
#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

/// logits += bias; returns the largest.
HWY_INLINE float add_bias(float* logits, const float* bias, int64_t size) {
  return vector_largest(size, [&](auto d, int64_t i) HWY_ATTR {
    const auto sum = hn::Add(hn::LoadU(d, logits + i), hn::LoadU(d, bias + i));
    hn::StoreU(sum, d, logits + i);
    return sum;
  });
}

/// logits = e^(logits − largest); returns their sum.
HWY_INLINE float exponentiate(float* logits, float largest, int64_t size) {
  return vector_sum(size, [&](auto d, int64_t i) HWY_ATTR {
    const auto exponential = hn::Exp(d, hn::Sub(hn::LoadU(d, logits + i), hn::Set(d, largest)));
    hn::StoreU(exponential, d, logits + i);
    return exponential;
  });
}

/// Exponentials e_v of logits to the gradient scale e_v − spread.
HWY_INLINE void exponentials_to_gradient(float* values, float scale, float spread, int64_t size) {
  vector_loop(size, [&](auto d, int64_t i) HWY_ATTR {
    const auto gradient =
        hn::MulSub(hn::LoadU(d, values + i), hn::Set(d, scale), hn::Set(d, spread));
    hn::StoreU(gradient, d, values + i);
  });
}

float token_loss_row(float* logits, const float* bias, int64_t vocabulary_size, int64_t target,
                     TokenWeights weights) {
  const float largest = add_bias(logits, bias, vocabulary_size);
  const float target_logit = logits[target] - largest;
  const float sum = exponentiate(logits, largest, vocabulary_size);
  // d loss / d logit_v = (target + uniform) p(v) − target [v is the target] − uniform / V
  const float scale = (weights.target + weights.uniform) / sum;
  const float spread = weights.uniform / static_cast<float>(vocabulary_size);
  exponentials_to_gradient(logits, scale, spread, vocabulary_size);
  logits[target] -= weights.target;
  return std::log(sum) - target_logit;
}

float copying_loss_row(float* logits, const float* bias, int64_t vocabulary_size, int64_t target,
                       TokenWeights weights, const CopySource& source, float* copied,
                       CopyGradient& gradient) {
  const float largest = add_bias(logits, bias, vocabulary_size);
  const float target_logit = logits[target] - largest;
  const float sum = exponentiate(logits, largest, vocabulary_size);
  const float log_generates = log_sigmoid(source.gate);
  const float log_copies = log_sigmoid(-source.gate);
  const float generates = std::exp(log_generates);
  const float copies = std::exp(log_copies);
  for (int64_t i = 0; i < source.size; ++i) copied[source.tokens[i]] += source.attention[i];

  const float generated = log_generates + target_logit - std::log(sum);
  const float loss =
      copied[target] > 0 ? -log_add(generated, log_copies + std::log(copied[target])) : -generated;

  // With the weight w_v of −log P_v in the loss, and r_v = σ(γ) s_v / P_v, which is 1 where nothing
  // is copied:
  //   d loss / d c_v     = −w_v σ(−γ) / P_v
  //   d loss / d logit_v = s_v Σ_u w_u r_u − w_v r_v
  //   d loss / dγ        = −Σ_v w_v (r_v − σ(γ))
  const float spread = weights.uniform / static_cast<float>(vocabulary_size);
  const float all = weights.target + weights.uniform;  // Σ_v w_v
  constexpr float kMin = 1e-30F;                       // avoids division by a probability of 0
  for (int64_t i = 0; i < source.size; ++i) {
    const int64_t token = source.tokens[i];
    const float probability = generates * logits[token] / sum + copies * copied[token];
    const float weight = spread + (token == target ? weights.target : 0.0F);
    gradient.attention[i] = -weight * copies / HWY_MAX(probability, kMin);
  }
  // w_v (1 − r_v) = −c_v d loss / d c_v, which is the sum over the places of v.
  float by_copying = 0.0F;
  for (int64_t i = 0; i < source.size; ++i) {
    by_copying -= source.attention[i] * gradient.attention[i];
  }
  const float by_generating = all - by_copying;  // Σ_v w_v r_v
  gradient.gate = all * generates - by_generating;
  exponentials_to_gradient(logits, by_generating / sum, spread, vocabulary_size);
  logits[target] -= weights.target;
  for (int64_t i = 0; i < source.size; ++i) {
    logits[source.tokens[i]] -= source.attention[i] * gradient.attention[i];
    copied[source.tokens[i]] = 0.0F;
  }
  return loss;
}

/// Sums over the vocabulary for two rows of logits a and b, each minus its largest value.
struct PairSums {
  float p = 0.0F;      // Σ e^a
  float q = 0.0F;      // Σ e^b
  float p_gap = 0.0F;  // Σ e^a (a − b)
  float q_gap = 0.0F;  // Σ e^b (a − b)
};

HWY_INLINE PairSums pair_sums(const float* p, const float* q, float largest_p, float largest_q,
                              int64_t size) {
  PairSums sums;
  const auto add = [&](auto d, int64_t i) HWY_ATTR {
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    auto sum_p = hn::Zero(d), sum_q = hn::Zero(d), p_gap = hn::Zero(d), q_gap = hn::Zero(d);
    for (; i + lanes <= size; i += lanes) {
      const auto a = hn::Sub(hn::LoadU(d, p + i), hn::Set(d, largest_p));
      const auto b = hn::Sub(hn::LoadU(d, q + i), hn::Set(d, largest_q));
      const auto exp_a = hn::Exp(d, a), exp_b = hn::Exp(d, b), gap = hn::Sub(a, b);
      sum_p = hn::Add(sum_p, exp_a);
      sum_q = hn::Add(sum_q, exp_b);
      p_gap = hn::MulAdd(exp_a, gap, p_gap);
      q_gap = hn::MulAdd(exp_b, gap, q_gap);
    }
    sums.p += hn::GetLane(hn::SumOfLanes(d, sum_p));
    sums.q += hn::GetLane(hn::SumOfLanes(d, sum_q));
    sums.p_gap += hn::GetLane(hn::SumOfLanes(d, p_gap));
    sums.q_gap += hn::GetLane(hn::SumOfLanes(d, q_gap));
    return i;
  };
  const hn::CappedTag<float, 1> single;
  add(single, add(hn::ScalableTag<float>(), 0));
  return sums;
}

float token_loss_row_pair(float* p, float* q, const float* bias, int64_t vocabulary_size,
                          int64_t target, TokenWeights weights, float divergence) {
  const float largest_p = add_bias(p, bias, vocabulary_size);
  const float largest_q = add_bias(q, bias, vocabulary_size);
  const auto sums = pair_sums(p, q, largest_p, largest_q, vocabulary_size);
  const float log_p = p[target] - largest_p - std::log(sums.p);
  const float log_q = q[target] - largest_q - std::log(sums.q);
  // d (KL(P‖Q) + KL(Q‖P)) / d a_v = P_v (1 + log P_v − log Q_v − KL(P‖Q)) − Q_v
  //                       / d b_v = Q_v (1 + log Q_v − log P_v − KL(Q‖P)) − P_v
  // With log P_v − log Q_v = a_v − b_v − shift, KL(P‖Q) = Σ P_v (a_v − b_v) − shift: shift cancels.
  const float scale = weights.target + weights.uniform + divergence;
  const float scale_p = scale - divergence * sums.p_gap / sums.p;
  const float scale_q = scale + divergence * sums.q_gap / sums.q;
  const float spread = weights.uniform / static_cast<float>(vocabulary_size);
  vector_loop(vocabulary_size, [&](auto d, int64_t i) HWY_ATTR {
    const auto a = hn::Sub(hn::LoadU(d, p + i), hn::Set(d, largest_p));
    const auto b = hn::Sub(hn::LoadU(d, q + i), hn::Set(d, largest_q));
    const auto exp_a = hn::Mul(hn::Exp(d, a), hn::Set(d, 1.0F / sums.p));
    const auto exp_b = hn::Mul(hn::Exp(d, b), hn::Set(d, 1.0F / sums.q));
    const auto weight = hn::Set(d, divergence);
    const auto gap = hn::Mul(weight, hn::Sub(a, b));
    const auto others_p = hn::MulAdd(weight, exp_b, hn::Set(d, spread));
    const auto others_q = hn::MulAdd(weight, exp_a, hn::Set(d, spread));
    hn::StoreU(hn::MulSub(exp_a, hn::Add(hn::Set(d, scale_p), gap), others_p), d, p + i);
    hn::StoreU(hn::MulSub(exp_b, hn::Sub(hn::Set(d, scale_q), gap), others_q), d, q + i);
  });
  p[target] -= weights.target;
  q[target] -= weights.target;
  return -log_p - log_q;
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

NMT_KERNEL(float, token_loss_row,
           (float* logits, const float* bias, int64_t vocabulary_size, int64_t target,
            TokenWeights weights),
           (logits, bias, vocabulary_size, target, weights));
NMT_KERNEL(float, copying_loss_row,
           (float* logits, const float* bias, int64_t vocabulary_size, int64_t target,
            TokenWeights weights, const CopySource& source, float* copied, CopyGradient& gradient),
           (logits, bias, vocabulary_size, target, weights, source, copied, gradient));
NMT_KERNEL(float, token_loss_row_pair,
           (float* p, float* q, const float* bias, int64_t vocabulary_size, int64_t target,
            TokenWeights weights, float divergence),
           (p, q, bias, vocabulary_size, target, weights, divergence));

}  // namespace nmt
#endif
