#pragma once

#include <filesystem>
#include <string>

#include "checkpoint/safetensors.h"
#include "config/settings.h"

namespace nmt {

/// A model of another program in this one's terms.
struct ForeignModel {
  TensorFile weights;  // under this program's state_dict names
  Settings settings;
  std::string source_vocabulary;  // SentencePiece models of whole words
  std::string target_vocabulary;
};

/// A recurrent model of simple-nmt (github.com/kh-kim/simple-nmt): an LSTM with general attention
/// and input feeding; vocabularies of words separated by spaces. Its equations are this program's;
/// only the special tokens have other ids. Throws Error on what is no such model.
ForeignModel read_simple_nmt(const std::filesystem::path& path);

}  // namespace nmt
