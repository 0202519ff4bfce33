#include "export/foreign_model.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

#include "errors/error.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

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

/// The dropout of the options, or the default if they have none.
double dropout_of(const PickleValue& options) {
  const auto* value = options.find("dropout");
  if (value != nullptr && value->kind == PickleValue::Kind::kList && !value->items.empty()) {
    value = value->items.front();  // that of the first steps
  }
  const bool known = value != nullptr && value->real >= 0 && value->real < 1;
  return known ? value->real : ModelConfig().dropout;
}

}  // namespace

torch::Tensor in_our_order(const torch::Tensor& tensor, const std::string& name,
                           const ForeignVocabulary& source, const ForeignVocabulary& target,
                           const std::string& where) {
  if (name == "emb_src.weight") return select_rows(tensor, source, where);
  const bool of_target = name == "emb_dec.weight" || begins_with(name, "generator.output.");
  return of_target ? select_rows(tensor, target, where) : tensor;
}

int64_t count_layers(const TensorFile& weights, const std::string& prefix) {
  return std::count_if(weights.tensors.begin(), weights.tensors.end(), [&](const auto& entry) {
    return begins_with(entry.name, prefix + "weight_ih_l") &&
           entry.name.find("_reverse") == std::string::npos;
  });
}

ModelConfig recurrent_config(const TensorFile& weights, const PickleValue& options) {
  ModelConfig model;
  model.cell = Cell::kLstm;
  model.embedding_size = weights.at("emb_src.weight").size(-1);
  model.hidden_size = weights.at("concat.weight").size(0);
  model.num_layers = std::max<int64_t>(count_layers(weights, "decoder.rnn."), 1);
  model.dropout = dropout_of(options);
  return model;
}

}  // namespace nmt
