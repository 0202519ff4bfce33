#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>

#include "checkpoint/safetensors.h"
#include "config/settings.h"
#include "export/foreign_vocabulary.h"
#include "export/torch_file.h"

namespace nmt {

/// A model of another program, converted to this one's names and settings.
struct ForeignModel {
  TensorFile weights;  // under this program's state_dict names
  Settings settings;
  std::string source_vocabulary;  // SentencePiece models of whole words
  std::string target_vocabulary;
};

/// Returns the tensor called `name`. If it is an embedding or output layer, reorders its rows to
/// this program's vocabulary, with zeros for tokens without a row; throws Error, beginning with
/// `where`, if it has another number of rows than the foreign vocabulary has words.
torch::Tensor in_our_order(const torch::Tensor& tensor, const std::string& name,
                           const ForeignVocabulary& source, const ForeignVocabulary& target,
                           const std::string& where);

/// The number of layers of the recurrent network whose parameter names begin with `prefix`.
int64_t count_layers(const TensorFile& weights, const std::string& prefix);

/// The settings of a recurrent LSTM model with the sizes of these weights and the dropout of
/// `options`.
ModelConfig recurrent_config(const TensorFile& weights, const PickleValue& options);

/// Whether the file is a checkpoint of OpenNMT-py (github.com/OpenNMT/OpenNMT-py).
bool is_opennmt_py(const TorchFile& file);

/// A recurrent model of OpenNMT-py 0.2 to 3: a bidirectional encoder of LSTM or GRU cells, general
/// or dot attention, with input feeding or without. Throws Error for any other model, naming the
/// unsupported part.
ForeignModel read_opennmt_py(const TorchFile& file);

/// A recurrent model of simple-nmt (github.com/kh-kim/simple-nmt): an LSTM with general attention
/// and input feeding; vocabularies of words separated by spaces. The equations are the same as
/// here; only the special tokens have other ids. Throws Error for any other model.
ForeignModel read_simple_nmt(const TorchFile& file);

}  // namespace nmt
