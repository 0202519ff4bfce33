#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace nmt {

struct SampledPair {
  int64_t line = 0;  // from 1
  std::string source;
  std::string target;
};

/// Keeps every n-th of the offered pairs, where n is the smallest power of two that stays within
/// the capacity.
class PairSample {
 public:
  explicit PairSample(size_t capacity) : capacity_(capacity) {}

  void offer(int64_t line, const std::string& source, const std::string& target) {
    if (++offered_ % stride_ != 0) return;
    if (pairs_.size() == capacity_) {
      stride_ *= 2;
      const size_t kept = capacity_ / 2;
      for (size_t i = 0; i < kept; ++i) std::swap(pairs_[i], pairs_[2 * i + 1]);
      pairs_.resize(kept);
      if (offered_ % stride_ != 0) return;
    }
    pairs_.push_back({line, source, target});
  }

  std::vector<SampledPair>& pairs() { return pairs_; }

 private:
  size_t capacity_;
  int64_t offered_ = 0;
  int64_t stride_ = 1;
  std::vector<SampledPair> pairs_;
};

}  // namespace nmt
