#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "nn/seq2seq_options.h"

namespace nmt {

// The TorchScript fragments that torchscript_programs() assembles. Each file of fragments mirrors,
// line by line, the file of src/nn that it names. @NAME stands for what depends on the model.
// dtype=4 is int64, 6 float32 and 11 bool: TorchScript compiled from C++ has no names for them.

using Programs = std::map<std::string, std::string>;  // of the modules, by their names

/// The text with each @NAME replaced, in that order.
std::string fill_in(std::string text,
                    const std::vector<std::pair<std::string, std::string>>& replacements);

/// AttentionKind::torchscript, filled in.
std::string attention_program(const AttentionKind& kind, const Seq2SeqOptions& options);

// encode(source_ids [B, S], source_lengths [B]) -> memory [B, S, M], padding [B, S], state
// step(tokens [N], state, memory, padding) -> log-probabilities [N, V], state, weights [N, S]
Programs recurrent_programs(const Seq2SeqOptions& options);
Programs transformer_programs(const Seq2SeqOptions& options);

/// Methods in TorchScript's own language, as of LibTorch 1.13, for modules that hold the parameters
/// under their state_dict names: by the module's name within the model; the model's own name is
/// empty. The model has encode, step and greedy; docs/export.md documents their arguments and
/// results. Throws Error for a language model, which does not translate.
Programs torchscript_programs(const Seq2SeqOptions& options);

}  // namespace nmt
