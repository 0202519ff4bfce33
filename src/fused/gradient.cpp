#include "fused/gradient.h"

#include <algorithm>
#include <utility>

#include "fused/generator_loss.h"
#include "fused/language_network.h"
#include "fused/recurrent_network.h"
#include "fused/transformer_network.h"
#include "kernels/matrix_product.h"

namespace nmt {
namespace {

std::unique_ptr<FusedNetwork> make_fused_network(const FusedOptions& options,
                                                 const ParameterTable& parameters) {
  if (options.model.architecture == Architecture::kLanguageModel) {
    return std::make_unique<LanguageNetwork>(options.model, parameters);
  }
  if (options.model.architecture == Architecture::kTransformer) {
    return std::make_unique<TransformerNetwork>(options.model, parameters);
  }
  return std::make_unique<RecurrentNetwork>(options.model, parameters);
}

}  // namespace

/// Loss and gradient of a model for one share of a batch: the same function of the same parameters
/// as the plain engine (nn/seq2seq.h), which is the reference. In this order:
///
///   network->forward(), loss.begin()
///   loss.log_probabilities()    where the weights of the loss depend on them
///   loss.run_block(0 …)         after each: sum `gradients`, then clear them
///   network->backward_decoder() likewise
///   network->backward_encoder() likewise
///
/// The ShareModels of a FusedGradient share the parameters and run concurrently, one thread each:
/// only sum_weight_gradients() writes to shared memory.
struct FusedGradient::ShareModel {
  ShareModel(const FusedOptions& options, const ParameterTable& parameters)
      : network(make_fused_network(options, parameters)),
        loss(parameters),
        gradients(options.precision) {}

  std::unique_ptr<FusedNetwork> network;
  FusedGeneratorLoss loss;
  WeightGradients gradients;
};

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
    models_.push_back(std::make_unique<ShareModel>(options, parameters_));
  }
}

FusedGradient::~FusedGradient() = default;

void FusedGradient::forward(const std::vector<PackedBatch>& shares,
                            const std::vector<Dropout>& dropouts) {
  num_shares_ = shares.size();
  team_.run([&](int member) {
    compute_products_alone();
    copies_.refresh(member, team_.size());
  });
  for_each_share([&](auto& model, size_t i) {
    const auto states = model.network->forward(shares[i], dropouts[i]);
    model.loss.begin(states, shares[i], model.network->attention());
  });
}

std::vector<std::vector<double>> FusedGradient::log_probabilities() {
  std::vector<std::vector<double>> result(num_shares_);
  for_each_share([&](auto& model, size_t i) { result[i] = model.loss.log_probabilities(); });
  return result;
}

double FusedGradient::backward(const Complete& complete, double divergence) {
  std::vector<double> losses(num_shares_);
  int64_t blocks = 0;
  for (size_t i = 0; i < num_shares_; ++i) {
    blocks = std::max(blocks, models_[i]->loss.num_blocks());
  }
  for (int64_t block = 0; block < blocks; ++block) {
    for_each_share([&](auto& model, size_t i) {
      losses[i] +=
          model.loss.run_block(block, blocks, static_cast<float>(divergence), model.gradients);
    });
    sum_weight_gradients();
  }
  complete(GradientPart::kOutputLayer);
  run_backward([](ShareModel& model) {
    return model.network->backward_decoder(model.loss.states_gradient(), model.gradients);
  });
  complete(GradientPart::kDecoder);
  run_backward([](ShareModel& model) { return model.network->backward_encoder(model.gradients); });
  complete(GradientPart::kEncoder);

  double sum = 0.0;
  for (const double loss : losses) sum += loss;
  return sum;
}

void FusedGradient::for_each_share(const std::function<void(ShareModel&, size_t)>& task) {
  team_.run([&](int member) {
    const auto share = static_cast<size_t>(member);
    if (share < num_shares_) task(*models_[share], share);
  });
}

/// Runs a pass part by part; all shares have the same number of parts.
void FusedGradient::run_backward(const std::function<bool(ShareModel&)>& pass) {
  bool has_more = num_shares_ > 0;
  while (has_more) {
    for_each_share([&](auto& model, size_t i) {
      const bool more = pass(model);
      if (i == 0) has_more = more;
    });
    sum_weight_gradients();
  }
}

void FusedGradient::sum_weight_gradients() {
  team_.run([&](int member) {
    for (const auto& model : models_) model->gradients.sum_part(member, team_.size());
  });
  for (const auto& model : models_) model->gradients.clear();
}

}  // namespace nmt
