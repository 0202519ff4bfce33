#pragma once

#include <string>

#include "nn/seq2seq.h"

namespace nmt {

/// The methods encode, step and greedy in TorchScript's own language, as of LibTorch 1.13, for a
/// module that holds the parameters under their state_dict names. What they take and return is
/// docs/export.md's.
std::string torchscript_program(const Seq2SeqOptions& options);

}  // namespace nmt
