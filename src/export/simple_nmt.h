#pragma once

#include "export/foreign_model.h"
#include "export/torch_file.h"

namespace nmt {

/// A recurrent model of simple-nmt (github.com/kh-kim/simple-nmt): an LSTM with general attention
/// and input feeding; vocabularies of words separated by spaces. Its equations are this program's;
/// only the special tokens have other ids. Throws Error on what is no such model.
ForeignModel read_simple_nmt(const TorchFile& file);

}  // namespace nmt
