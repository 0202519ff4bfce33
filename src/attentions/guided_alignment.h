#pragma once

namespace nmt {

/// Below this attention weight a, guided alignment (nn/loss.h) has no gradient: −A / a might
/// overflow.
constexpr float kLeastGuidedAttention = 1e-12F;

}  // namespace nmt
