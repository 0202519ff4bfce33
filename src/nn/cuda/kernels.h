#pragma once

#include "nn/cuda/operations.h"

namespace nmt {

/// The steps as kernels (kernels.cu), queued on a cudaStream_t, or run on the CPU, where tests
/// compare them with nn/ without a GPU.
template <bool on_gpu>
class StepKernels : public StepOperations {
 public:
  StepKernels(StepDtype number, void* stream) : number_(number), stream_(stream) {}

  void gru_forward(const GruStep<GruForward>& step) override;
  void gru_backward(const GruStep<GruBackward>& step) override;
  void attend_forward(const AttendForward& step) override;
  void attend_backward(const AttendBackward& step) override;
  void attentional_forward(const AttentionalForward& step) override;
  void attentional_backward(const AttentionalBackward& step) override;
  void loss_forward(const LogitLoss& loss) override;
  void loss_backward(const LogitLoss& loss) override;
  void find_best_tokens(const BestTokens& best) override;
  void extend_beams(const BeamExtension& beams) override;

 private:
  StepDtype number_;
  void* stream_;
};

}  // namespace nmt
