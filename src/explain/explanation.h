#pragma once

#include <string>
#include <vector>

#include "attention_views/attention_matrix.h"
#include "attentions/step.h"

namespace nmt {

/// For --language: en, ko, or empty for the locale of LC_ALL, LC_MESSAGES or LANG (default
/// English).
Language parse_language(const std::string& name);

struct Explanation {
  Text title;
  Text introduction;
  Text about = {};  // this attention
  std::vector<Step> steps = {};
  std::vector<FlowNode> nodes = {};
  std::vector<FlowArrow> arrows = {};
  AttentionMatrix learned = {};  // of a trained model, drawn in place of nodes
};

}  // namespace nmt
