#include "attentions/walk.h"

#include <cmath>

#include "attentions/walk_steps.h"

namespace nmt {
namespace {

// Small integers, so that a reader can compute with them.
const WorkedMatrix kGeneralWeight = {{1, 0, 0, 1}, {0, 1, 0, 0}, {0, 1, 1, 0}, {1, 0, 0, 0}};

}  // namespace

void AttentionWalk::begin(size_t columns) {
  draw(vectors(), {"words", "낱말"}, 0, 0, columns);
  add(input_step(vectors(), input_.origin));
}

LabelledMatrix AttentionWalk::vectors(Role role) const {
  return rows_of("X", input_.vectors, role);
}

LabelledMatrix AttentionWalk::rows_of(const std::string& name, const WorkedMatrix& values,
                                      Role role) const {
  return {name, values, role, input_.words, {}};
}

LabelledMatrix AttentionWalk::pairs(const std::string& name, const WorkedMatrix& values,
                                    Role role) const {
  return {name, values, role, input_.words, input_.words};
}

LabelledMatrix AttentionWalk::project(const std::string& name, const LabelledMatrix& weight,
                                      Role role) {
  auto result = rows_of(name, product(input_.vectors, weight.values), role);
  add(projection_step(vectors(), weight, result));
  return result;
}

AttentionLane AttentionWalk::general_lane() {
  const auto queries = project("Q", {"W", kGeneralWeight}, Role::kQuery);
  return {queries, vectors(Role::kKey), vectors(Role::kValue), "· W", "=", "="};
}

LabelledMatrix AttentionWalk::score(const AttentionLane& lane) {
  const auto scores =
      pairs("S" + lane.head, dot_scores(lane.queries.values, lane.keys.values), Role::kPlain);
  add(dot_step(lane.queries, lane.keys, scores));
  return scores;
}

size_t AttentionWalk::draw(const LabelledMatrix& matrix, const Text& caption, size_t row,
                           size_t column, size_t span) {
  nodes_.push_back({matrix, caption, row, column, span});
  return nodes_.size() - 1;
}

void AttentionWalk::connect(size_t from, size_t to, const std::string& label) {
  arrows_.push_back({from, to, label});
}

/// Draws queries, keys, values and scores; returns the node of the scores and sets that of the
/// values.
size_t AttentionWalk::draw_lane(const AttentionLane& lane, const LabelledMatrix& scores,
                                size_t& values_node) {
  const auto queries = draw(lane.queries, {"queries", "쿼리"}, 1, lane.column, 1);
  const auto keys = draw(lane.keys, {"keys", "키"}, 1, lane.column + 1, 1);
  values_node = draw(lane.values, {"values", "값"}, 1, lane.column + 2, 1);
  connect(0, queries, lane.query_label);
  connect(0, keys, lane.key_label);
  connect(0, values_node, lane.value_label);
  const auto node = draw(scores, {"scores", "점수"}, 2, lane.column, 2);
  connect(queries, node);
  connect(keys, node);
  return node;
}

Mixtures AttentionWalk::attend(const AttentionLane& lane, LabelledMatrix scores, size_t key_size,
                               const AttentionWindow* window) {
  size_t values_node = 0;
  auto node = draw_lane(lane, scores, values_node);
  size_t row = 3;
  const auto below = [&](const LabelledMatrix& matrix, const Text& caption,
                         const std::string& label) {
    const auto drawn = draw(matrix, caption, row++, lane.column, 2);
    connect(node, drawn, label);
    node = drawn;
  };
  if (key_size > 0) {
    const auto root = std::sqrt(static_cast<double>(key_size));
    const auto divided = pairs("S′" + lane.head, scaled(scores.values, root), Role::kPlain);
    add(scaling_step(scores, key_size, divided));
    scores = divided;
    below(scores, {"scaled", "스케일링"}, "/ √" + std::to_string(key_size));
  }
  if (window != nullptr) {
    const auto mask =
        window_mask(window->positions.values, input_.words.size(), window->half_width);
    const auto near = pairs("M" + lane.head, masked(scores.values, mask), Role::kPlain);
    add(window_step(scores, window->positions, window->half_width, near));
    scores = near;
    below(scores, {"window", "창"}, "|i − p| ≤ " + std::to_string(window->half_width));
    connect(window->node, node);
  }
  auto weights = pairs("A" + lane.head, softmax(scores.values), Role::kWeights);
  add(softmax_step(scores, weights));
  below(weights, {"weights", "가중치"}, "softmax");
  if (window != nullptr && window->gaussian) {
    const auto reduced =
        pairs("A′" + lane.head,
              gaussian_weights(weights.values, window->positions.values, window->half_width / 2.0),
              Role::kWeights);
    add(gaussian_step(weights, window->positions, window->half_width, reduced));
    weights = reduced;
    below(weights, {"near p", "p 가까이"}, "· exp(−(i − p)² / 2σ²)");
    connect(window->node, node);
  }
  const auto mixtures =
      rows_of("Z" + lane.head, weighted_sum(weights.values, lane.values.values), Role::kPlain);
  add(mixture_step(weights, lane.values, mixtures));
  below(mixtures, {"weighted sum", "가중합"}, "");
  connect(values_node, node);
  add(dictionary_step(weights));
  return {mixtures, node};
}

}  // namespace nmt
