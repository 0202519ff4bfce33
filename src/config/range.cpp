#include "config/range.h"

#include <cmath>

#include "numbers/parse.h"

namespace nmt {
namespace {

/// Whole numbers without an exponent.
std::string bound_text(double value) {
  const bool whole = std::abs(value) < 1e15 && value == std::floor(value);
  return whole ? std::to_string(static_cast<long long>(value)) : shortest_text(value);
}

}  // namespace

std::string Range::text() const {
  const bool bounded_below = !std::isinf(least);
  const bool bounded_above = !std::isinf(most);
  if (bounded_below && bounded_above && !above && !below) {
    return "from " + bound_text(least) + " to " + bound_text(most);
  }
  const auto lower = bounded_below ? (above ? "above " : "at least ") + bound_text(least) : "";
  const auto upper = bounded_above ? (below ? "below " : "at most ") + bound_text(most) : "";
  return lower + (bounded_below && bounded_above ? " and " : "") + upper;
}

}  // namespace nmt
