#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "text/tokenizer_training.h"

namespace nmt {

// The work of `nmt vocab`.

/// Trains a vocabulary, with placeholders of the kinds that at least 100 lines have, and writes its
/// model file. Returns a line that names the file and its size. Throws Error.
std::string write_vocabulary(TokenizerTraining training, const std::filesystem::path& output,
                             bool overwrite);

/// A model file's properties and its first `num_pieces` pieces, a line each. Throws Error.
std::string describe_vocabulary_file(const std::filesystem::path& model, int64_t num_pieces);

}  // namespace nmt
