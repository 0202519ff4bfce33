#include "attentions/step.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

namespace nmt {
namespace {

constexpr size_t kMaxShares = 5;
constexpr double kMinShare = 0.005;

}  // namespace

std::vector<Lookup> lookups(const WorkedMatrix& weights, const std::vector<std::string>& rows,
                            const std::vector<std::string>& columns) {
  std::vector<Lookup> found;
  for (size_t row = 0; row < weights.size(); ++row) {
    Lookup lookup{rows[row], {}};
    for (size_t i = 0; i < columns.size(); ++i) {
      if (weights[row][i] >= kMinShare) lookup.shares.push_back({columns[i], weights[row][i]});
    }
    std::stable_sort(lookup.shares.begin(), lookup.shares.end(),
                     [](const Share& a, const Share& b) { return a.weight > b.weight; });
    if (lookup.shares.size() > kMaxShares) lookup.shares.resize(kMaxShares);
    found.push_back(lookup);
  }
  return found;
}

bool rows_ask(const LabelledMatrix& matrix) {
  return !matrix.rows.empty() && matrix.role != Role::kKey && matrix.role != Role::kValue;
}

bool is_whole(const WorkedMatrix& matrix) {
  const auto whole = [](double value) { return std::isinf(value) || value == std::round(value); };
  return std::all_of(matrix.begin(), matrix.end(),
                     [&](const Row& row) { return std::all_of(row.begin(), row.end(), whole); });
}

std::string figure_text(double value, bool whole) {
  if (std::isinf(value)) return value < 0 ? "-∞" : "∞";
  const auto figure = fmt::format("{:.{}f}", value, whole ? 0 : 2);
  return figure == "-0" || figure == "-0.00" ? figure.substr(1) : figure;
}

std::string factor_text(double value, bool whole) {
  const auto text = figure_text(value, whole);
  return text.front() == '-' ? "(" + text + ")" : text;
}

std::string share_text(double weight) { return std::to_string(std::lround(100.0 * weight)) + " %"; }

}  // namespace nmt
