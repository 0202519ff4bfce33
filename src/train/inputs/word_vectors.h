#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace nmt {

/// Vectors of a vocabulary's pieces, by id.
using PieceVectors = std::map<int32_t, std::vector<float>>;

/// What a file of word vectors in the text format of word2vec, fastText or GloVe gives the pieces
/// of a vocabulary: the mean of the vectors of the words of `texts` that are segmented into the
/// piece among others, each as often as it occurs there. Words are compared as written, without
/// punctuation around them; pieces without such a word are left out. Throws Error for a vector that
/// has not `dimension` numbers, and when no word has one.
PieceVectors read_piece_vectors(const std::filesystem::path& file, int64_t dimension,
                                const std::vector<std::string>& texts, const Tokenizer& tokenizer);

/// Throws Error when the first vector of the file has not `dimension` numbers.
void require_word_vectors(const std::filesystem::path& file, int64_t dimension);

}  // namespace nmt
