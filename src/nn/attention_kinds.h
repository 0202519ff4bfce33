#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nmt {

/// A matrix that an attention learns, without a bias: [size, size], or [1, size].
struct LearnedMatrix {
  const char* name = "";
  bool one_row = false;
};

/// Every attention that there is, a line each: its name in the settings, that of the function in
/// nn/attentions/NAME.cpp that makes it, and what it learns. To add one is to write that file and
/// its line here; LibTorch is not needed to read the lines.
#define NMT_ATTENTION_KINDS(KIND)                                                \
  KIND("none", none, {})                                                         \
  KIND("dot", dot, {})                                                           \
  KIND("general", general, {{"linear"}})                                         \
  KIND("additive", additive, {{"query"}, {"key"}, {"energy", /*one_row=*/true}}) \
  KIND("scaled-dot", scaled_dot, {{"query"}, {"key"}, {"value"}})                \
  KIND("multi-head", multi_head, {{"query"}, {"key"}, {"value"}, {"output"}})

/// The names, in that order.
std::vector<std::string> attention_names();

/// What the attention of that name learns. Throws Error when there is no such attention.
std::vector<LearnedMatrix> attention_matrices(const std::string& name);

}  // namespace nmt
