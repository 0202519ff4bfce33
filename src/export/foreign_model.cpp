#include "export/foreign_model.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

#include "errors/error.h"

namespace nmt {

torch::Tensor select_rows(const torch::Tensor& tensor, const ForeignVocabulary& vocabulary,
                          const std::string& where) {
  const auto& rows = vocabulary.rows;
  if (tensor.size(0) != *std::max_element(rows.begin(), rows.end()) + 1) {
    throw Error(where + ": has " + std::to_string(tensor.size(0)) +
                " rows, which is not the size of the vocabulary");
  }
  std::vector<torch::Tensor> selected;
  selected.reserve(rows.size());
  const auto zeros = torch::zeros_like(tensor[0]);
  for (const auto row : rows) {
    selected.push_back(row == ForeignVocabulary::kNoRow ? zeros : tensor[row]);
  }
  return torch::stack(selected);
}

}  // namespace nmt
