#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "nn/seq2seq_options.h"

namespace nmt {

// What torchscript_programs puts together: a file for each part of a model, the twin of the file
// of src/nn that it names, line by line. What depends on the model stands as @NAME. dtype=4 is
// int64, 6 float32 and 11 bool: the language as C++ reads it has no names for them.

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
/// under their state_dict names: by the module's name within the model, where the model's own is
/// empty. The model has encode, step and greedy; what they take and return is docs/export.md's.
/// Throws Error for a language model, which translates nothing.
Programs torchscript_programs(const Seq2SeqOptions& options);

}  // namespace nmt
