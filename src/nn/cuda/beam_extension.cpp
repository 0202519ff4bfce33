#include "nn/cuda/beam_extension.h"

#include <c10/util/Exception.h>

#include "nn/cuda/device_operations.h"

namespace nmt {

void extend_beams(const torch::Tensor& found, const torch::Tensor& excluded, int64_t width,
                  const DeviceHypotheses& hypotheses) {
  const int64_t rows = found.size(1);
  TORCH_CHECK(rows % width == 0 && hypotheses.totals.size(0) == rows, "rows of no whole beams");
  BeamExtension beams;
  beams.sentences = rows / width;
  beams.width = width;
  beams.count = found.size(2) - 1;
  beams.stride = found.size(2);
  beams.best_tokens = found.data_ptr<int32_t>();
  beams.log_probabilities = reinterpret_cast<const float*>(beams.best_tokens + rows * beams.stride);
  beams.excluded = excluded.data_ptr<int64_t>();
  beams.num_excluded = excluded.numel();
  beams.totals = hypotheses.totals.data_ptr<double>();
  beams.rows = hypotheses.rows.data_ptr<int64_t>();
  beams.tokens = hypotheses.tokens.data_ptr<int64_t>();
  make_step_operations(found.device(), StepDtype::kFloat32)->extend_beams(beams);
}

}  // namespace nmt
