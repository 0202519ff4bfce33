// That training on NMT_TEST_DEVICE follows training on the CPU.

#include <vector>

#include "support/test_device.h"
#include "train/small_model.h"
#include "train/steps/training_step.h"

namespace nmt {
namespace {

/// The loss of a token before each of 100 updates in float32.
std::vector<double> loss_curve(const torch::Device& device, Architecture architecture) {
  TrainConfig config;
  config.engine = TrainingEngine::kPlain;
  config.label_smoothing = 0.1;
  auto model = small_model(/*dropout=*/0.0, TiedEmbeddings::kNone, architecture);
  model->to(device);
  model->train();
  const auto step = make_training_step(model, config, device, 1);
  const auto batch = odd_batch().to(device);
  const auto tokens = static_cast<double>(batch.num_target_tokens);
  std::vector<double> losses;
  for (int update = 0; update < 100; ++update) {
    losses.push_back(double{step->accumulate_gradient(batch, 1.0 / tokens)} / tokens);
    step->update(1e-3);
  }
  return losses;
}

}  // namespace

TEST_CASE("100 updates on a GPU have the loss curve of the CPU", "[train][devices]") {
  if (test_device().is_cpu()) SKIP("NMT_TEST_DEVICE is the CPU");
  for (const auto architecture : {Architecture::kRecurrent, Architecture::kTransformer}) {
    INFO(choice_name(architecture));
    const auto expected = loss_curve(torch::kCPU, architecture);
    const auto found = loss_curve(test_device(), architecture);
    CHECK(expected.back() < 0.9 * expected.front());
    for (size_t i = 0; i < expected.size(); ++i) {
      INFO("update " << i + 1);
      CHECK(found[i] == Approx(expected[i]).epsilon(1e-3));
    }
  }
}

}  // namespace nmt
