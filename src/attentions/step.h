#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "attentions/equations.h"

namespace nmt {

// What an explanation of attention is made of: steps to read, and matrices and arrows to draw.

enum class Language { kEnglish, kKorean };

/// A text in both languages.
struct Text {
  std::string english = {};
  std::string korean = {};

  const std::string& in(Language language) const {
    return language == Language::kKorean ? korean : english;
  }
};

enum class Role { kPlain, kQuery, kKey, kValue, kWeights };

/// A matrix with its name and the words of its rows and columns, if they are words.
struct LabelledMatrix {
  std::string name;
  WorkedMatrix values;
  Role role = Role::kPlain;
  std::vector<std::string> rows = {};
  std::vector<std::string> columns = {};
};

/// A matrix and the sign before it: X, then "·" W_query, then "=" Q.
struct Term {
  std::string sign;
  LabelledMatrix matrix;
};

/// A word and its weight in a weighted sum.
struct Share {
  std::string word;
  double weight = 0.0;  // of 1
};

/// What a word retrieves from the soft dictionary (its attention), largest weight first.
struct Lookup {
  std::string word;
  std::vector<Share> shares;
};

struct Step {
  Text title;
  Text text;
  std::string equation = {};
  std::vector<std::vector<Term>> lines = {};  // terms of one equation, side by side
  std::string worked = {};                    // the computation of one number
  std::vector<Lookup> lookups = {};
};

/// A matrix in the picture, which is a grid with columns of equal width.
struct FlowNode {
  LabelledMatrix matrix;
  Text caption;
  size_t row = 0;
  size_t column = 0;
  size_t span = 1;  // columns
};

struct FlowArrow {
  size_t from = 0;  // in nodes
  size_t to = 0;
  std::string label = {};
};

/// The words with the largest weights in each row, at most a handful.
std::vector<Lookup> lookups(const WorkedMatrix& weights, const std::vector<std::string>& rows,
                            const std::vector<std::string>& columns);

/// Whether the rows belong to queries and not to keys or values.
bool rows_ask(const LabelledMatrix& matrix);

/// Whether every number is an integer.
bool is_whole(const WorkedMatrix& matrix);

/// 3, 3.14 or -∞.
std::string figure_text(double value, bool whole);

/// Likewise as a factor of a product: negative values are in brackets.
std::string factor_text(double value, bool whole);

/// "43 %".
std::string share_text(double weight);

}  // namespace nmt
