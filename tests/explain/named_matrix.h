#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include "explain/explanation.h"
#include "support/catch.h"

namespace nmt {

/// The matrix of that name, as a step shows it.
inline LabelledMatrix named_matrix(const Explanation& explanation, const std::string& name) {
  for (const auto& step : explanation.steps) {
    for (const auto& line : step.lines) {
      for (const auto& term : line) {
        if (term.matrix.name == name) return term.matrix;
      }
    }
  }
  throw std::logic_error("no step shows " + name);
}

/// Whether the picture has an arrow between the matrices of these names.
inline bool has_arrow(const Explanation& explanation, const std::string& from,
                      const std::string& to) {
  const auto& nodes = explanation.nodes;
  return std::any_of(explanation.arrows.begin(), explanation.arrows.end(), [&](const auto& arrow) {
    return nodes[arrow.from].matrix.name == from && nodes[arrow.to].matrix.name == to;
  });
}

inline void check_equal(const WorkedMatrix& found, const WorkedMatrix& expected) {
  REQUIRE(found.size() == expected.size());
  for (size_t row = 0; row < found.size(); ++row) {
    REQUIRE(found[row].size() == expected[row].size());
    for (size_t i = 0; i < found[row].size(); ++i) {
      INFO("row " << row << ", column " << i);
      CHECK(found[row][i] == Approx(expected[row][i]).margin(1e-12));
    }
  }
}

}  // namespace nmt
