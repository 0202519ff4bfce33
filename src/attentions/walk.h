#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "attentions/step.h"

namespace nmt {

/// What is attended to, and by what: words that ask each other.
struct WalkInput {
  std::vector<std::string> words;
  WorkedMatrix vectors;  // [words, 4]
  Text origin;           // of the vectors
};

/// Queries, keys and values, of one head.
struct AttentionLane {
  LabelledMatrix queries, keys, values;
  std::string query_label, key_label, value_label;  // how they were made from X
  std::string head = {};                            // "₁"
  size_t column = 0;                                // of the picture, the first of three
};

/// Queries and keys that have been compared.
struct ScoredLane {
  AttentionLane lane;
  LabelledMatrix scores;
};

/// Local attention: each query sees the words at most `half_width` D from its position alone.
struct AttentionWindow {
  LabelledMatrix positions;  // p [words, 1], counted from 1
  int half_width = 0;
  size_t node = 0;       // of the positions
  bool gaussian = true;  // the nearer a word, the more of its weight is left
};

/// For each word the sum of all values by its weights, and its node in the picture.
struct Mixtures {
  LabelledMatrix values;
  size_t node = 0;
};

/// An explanation in the making: AttentionKind::walk adds to it.
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

  /// X · weight, which are queries, keys or values by their role.
  LabelledMatrix project(const std::string& name, const LabelledMatrix& weight, Role role);

  /// The general score: queries X · W, for a fixed W, and the words as keys and values.
  ScoredLane score_by_matrix();

  /// From scores to mixtures of values: scaling where `key_size` is not 0, softmax, sum. A
  /// window hides words before the softmax, and with a Gaussian reduces weights after it.
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
