#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "attention_views/attention_matrix.h"
#include "explain/attention_equations.h"

namespace nmt {

enum class Language { kEnglish, kKorean };

/// For --language: en, ko, or empty, which is what LC_ALL, LC_MESSAGES or LANG say; English
/// otherwise.
Language parse_language(const std::string& name);

/// The same in both languages.
struct Text {
  std::string english = {};
  std::string korean = {};

  const std::string& in(Language language) const {
    return language == Language::kKorean ? korean : english;
  }
};

enum class Role { kPlain, kQuery, kKey, kValue, kWeights };

/// A matrix with its name and, where its rows or columns are words, those.
struct LabelledMatrix {
  std::string name;
  Matrix values;
  Role role = Role::kPlain;
  std::vector<std::string> rows = {};
  std::vector<std::string> columns = {};
};

/// A matrix and the sign before it: X, then "·" W_query, then "=" Q.
struct Term {
  std::string sign;
  LabelledMatrix matrix;
};

/// A share of a mixture.
struct Share {
  std::string word;
  double weight = 0.0;  // of 1
};

/// What a word found in the soft dictionary, most first.
struct Lookup {
  std::string word;
  std::vector<Share> shares;
};

struct Step {
  Text title;
  Text text;
  std::string equation = {};
  std::vector<std::vector<Term>> lines = {};  // of terms that stand side by side
  std::string worked = {};                    // one of the numbers, worked out
  std::vector<Lookup> lookups = {};
};

/// A matrix in the picture: in a grid of columns and rows, the columns alike in width.
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

struct Explanation {
  Text title;
  Text introduction;
  Text about = {};  // this attention
  std::vector<Step> steps = {};
  std::vector<FlowNode> nodes = {};
  std::vector<FlowArrow> arrows = {};
  AttentionMatrix learned = {};  // of a trained model, whose picture this is in place of nodes
};

/// The row's words with the largest shares, as many as one wants to read.
std::vector<Lookup> lookups(const Matrix& weights, const std::vector<std::string>& rows,
                            const std::vector<std::string>& columns);

/// Whether a row of it belongs to the word that asks, and not to one that is asked.
bool rows_ask(const LabelledMatrix& matrix);

/// Whether every number can be shown without a point.
bool is_whole(const Matrix& matrix);

/// 3, 3.14 or -∞.
std::string figure_text(double value, bool whole);

/// "43 %".
std::string share_text(double weight);

}  // namespace nmt
