#pragma once

namespace nmt {

/// Attention from which on guided alignment (nn/loss.h) has a gradient, −A / a: of less it might
/// overflow.
constexpr float kLeastGuidedAttention = 1e-12F;

}  // namespace nmt
