#include <cmath>
#include <limits>

#include "attentions/equations.h"
#include "explain/named_matrix.h"

namespace nmt {

TEST_CASE("Matrices are multiplied, turned and joined as on paper", "[explain]") {
  const WorkedMatrix a = {{1, 2}, {3, 4}, {5, 6}};
  check_equal(product(a, {{1, 0, 2}, {0, 1, -1}}), {{1, 2, 0}, {3, 4, 2}, {5, 6, 4}});
  check_equal(transposed(a), {{1, 3, 5}, {2, 4, 6}});
  check_equal(side_by_side({a, {{7}, {8}, {9}}}), {{1, 2, 7}, {3, 4, 8}, {5, 6, 9}});
}

TEST_CASE("Scores follow their equations, also where fewer ask than are asked", "[explain]") {
  const WorkedMatrix queries = {{1, 2}};
  const WorkedMatrix keys = {{3, 1}, {0, -1}, {2, 2}};
  check_equal(dot_scores(queries, keys), {{5, -2, 6}});
  // [1 2] W = [4 1]
  check_equal(dot_scores(product(queries, {{0, 1}, {2, 0}}), keys), {{13, -1, 10}});
  check_equal(additive_scores(queries, keys, {1, -2}),
              {{std::tanh(4) - 2 * std::tanh(3), std::tanh(1) - 2 * std::tanh(1),
                std::tanh(3) - 2 * std::tanh(4)}});
  check_equal(scaled({{4, -2}}, 2), {{2, -1}});
  check_equal(last_alone(2, 3), {{0, 0, 1}, {0, 0, 1}});
}

TEST_CASE("Softmax gives what the exponentials give, however large the scores", "[explain]") {
  const double sum = std::exp(1) + std::exp(2) + std::exp(4);
  const WorkedMatrix expected = {{std::exp(1) / sum, std::exp(2) / sum, std::exp(4) / sum}};
  check_equal(softmax({{1, 2, 4}}), expected);
  check_equal(softmax({{100001, 100002, 100004}}), expected);
  check_equal(softmax({{-100001}}), {{1}});
}

TEST_CASE("What is masked has no share, and the others share all", "[explain]") {
  const WorkedMatrix scores = {{3, 1, 2}, {3, 1, 2}};
  const Mask padding = {{true, false, false}, {false, false, true}};
  const auto hidden = masked(scores, padding);
  CHECK(hidden[0][0] == -std::numeric_limits<double>::infinity());
  CHECK(hidden[0][1] == 1);
  const double first = std::exp(1) + std::exp(2);
  const double second = std::exp(3) + std::exp(1);
  check_equal(softmax(hidden), {{0, std::exp(1) / first, std::exp(2) / first},
                                {std::exp(3) / second, std::exp(1) / second, 0}});
}

TEST_CASE("A window follows its predicted position", "[explain]") {
  const auto positions = predicted_positions({{0, 1}, {1, -1}}, {2, 0}, 10);
  check_equal(positions, {{5}, {10 / (1 + std::exp(-2 * std::tanh(1)))}});
  CHECK(window_mask({{2.5}, {0.2}}, 4, 1) ==
        Mask{{true, false, false, true}, {false, true, true, true}});
  check_equal(gaussian_weights({{0.5, 0.25, 0.25}}, {{1.5}}, 0.5),
              {{0.5 * std::exp(-0.5), 0.25 * std::exp(-0.5), 0.25 * std::exp(-4.5)}});
}

}  // namespace nmt
