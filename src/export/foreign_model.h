#pragma once

#include <torch/types.h>

#include <string>

#include "checkpoint/safetensors.h"
#include "config/settings.h"
#include "export/foreign_vocabulary.h"

namespace nmt {

/// A model of another program in this one's terms.
struct ForeignModel {
  TensorFile weights;  // under this program's state_dict names
  Settings settings;
  std::string source_vocabulary;  // SentencePiece models of whole words
  std::string target_vocabulary;
};

/// The rows of an embedding or output layer in the vocabulary's order, zeros for a token without
/// one. Throws Error, beginning with `where`, when there are not as many as words.
torch::Tensor select_rows(const torch::Tensor& tensor, const ForeignVocabulary& vocabulary,
                          const std::string& where);

}  // namespace nmt
