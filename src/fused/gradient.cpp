#include "fused/gradient.h"

#include <algorithm>
#include <utility>

#include "kernels/matrix_product.h"

namespace nmt {

GradientPart gradient_part_of(const std::string& parameter) {
  const auto begins_with = [&](const char* prefix) { return parameter.rfind(prefix, 0) == 0; };
  if (begins_with("generator.")) return GradientPart::kOutputLayer;
  const bool of_encoder = begins_with("encoder.") || begins_with("emb_src.") ||
                          begins_with("norm_src.") || begins_with("bridge.");
  return of_encoder ? GradientPart::kEncoder : GradientPart::kDecoder;
}

FusedGradient::FusedGradient(const FusedOptions& options, ParameterTable parameters,
                             ThreadTeam& team)
    : options_(options),
      parameters_(std::move(parameters)),
      team_(team),
      copies_(options.precision, parameters_) {
  for (int member = 0; member < team.size(); ++member) {
    models_.push_back(std::make_unique<FusedSeq2Seq>(options, parameters_));
  }
}

void FusedGradient::forward(const std::vector<PackedBatch>& shares,
                            const std::vector<Dropout>& dropouts) {
  num_shares_ = shares.size();
  team_.run([&](int member) {
    compute_products_alone();
    copies_.refresh(member, team_.size());
  });
  for_each_share([&](auto& model, size_t i) { model.forward(shares[i], dropouts[i]); });
}

std::vector<std::vector<double>> FusedGradient::log_probabilities() {
  std::vector<std::vector<double>> result(num_shares_);
  for_each_share([&](auto& model, size_t i) { result[i] = model.log_probabilities(); });
  return result;
}

double FusedGradient::backward(const Complete& complete, double divergence) {
  std::vector<double> losses(num_shares_);
  int64_t blocks = 0;
  for (size_t i = 0; i < num_shares_; ++i) {
    blocks = std::max(blocks, models_[i]->num_loss_blocks());
  }
  for (int64_t block = 0; block < blocks; ++block) {
    for_each_share([&](auto& model, size_t i) {
      losses[i] += model.run_loss_block(block, blocks, static_cast<float>(divergence));
    });
    sum_weight_gradients();
  }
  complete(GradientPart::kOutputLayer);
  run_backward(&FusedSeq2Seq::backward_decoder);
  complete(GradientPart::kDecoder);
  run_backward(&FusedSeq2Seq::backward_encoder);
  complete(GradientPart::kEncoder);

  double sum = 0.0;
  for (const double loss : losses) sum += loss;
  return sum;
}

void FusedGradient::for_each_share(const std::function<void(FusedSeq2Seq&, size_t)>& task) {
  team_.run([&](int member) {
    const auto share = static_cast<size_t>(member);
    if (share < num_shares_) task(*models_[share], share);
  });
}

/// A pass part by part; every share has as many parts.
void FusedGradient::run_backward(bool (FusedSeq2Seq::*pass)()) {
  bool has_more = num_shares_ > 0;
  while (has_more) {
    for_each_share([&](auto& model, size_t i) {
      const bool more = (model.*pass)();
      if (i == 0) has_more = more;
    });
    sum_weight_gradients();
  }
}

void FusedGradient::sum_weight_gradients() {
  team_.run([&](int member) {
    for (const auto& model : models_) model->weight_gradients().sum_part(member, team_.size());
  });
  for (const auto& model : models_) model->weight_gradients().clear();
}

}  // namespace nmt
