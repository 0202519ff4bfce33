#pragma once

#include <ATen/ATen.h>

#include <cmath>
#include <vector>

#include "decode/stepper.h"
#include "nn/seq2seq.h"
#include "support/torch_catch.h"
#include "text/special_tokens.h"

namespace nmt {

/// A "model" whose next-token probabilities are any function of the tokens so far and the source's
/// first token. Attention, where S > 1, looks at position (number of tokens so far) mod S.
class ScriptedStepper : public Stepper {
 public:
  using Script = std::vector<double> (*)(int64_t source, const std::vector<int64_t>& prefix);

  explicit ScriptedStepper(Script script) : script_(script) {}

  void start(const torch::Tensor& source, const torch::Tensor&) override {
    width_ = source.size(1);
    rows_.clear();
    for (int64_t i = 0; i < source.size(0); ++i)
      rows_.push_back({source[i][0].item<int64_t>(), {}});
  }

  StepperOutput advance(const torch::Tensor& tokens) override {
    std::vector<torch::Tensor> log_probabilities;
    auto attention = torch::zeros({tokens.size(0), width_});
    for (size_t i = 0; i < rows_.size(); ++i) {
      const auto row = static_cast<int64_t>(i);
      rows_[i].prefix.push_back(tokens[row].item<int64_t>());
      log_probabilities.push_back(
          torch::tensor(script_(rows_[i].source, rows_[i].prefix), torch::kDouble).log());
      attention[row][static_cast<int64_t>(rows_[i].prefix.size() - 1) % width_] = 1.0;
    }
    ++steps_;
    return {torch::stack(log_probabilities), attention};
  }

  void select(const torch::Tensor& rows, const torch::Tensor&) override {
    std::vector<Row> selected;
    for (int64_t i = 0; i < rows.size(0); ++i) {
      selected.push_back(rows_[static_cast<size_t>(rows[i].item<int64_t>())]);
    }
    rows_ = std::move(selected);
  }

  torch::Device device() const override { return torch::kCPU; }
  int64_t steps() const { return steps_; }

 private:
  struct Row {
    int64_t source;
    std::vector<int64_t> prefix;  // from BOS on
  };
  Script script_;
  int64_t width_ = 1;
  int64_t steps_ = 0;
  std::vector<Row> rows_;
};

/// Probabilities over {pad, unknown, BOS, EOS, a, b} that differ for every source and prefix but
/// are a function of them alone.
inline std::vector<double> pseudo_random_script(int64_t source,
                                                const std::vector<int64_t>& prefix) {
  uint64_t state = 1469598103934665603ULL + static_cast<uint64_t>(source);
  for (const int64_t token : prefix)
    state = (state ^ static_cast<uint64_t>(token + 7)) * 1099511628211ULL;
  std::vector<double> p(6);
  double sum = 0.0;
  for (auto& value : p) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    value = 0.05 + static_cast<double>(state >> 40) / static_cast<double>(1ULL << 24);
    sum += value;
  }
  for (auto& value : p) value /= sum;
  return p;
}

}  // namespace nmt
