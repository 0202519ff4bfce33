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

/// Every n-th of the pairs offered, n as small as the capacity allows.
class PairSample {
 public:
  explicit PairSample(size_t capacity) : capacity_(capacity) {}

  void offer(int64_t line, const std::string& source, const std::string& target) {
    if (line % stride_ != 0) return;
    if (pairs_.size() == capacity_) {
      stride_ *= 2;
      size_t kept = 0;
      for (auto& pair : pairs_) {
        if (pair.line % stride_ == 0) std::swap(pairs_[kept++], pair);
      }
      pairs_.resize(kept);
      if (line % stride_ != 0) return;
    }
    pairs_.push_back({line, source, target});
  }

  std::vector<SampledPair>& pairs() { return pairs_; }

 private:
  size_t capacity_;
  int64_t stride_ = 1;
  std::vector<SampledPair> pairs_;
};

}  // namespace nmt
