#pragma once

#include <map>
#include <string>

#include "nn/seq2seq_options.h"

namespace nmt {

/// Methods in TorchScript's own language, as of LibTorch 1.13, for modules that hold the parameters
/// under their state_dict names: by the module's name within the model, where the model's own is
/// empty. The model has encode, step and greedy; what they take and return is docs/export.md's.
/// Throws Error for a language model, which translates nothing.
std::map<std::string, std::string> torchscript_programs(const Seq2SeqOptions& options);

}  // namespace nmt
