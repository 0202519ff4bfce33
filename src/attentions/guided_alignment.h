#pragma once

namespace nmt {

/// Guided alignment (nn/loss.h) has no gradient for attention weights a below this value: −A / a
/// might overflow.
constexpr float kLeastGuidedAttention = 1e-12F;

}  // namespace nmt
