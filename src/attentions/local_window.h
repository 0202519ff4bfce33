#pragma once

namespace nmt {

/// D of local attention: a query sees the words at most D from its position p_t.
/// 10 in Luong, Pham and Manning 2015, section 4.1.
constexpr int kLocalHalfWidth = 10;

/// σ = D / 2 of the Gaussian around p_t (section 3.2).
constexpr double kLocalDeviation = kLocalHalfWidth / 2.0;

}  // namespace nmt
