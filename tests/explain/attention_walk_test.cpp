#include <cmath>
#include <limits>
#include <numeric>

#include "explain/named_matrix.h"
#include "explain/walks.h"

namespace nmt {
namespace {

const WorkedMatrix kInputs = {{1, 0, 1, 0}, {0, 2, 0, 2}, {1, 1, 1, 1}};
const WorkedMatrix kValues = {{1, 2, 3}, {2, 8, 0}, {2, 6, 3}};

/// The weights a, b and c of three rows, one after the other: Σ_i w_i v_i / Σ_i w_i.
Row mixture(const Row& weights, const WorkedMatrix& values) {
  const double sum = weights[0] + weights[1] + weights[2];
  Row result;
  for (size_t i = 0; i < values[0].size(); ++i) {
    result.push_back(
        (weights[0] * values[0][i] + weights[1] * values[1][i] + weights[2] * values[2][i]) / sum);
  }
  return result;
}

WorkedMatrix values_of(const Explanation& explanation, const std::string& name) {
  return named_matrix(explanation, name).values;
}

}  // namespace

TEST_CASE("Scaled dot-product attention gives the numbers worked by hand", "[explain]") {
  const auto walk = walk_attention(scaled_dot_attention(), example_input());
  CHECK(values_of(walk, "X") == kInputs);
  CHECK(values_of(walk, "W_query") == WorkedMatrix{{1, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 1, 1}});
  CHECK(values_of(walk, "W_key") == WorkedMatrix{{0, 0, 1}, {1, 1, 0}, {0, 1, 0}, {1, 1, 0}});
  CHECK(values_of(walk, "W_value") == WorkedMatrix{{0, 2, 0}, {0, 3, 0}, {1, 0, 3}, {1, 1, 0}});
  CHECK(values_of(walk, "Q") == WorkedMatrix{{1, 0, 2}, {2, 2, 2}, {2, 1, 3}});
  CHECK(values_of(walk, "K") == WorkedMatrix{{0, 1, 1}, {4, 4, 0}, {2, 3, 1}});
  CHECK(values_of(walk, "V") == kValues);
  CHECK(values_of(walk, "S") == WorkedMatrix{{2, 4, 4}, {4, 16, 12}, {4, 12, 10}});
  // e^2 : e^4 : e^4 is 1 : e^2 : e^2, and so on.
  check_equal(values_of(walk, "Z(d_k=1)"), {mixture({1, std::exp(2), std::exp(2)}, kValues),
                                            mixture({1, std::exp(12), std::exp(8)}, kValues),
                                            mixture({1, std::exp(8), std::exp(6)}, kValues)});
  const double root = std::sqrt(3);
  check_equal(values_of(walk, "Z"),
              {mixture({1, std::exp(2 / root), std::exp(2 / root)}, kValues),
               mixture({1, std::exp(12 / root), std::exp(8 / root)}, kValues),
               mixture({1, std::exp(8 / root), std::exp(6 / root)}, kValues)});
}

TEST_CASE("Dot attention scores the states themselves", "[explain]") {
  const auto walk = walk_attention(dot_attention(), example_input());
  CHECK(values_of(walk, "S") == WorkedMatrix{{2, 0, 2}, {0, 8, 4}, {2, 4, 4}});
  check_equal(values_of(walk, "Z"), {mixture({std::exp(2), 1, std::exp(2)}, kInputs),
                                     mixture({1, std::exp(8), std::exp(4)}, kInputs),
                                     mixture({1, std::exp(2), std::exp(2)}, kInputs)});
}

TEST_CASE("General attention turns the question by one matrix", "[explain]") {
  const auto walk = walk_attention(general_attention(), example_input());
  CHECK(values_of(walk, "Q") == WorkedMatrix{{1, 1, 1, 1}, {2, 2, 0, 0}, {2, 2, 1, 1}});
  CHECK(values_of(walk, "S") == WorkedMatrix{{2, 4, 4}, {2, 4, 4}, {3, 6, 6}});
  check_equal(values_of(walk, "Z"), {mixture({1, std::exp(2), std::exp(2)}, kInputs),
                                     mixture({1, std::exp(2), std::exp(2)}, kInputs),
                                     mixture({1, std::exp(3), std::exp(3)}, kInputs)});
}

TEST_CASE("Additive attention scores sums through tanh", "[explain]") {
  const auto walk = walk_attention(additive_attention(), example_input());
  CHECK(values_of(walk, "Q") == WorkedMatrix{{0, 1, -1}, {0, 0, 2}, {0, 1, 0}});
  CHECK(values_of(walk, "K") == WorkedMatrix{{1, -1, -1}, {-2, 2, 2}, {0, 0, 0}});
  const double t1 = std::tanh(1), t2 = std::tanh(2), t3 = std::tanh(3), t4 = std::tanh(4);
  const WorkedMatrix scores = {{2 * t1 - 3 * t2, 3 * t1 - 2 * t2 + t3, -2 * t1},
                               {4 * t1, 3 * t4 - t2, 3 * t2},
                               {-t1, t2 + t3, t1}};
  check_equal(values_of(walk, "S"), scores);
  WorkedMatrix expected;
  for (const auto& row : scores) {
    expected.push_back(mixture({std::exp(row[0]), std::exp(row[1]), std::exp(row[2])}, kInputs));
  }
  check_equal(values_of(walk, "Z"), expected);
}

TEST_CASE("Each of several heads asks on its own, and W_O mixes what they found", "[explain]") {
  const auto walk = walk_attention(multi_head_attention(), example_input());
  const WorkedMatrix first_values = {{2, 1}, {0, 4}, {2, 3}};
  const WorkedMatrix second_values = {{2, 0}, {2, 4}, {3, 2}};
  const WorkedMatrix first_scores = {{0, 8, 4}, {8, 0, 8}, {4, 8, 8}};
  const WorkedMatrix second_scores = {{0, 2, 1}, {2, 8, 6}, {1, 6, 4}};
  CHECK(values_of(walk, "V₁") == first_values);
  CHECK(values_of(walk, "V₂") == second_values);
  CHECK(values_of(walk, "S₁") == first_scores);
  CHECK(values_of(walk, "S₂") == second_scores);
  WorkedMatrix expected;
  for (size_t t = 0; t < 3; ++t) {
    const auto share = [](double score) { return std::exp(score / std::sqrt(2)); };
    const auto& a = first_scores[t];
    const auto& b = second_scores[t];
    const auto first = mixture({share(a[0]), share(a[1]), share(a[2])}, first_values);
    const auto second = mixture({share(b[0]), share(b[1]), share(b[2])}, second_values);
    expected.push_back({first[0] + second[0], first[1] + second[1], first[0], first[1]});
  }
  check_equal(values_of(walk, "Y"), expected);
}

TEST_CASE("Location attention scores positions, whatever their words", "[explain]") {
  const auto walk = walk_attention(location_attention(), example_input());
  CHECK(values_of(walk, "W_a") == WorkedMatrix{{1, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 2, 0}});
  CHECK(values_of(walk, "S") == WorkedMatrix{{1, 0, 2}, {2, 2, 0}, {2, 1, 2}});
  const double e = std::exp(1);
  check_equal(values_of(walk, "Z"),
              {mixture({e, 1, e * e}, kInputs), mixture({e * e, e * e, 1}, kInputs),
               mixture({e, 1, e}, kInputs)});
}

TEST_CASE("Monotonic attention sees words near that of the step", "[explain]") {
  const auto walk = walk_attention(local_m_attention(), example_input());
  CHECK(values_of(walk, "p") == WorkedMatrix{{1}, {2}, {3}});
  constexpr double kHidden = -std::numeric_limits<double>::infinity();
  CHECK(values_of(walk, "M") == WorkedMatrix{{2, 4, kHidden}, {2, 4, 4}, {kHidden, 6, 6}});
  const double square = std::exp(2);
  check_equal(values_of(walk, "Z"),
              {mixture({1, square, 0}, kInputs), mixture({1, square, square}, kInputs),
               mixture({0, 1, 1}, kInputs)});
}

TEST_CASE("Local attention sees words near a predicted position", "[explain]") {
  const auto walk = walk_attention(local_p_attention(), example_input());
  const WorkedMatrix scores = {{2, 4, 4}, {2, 4, 4}, {3, 6, 6}};  // those of general attention
  CHECK(values_of(walk, "S") == scores);
  // X W_p is (1, 0), (0, −2) and (1, −1); v = (1, 2).
  const auto position = [](double sum) { return 3 / (1 + std::exp(-sum)); };
  const double first = position(std::tanh(1)), second = position(-2 * std::tanh(2)),
               third = position(-std::tanh(1));
  check_equal(values_of(walk, "p"), {{first}, {second}, {third}});
  // p is 2.04, 0.38 and 0.95: only the first word sees the third, at most 2 away.
  constexpr double kHidden = -std::numeric_limits<double>::infinity();
  CHECK(values_of(walk, "M") == WorkedMatrix{{2, 4, 4}, {2, 4, kHidden}, {3, 6, kHidden}});
  const auto softmax_of = [](double a, double b, double c) {
    const double sum = a + b + c;
    return Row{a / sum, b / sum, c / sum};
  };
  WorkedMatrix weights = {softmax_of(1, std::exp(2), std::exp(2)), softmax_of(1, std::exp(2), 0),
                          softmax_of(1, std::exp(3), 0)};
  check_equal(values_of(walk, "A"), weights);
  const Row positions = {first, second, third};
  WorkedMatrix mixtures(3, Row(4, 0.0));
  for (size_t t = 0; t < 3; ++t) {
    for (size_t i = 0; i < 3; ++i) {
      const double distance = static_cast<double>(i + 1) - positions[t];
      weights[t][i] *= std::exp(-distance * distance / 2);  // σ = 1
      for (size_t n = 0; n < 4; ++n) mixtures[t][n] += weights[t][i] * kInputs[i][n];
    }
  }
  check_equal(values_of(walk, "A′"), weights);
  check_equal(values_of(walk, "Z"), mixtures);
}

TEST_CASE("Without attention the last word answers everybody", "[explain]") {
  const auto walk = walk_attention(none_attention(), example_input());
  CHECK(values_of(walk, "Z") == WorkedMatrix{{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}});
}

TEST_CASE("Weights are shares of one in every kind, for words of any sentence", "[explain]") {
  const auto input = sentence_input("나는 어제 책을 the the 🙂 \xFF <b>&amp;</b>");
  for (const auto* kind : attention_kinds()) {
    const auto walk = walk_attention(*kind, input);
    for (const auto& node : walk.nodes) {
      if (node.matrix.role != Role::kWeights) continue;
      INFO(kind->name << " " << node.matrix.name);
      for (const auto& row : node.matrix.values) {
        const double sum = std::accumulate(row.begin(), row.end(), 0.0);
        if (kind->is_softmax) {
          CHECK(sum == Approx(1));
        } else {
          CHECK(sum > 0);
          CHECK(sum < 1 + 1e-9);
        }
      }
    }
  }
}

TEST_CASE("One word attends to itself", "[explain]") {
  const auto input = sentence_input("책");
  for (const auto* kind : attention_kinds()) {
    const auto walk = walk_attention(*kind, input);
    CHECK(walk.nodes.front().matrix.rows == std::vector<std::string>{"책"});
    CHECK_FALSE(walk.steps.back().title.korean.empty());
  }
}

TEST_CASE("Everything that is said is said in both languages", "[explain]") {
  for (const auto* kind : attention_kinds()) {
    const auto walk = walk_attention(*kind, example_input());
    std::vector<Text> texts = {walk.title, walk.introduction, walk.about};
    for (const auto& step : walk.steps) texts.insert(texts.end(), {step.title, step.text});
    for (const auto& node : walk.nodes) texts.push_back(node.caption);
    for (const auto& text : texts) {
      INFO(text.english);
      CHECK_FALSE(text.english.empty());
      CHECK_FALSE(text.korean.empty());
      CHECK(text.english != text.korean);
    }
  }
}

}  // namespace nmt
