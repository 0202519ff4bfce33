#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "attention_views/attention_matrix.h"
#include "attentions/step.h"

namespace nmt {

/// Appends to the text in each language.
inline Text& operator+=(Text& text, const Text& more) {
  text.english += more.english;
  text.korean += more.korean;
  return text;
}

/// For --language: en, ko, or empty for the locale of LC_ALL, LC_MESSAGES or LANG (default
/// English).
Language parse_language(const std::string& name);

/// Columns of the name of a matrix's row; longer names continue on further lines.
constexpr size_t kWidestRowName = 44;

/// A table of text, whose first column is left-aligned.
struct FigureTable {
  Text title;
  Text text;
  std::vector<Text> columns;
  std::vector<std::vector<std::string>> rows;
};

struct Explanation {
  Text title;
  Text introduction;
  Text about = {};  // what is explained; may be empty
  std::vector<Step> steps = {};
  std::vector<FigureTable> tables = {};  // after the steps
  std::vector<FlowNode> nodes = {};
  std::vector<FlowArrow> arrows = {};
  std::string outline = {};      // the picture as text, for a terminal
  AttentionMatrix learned = {};  // of a trained model, drawn instead of nodes
};

/// The weight that is drawn darkest: 1, or the largest weight if some exceed 1, as losses can.
double darkest_weight(const WorkedMatrix& weights);

/// How dark a weight is drawn, from 0 to 1.
double shade_of(double weight, double darkest);

}  // namespace nmt
