#pragma once

#include "export/foreign_model.h"
#include "export/torch_file.h"

namespace nmt {

/// Whether the file holds what OpenNMT-py (github.com/OpenNMT/OpenNMT-py) saves of a training.
bool is_opennmt_py(const TorchFile& file);

/// A recurrent model of OpenNMT-py 0.2 to 3: a bidirectional encoder of LSTM or GRU cells, general
/// or dot attention, with input feeding or without. Throws Error on what is no such model, naming
/// what this program lacks.
ForeignModel read_opennmt_py(const TorchFile& file);

}  // namespace nmt
