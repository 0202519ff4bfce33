#include "train/objectives/batch_loss.h"
#include "train/objectives/objective.h"

namespace nmt {
namespace {

/// The cross-entropy of nn/loss.h with the tokens before y_t given: teacher forcing.
class Likelihood : public Objective {
 public:
  explicit Likelihood(double label_smoothing) : label_smoothing_(label_smoothing) {}

  TokenLoss loss(Seq2Seq& model, const Batch& batch) override {
    return batch_loss(model, batch, label_smoothing_);
  }

 private:
  double label_smoothing_;
};

}  // namespace

std::unique_ptr<Objective> make_likelihood(const TrainConfig& config) {
  return std::make_unique<Likelihood>(config.label_smoothing);
}

}  // namespace nmt
