#include "explain/model_gradient.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <set>
#include <string>

#include "checkpoint/model.h"
#include "data/batch.h"

namespace nmt {
namespace {

constexpr size_t kMaxChecked = 24;

/// The indices, such as "[3, 17]" and counted from 0 as in PyTorch, of the element at `place` in
/// row-major order.
std::string indices_text(const torch::Tensor& tensor, int64_t place) {
  std::string text;
  for (int64_t axis = tensor.dim(); axis-- > 0; place /= tensor.size(axis)) {
    text.insert(0, std::to_string(place % tensor.size(axis)) + (text.empty() ? "" : ", "));
  }
  return "[" + text + "]";
}

}  // namespace

ModelGradients measure_gradients(const StoredModel& model, const std::vector<int32_t>& source,
                                 const std::vector<int32_t>& target) {
  auto network = make_network(model, torch::kCPU);
  network->to(torch::kDouble);
  const auto batch = make_batch({source}, {target});
  const auto loss_of = [&] {
    const auto steps = network->force(batch.source, batch.source_lengths, batch.target_input);
    const auto log_probabilities = network->log_probabilities(steps, batch.source);  // [1, T, V]
    return -log_probabilities.gather(2, batch.target_output.unsqueeze(2)).sum();
  };
  const auto loss = loss_of();
  loss.backward();
  ModelGradients result;
  result.loss = loss.item<double>();
  result.num_tokens = batch.num_target_tokens;
  const at::NoGradGuard no_gradients;
  std::vector<torch::Tensor> parameters;
  std::set<void*> seen;  // tied parameters have several names
  for (const auto& item : network->named_parameters()) {
    const auto& parameter = item.value();
    if (!seen.insert(parameter.data_ptr()).second) continue;
    if (!parameter.grad().defined()) continue;
    parameters.push_back(parameter);
    result.parameters.push_back(
        {item.key(), parameter.sizes().vec(), parameter.grad().norm().item<double>()});
  }
  const size_t count = std::min(kMaxChecked, parameters.size());
  for (size_t i = 0; i < count; ++i) {
    const size_t at = i * parameters.size() / count;
    const auto gradient = parameters[at].grad().reshape(-1);
    const auto place = gradient.abs().argmax().item<int64_t>();
    auto element = parameters[at].view(-1)[place];
    const double original = element.item<double>();
    const auto loss_at = [&](double value) {
      element.fill_(value);
      return loss_of().item<double>();
    };
    result.checked.push_back({result.parameters[at].name + indices_text(parameters[at], place),
                              gradient[place].item<double>(),
                              finite_difference(loss_at, original)});
    element.fill_(original);
  }
  return result;
}

}  // namespace nmt
