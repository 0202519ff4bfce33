#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "text/tokenizer_training.h"

namespace nmt {

// What `nmt vocab` does.

/// Trains a vocabulary and writes its model file. Returns a line that names the file and its size.
/// Throws Error.
std::string write_vocabulary(const TokenizerTraining& training, const std::filesystem::path& output,
                             bool overwrite);

/// A model file's properties and its first `num_pieces` pieces, a line each. Throws Error.
std::string describe_vocabulary_file(const std::filesystem::path& model, int64_t num_pieces);

enum class EncodingFormat { kPieces, kIds };

/// Encodes each line of standard input to standard output, as soon as it comes. Throws Error.
void encode_standard_input(const std::filesystem::path& model, EncodingFormat format);

/// Decodes each line of token ids on standard input, likewise. Throws Error.
void decode_standard_input(const std::filesystem::path& model);

}  // namespace nmt
