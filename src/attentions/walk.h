#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "attentions/step.h"

namespace nmt {

/// The words that attend to each other.
struct WalkInput {
  std::vector<std::string> words;
  WorkedMatrix vectors;  // [words, 4]
  Text origin;           // where the vectors come from
};

/// Queries, keys and values, of one head.
struct AttentionLane {
  LabelledMatrix queries, keys, values;
  std::string query_label, key_label, value_label;  // how they were made from X
  std::string head = {};                            // "₁"
  size_t column = 0;                                // in the picture, the first of three
};

/// Local attention: each query sees only the words at most D = `half_width` from its position.
struct AttentionWindow {
  LabelledMatrix positions;  // p [words, 1], counted from 1
  int half_width = 0;
  size_t node = 0;       // of the positions
  bool gaussian = true;  // weights fall with the distance from the position
};

/// For each word, the sum of the values weighted by its attention; and the node of these sums in
/// the picture.
struct Mixtures {
  LabelledMatrix values;
  size_t node = 0;
};

/// An explanation under construction; AttentionKind::walk adds steps, nodes and arrows.
class AttentionWalk {
 public:
  explicit AttentionWalk(WalkInput input) : input_(std::move(input)) {}

  const WalkInput& input() const { return input_; }
  std::vector<Step>& steps() { return steps_; }
  std::vector<FlowNode>& nodes() { return nodes_; }
  std::vector<FlowArrow>& arrows() { return arrows_; }

  /// The first step and node: the words as vectors X.
  void begin(size_t columns);

  /// X as queries, keys or values.
  LabelledMatrix vectors(Role role = Role::kPlain) const;

  LabelledMatrix rows_of(const std::string& name, const WorkedMatrix& values, Role role) const;
  LabelledMatrix pairs(const std::string& name, const WorkedMatrix& values, Role role) const;

  /// X · weight: queries, keys or values, depending on `role`.
  LabelledMatrix project(const std::string& name, const LabelledMatrix& weight, Role role);

  /// The lane of the general score: queries X · W, for a fixed W, and the words as keys and values.
  AttentionLane general_lane();

  /// The scores of a lane: the dot products of its queries and keys.
  LabelledMatrix score(const AttentionLane& lane);

  /// From scores to mixtures of values: scaling unless `key_size` is 0, softmax, weighted sum. A
  /// window masks words before the softmax; if it is Gaussian, it also reduces weights after it.
  Mixtures attend(const AttentionLane& lane, LabelledMatrix scores, size_t key_size = 0,
                  const AttentionWindow* window = nullptr);

  void add(Step step) { steps_.push_back(std::move(step)); }
  size_t draw(const LabelledMatrix& matrix, const Text& caption, size_t row, size_t column,
              size_t span);
  void connect(size_t from, size_t to, const std::string& label = "");

 private:
  size_t draw_lane(const AttentionLane& lane, const LabelledMatrix& scores, size_t& values_node);

  WalkInput input_;
  std::vector<Step> steps_;
  std::vector<FlowNode> nodes_;
  std::vector<FlowArrow> arrows_;
};

}  // namespace nmt
