// That models compute on NMT_TEST_DEVICE what they compute on the CPU.

#include <ATen/ATen.h>

#include "nn/device.h"
#include "nn/every_kind.h"
#include "nn/loss.h"
#include "nn/some_sentences.h"
#include "support/expect_error.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

/// Log-probabilities of teacher forcing, a second step of three hypotheses a sentence, and the
/// gradients, on the CPU.
std::vector<torch::Tensor> computed_on(const torch::Device& device, const Seq2SeqOptions& options) {
  auto model = seeded(options, /*training=*/true);
  model->to(device);
  const auto source = kSource().to(device);
  const auto log_p =
      model->log_probabilities(model->force(source, kLengths(), kTargetInput().to(device)), source);
  const auto targets = torch::tensor({5, 6, 3, 7, 8, 3}).to(device);
  token_loss(log_p.flatten(0, 1), targets, 0.1).objective.backward();
  const auto encoded = model->encode(source, kLengths());
  auto state = model->start(encoded);
  model->step(torch::tensor({2, 2}).to(device), state, encoded.memory);
  state.select(torch::tensor({0, 0, 0, 1, 1, 1}).to(device));
  const auto step =
      model->step(torch::tensor({3, 4, 5, 8, 9, 10}).to(device), state, encoded.memory);
  std::vector<torch::Tensor> computed = {log_p.cpu(), step.attentional_hidden.cpu()};
  for (const auto& parameter : unique_parameters(*model)) {
    if (parameter.grad().defined()) computed.push_back(parameter.grad().cpu());
  }
  return computed;
}

}  // namespace

TEST_CASE("A GPU is found by its number", "[nn]") {
  CHECK(find_device("cpu", 0) == torch::kCPU);
  CHECK(find_device("cuda", 2) == torch::kCUDA);
  CHECK(find_device("cuda:1", 2) == torch::Device(torch::kCUDA, 1));
  for (const std::string name : {"cuda:2", "cuda:128", "cuda:256", "cuda:257"}) {
    CHECK(error_of([&] { find_device(name, 2); }) ==
          "device '" + name + "': not found; the last is cuda:1");
  }
  for (const std::string name :
       {"cuda:", "cuda:-1", "cuda:1x", "cuda1", "gpu", "cuda:5000000000"}) {
    CHECK(error_of([&] { find_device(name, 2); }) ==
          "device '" + name + "': unknown; use cpu, cuda or cuda:N");
  }
}

TEST_CASE("Every kind computes on a GPU what it computes on the CPU", "[nn][devices]") {
  if (test_device().is_cpu()) SKIP("NMT_TEST_DEVICE is the CPU");
  for (const auto& [name, options] : every_kind()) {
    INFO(name);
    const auto expected = computed_on(torch::kCPU, options);
    const auto found = computed_on(test_device(), options);
    REQUIRE(found.size() == expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      CHECK(torch::allclose(found[i], expected[i], 1e-3, 1e-5));
    }
  }
}

}  // namespace nmt
