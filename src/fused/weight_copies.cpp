#include "fused/weight_copies.h"

#include <string>

#include "kernels/bfloat16.h"
#include "kernels/part.h"

namespace nmt {
namespace {

bool has(const std::string& name, const char* part) { return name.find(part) != std::string::npos; }

/// Only weights of products: embeddings are looked up and biases are added.
bool is_factor(const std::string& name) { return has(name, "weight") && !has(name, "emb_"); }

bool is_factor_of_every_step(const std::string& name) {
  return has(name, "weight_hh") || has(name, "decoder.rnn.weight") || has(name, "concat.weight");
}

}  // namespace

WeightCopies::WeightCopies(ProductPrecision precision, ParameterTable& parameters) {
  for (auto& [name, parameter] : parameters) {
    if (!is_factor(name)) continue;
    const auto& value = parameter.value;
    Copy copy{value, {}, {}};
    if (precision == ProductPrecision::kBfloat16) {
      const int64_t floats = (value.rows * value.columns + 1) / 2;
      auto* memory = memory_.emplace_back().take(1, floats).data;
      copy.rounded = {reinterpret_cast<Bfloat16*>(memory), value.rows, value.columns};
      parameter.rounded = copy.rounded;
    } else if (is_factor_of_every_step(name)) {
      copy.transpose = memory_.emplace_back().take(value.columns, value.rows);
      parameter.transpose = copy.transpose;
    } else {
      continue;
    }
    copies_.push_back(copy);
  }
}

/// Each member refreshes a part of every copy, since some copies are much larger than others.
void WeightCopies::refresh(int member, int members) {
  for (const auto& copy : copies_) {
    const auto [first, count] = rows_of(copy.value.rows, member, members);
    const auto part = copy.value.row_range(first, count);
    if (copy.rounded.data != nullptr) {
      round_to_bfloat16(part, copy.rounded.row_range(first, count));
    } else {
      transpose(part, copy.transpose.column_range(first, count));
    }
  }
}

}  // namespace nmt
