#include "train/training_step.h"

#include "kernels/bfloat16.h"
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
    return std::make_unique<PlainStep>(model, config, device, device.is_cpu() ? threads : 1);
  }
  if (config.precision == "float16") {
    throw Error("train.precision: float16 is for CUDA; on a CPU use bfloat16 or float32");
  }
  if (config.precision == "bfloat16" && !has_bfloat16_products()) {
    throw Error(
        "train.precision: bfloat16 needs a processor with AVX512-BF16 and a build with oneDNN "
        "(nmt info says what there is); use float32");
  }
  return std::make_unique<FusedStep>(model, config, threads);
}

}  // namespace nmt
