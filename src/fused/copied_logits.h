#pragma once

#include <cstdint>
#include <vector>

#include "fused/inference_model.h"
#include "fused/step_logits.h"
#include "kernels/top_tokens.h"

namespace nmt {

/// Copying (nn/generator.h) in search. With log Z the denominator of the softmax,
///
///   P_v = σ(γ) e^(z_v − log Z) + σ(−γ) c_v = e^(z'_v − log Z')
///   log Z' = log Z − log σ(γ)      z'_v = log(e^z_v + c_v e^(log Z − γ))
///
/// so copying raises the logits of source tokens and leaves all others unchanged.
///
/// Adds copying to the session's last step: attentional_hidden is its h̃ [N, H], `logits` are its
/// logits, and `top` are the best of these; both are updated.
void add_copied(const CopyGate& gate, const InferenceSession& session,
                const std::vector<DecoderRow>& rows, ConstMatrix attentional_hidden,
                int64_t num_best, StepLogits& logits, std::vector<TopTokens>& top);

}  // namespace nmt
