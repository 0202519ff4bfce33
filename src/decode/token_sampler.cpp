#include "decode/token_sampler.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "kernels/softmax_row.h"
#include "numbers/random.h"

namespace nmt {
namespace {

constexpr size_t kBlock = 256;  // values summed at once

double total_of(const std::vector<float>& values) {
  double total = 0.0;
  for (size_t first = 0; first < values.size(); first += kBlock) {
    const size_t count = std::min(kBlock, values.size() - first);
    total += double{sum_of(values.data() + first, static_cast<int64_t>(count))};
  }
  return total;
}

/// The first token up to which the weights exceed `share` of their total.
int32_t token_at(const std::vector<float>& weights, double share) {
  const double target = share * total_of(weights);
  double sum = 0.0;
  int32_t last = kEosId;  // with a weight
  for (size_t first = 0; first < weights.size(); first += kBlock) {
    const size_t count = std::min(kBlock, weights.size() - first);
    const double block = double{sum_of(weights.data() + first, static_cast<int64_t>(count))};
    const bool is_last = first + count == weights.size();
    if (sum + block > target || is_last) {
      for (size_t i = first; i < first + count; ++i) {
        if (!(weights[i] > 0.0F)) continue;
        last = static_cast<int32_t>(i);
        sum += double{weights[i]};
        if (sum > target) break;
      }
      return last;
    }
    sum += block;
  }
  return last;
}

/// The random number in [0, 1) for one step of one sample.
double sampling_uniform(uint64_t key, int64_t sample, int64_t step) {
  const uint64_t of_sample = Random(key, static_cast<uint64_t>(sample)).next();
  const uint64_t bits = Random(of_sample, static_cast<uint64_t>(step)).next();
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace

uint64_t sampling_key(uint64_t seed, const std::vector<int32_t>& source) {
  uint64_t key = seed;
  for (const int32_t token : source) key = Random(key, static_cast<uint64_t>(token)).next();
  return key;
}

const std::vector<Candidate>& TokenSampler::draw(
    const SentenceBeam& beam, uint64_t key,
    const std::function<void(int64_t k, float* row)>& copy_logits,
    const std::function<double(int64_t k, int32_t token)>& log_probability) {
  candidates_.clear();
  for (const auto& open : beam.open()) {
    const auto k = static_cast<int64_t>(candidates_.size());
    copy_logits(k, row_.data());
    const int32_t token =
        draw_token(beam.ending(), sampling_uniform(key, open.group, beam.length()));
    candidates_.push_back({k, token, open.log_probability + log_probability(k, token)});
  }
  return candidates_;
}

/// The token at `uniform`, in [0, 1), of the cumulative distribution of the logits in row_, which
/// it overwrites; EOS if nothing is allowed.
int32_t TokenSampler::draw_token(Ending ending, double uniform) {
  if (ending == Ending::kForced) return kEosId;
  exclude(ending);
  const auto size = static_cast<int64_t>(row_.size());
  const float largest = largest_value(row_.data(), size);
  if (!(largest > -std::numeric_limits<float>::infinity())) return kEosId;
  exp_in_place(row_.data(), size, largest,
               static_cast<float>(1.0 / options_.sampling->temperature));
  keep_top_k();
  keep_top_p();
  return token_at(row_, uniform);
}

void TokenSampler::exclude(Ending ending) {
  const auto shut_out = [&](int64_t token) {
    const auto place = static_cast<size_t>(token);
    if (place < row_.size()) row_[place] = -std::numeric_limits<float>::infinity();
  };
  for (const int64_t token : options_.suppressed_tokens) shut_out(token);
  if (ending == Ending::kForbidden) shut_out(kEosId);
}

/// Keeps the k likeliest tokens, and those that equal the last of them.
void TokenSampler::keep_top_k() {
  const int64_t top_k = options_.sampling->top_k;
  if (top_k <= 0 || top_k >= static_cast<int64_t>(row_.size())) return;
  sorted_ = row_;
  const auto last = sorted_.begin() + top_k - 1;
  std::nth_element(sorted_.begin(), last, sorted_.end(), std::greater<float>());
  for (float& weight : row_) weight = weight < *last ? 0.0F : weight;
}

/// Keeps the smallest set of likeliest tokens whose probability reaches top_p (Holtzman et al.
/// 2020).
void TokenSampler::keep_top_p() {
  const double top_p = options_.sampling->top_p;
  if (top_p >= 1.0) return;
  const double total = total_of(row_);
  // All tokens below this together have less than 1 − top_p: none is among those kept.
  const double least = (1.0 - top_p) * total / static_cast<double>(row_.size());
  likeliest_.clear();
  for (size_t i = 0; i < row_.size(); ++i) {
    if (double{row_[i]} >= least) likeliest_.emplace_back(row_[i], static_cast<int32_t>(i));
  }
  std::sort(likeliest_.begin(), likeliest_.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::fill(row_.begin(), row_.end(), 0.0F);
  double sum = 0.0;
  for (const auto& [weight, token] : likeliest_) {
    row_[static_cast<size_t>(token)] = weight;
    sum += double{weight};
    if (sum >= top_p * total) break;
  }
}

}  // namespace nmt
