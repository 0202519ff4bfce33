#include "config/suggest.h"

#include <algorithm>
#include <numeric>

namespace nmt {
namespace {

/// The edit distance, or a lower bound if the lengths differ by `limit` or more.
size_t edit_distance(const std::string& a, const std::string& b, size_t limit) {
  const size_t difference = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
  if (difference >= limit) return difference;
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substitution = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitution});
    }
  }
  return row[b.size()];
}

std::string without_section(const std::string& name) { return name.substr(name.find('.') + 1); }

// A wrong or missing section counts as one wrong letter.
size_t name_distance(const std::string& a, const std::string& b, size_t limit) {
  const size_t whole = edit_distance(a, b, limit);
  if (a.find('.') == std::string::npos && b.find('.') == std::string::npos) return whole;
  return std::min(whole, edit_distance(without_section(a), without_section(b), limit) + 1);
}

}  // namespace

std::string nearest_name(const std::string& unknown, const std::vector<std::string>& known) {
  std::string nearest;
  size_t best = std::max<size_t>(2, without_section(unknown).size() / 2) + 1;
  for (const auto& name : known) {
    const size_t distance = name_distance(unknown, name, best);
    if (distance < best) {
      best = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string suggestion(const std::string& unknown, const std::vector<std::string>& known) {
  const auto nearest = nearest_name(unknown, known);
  return nearest.empty() ? "" : " (did you mean " + nearest + "?)";
}

}  // namespace nmt
