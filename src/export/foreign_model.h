#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>

#include "checkpoint/safetensors.h"
#include "config/settings.h"
#include "export/foreign_vocabulary.h"
#include "export/torch_file.h"

namespace nmt {

/// A model of another program in this one's terms.
struct ForeignModel {
  TensorFile weights;  // under this program's state_dict names
  Settings settings;
  std::string source_vocabulary;  // SentencePiece models of whole words
  std::string target_vocabulary;
};

/// The tensor of that name; of an embedding or output layer the rows in the vocabulary's order,
/// zeros for a token without one. Throws Error, beginning with `where`, when there are not as many
/// as words.
torch::Tensor in_our_order(const torch::Tensor& tensor, const std::string& name,
                           const ForeignVocabulary& source, const ForeignVocabulary& target,
                           const std::string& where);

/// Layers of the recurrent network whose names begin so.
int64_t count_layers(const TensorFile& weights, const std::string& prefix);

/// A recurrent model of the sizes of these weights, an LSTM, with the dropout of the options.
ModelConfig recurrent_config(const TensorFile& weights, const PickleValue& options);

/// Whether the file holds what OpenNMT-py (github.com/OpenNMT/OpenNMT-py) saves of a training.
bool is_opennmt_py(const TorchFile& file);

/// A recurrent model of OpenNMT-py 0.2 to 3: a bidirectional encoder of LSTM or GRU cells, general
/// or dot attention, with input feeding or without. Throws Error on what is no such model, naming
/// what this program lacks.
ForeignModel read_opennmt_py(const TorchFile& file);

/// A recurrent model of simple-nmt (github.com/kh-kim/simple-nmt): an LSTM with general attention
/// and input feeding; vocabularies of words separated by spaces. Its equations are this program's;
/// only the special tokens have other ids. Throws Error on what is no such model.
ForeignModel read_simple_nmt(const TorchFile& file);

}  // namespace nmt
