#include "train/training_step.h"

#include "support/error.h"
#include "train/fused_step.h"
#include "train/plain_step.h"

namespace nmt {

std::unique_ptr<TrainingStep> make_training_step(const Seq2Seq& model, const TrainConfig& config,
                                                 const torch::Device& device, int threads) {
  if (config.engine == "fused" && !device.is_cpu()) {
    throw Error("train.engine: fused computes on the CPU only; with train.device " + config.device +
                " set it to auto or plain");
  }
  if (config.engine == "plain" || !device.is_cpu()) {
    return std::make_unique<PlainStep>(model, config, device.is_cpu() ? threads : 1);
  }
  return std::make_unique<FusedStep>(model, config, threads);
}

}  // namespace nmt
