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

/// Computes vectors of a vocabulary's pieces from a file of word vectors in the text format of
/// word2vec, fastText or GloVe: the mean over the words of `texts` whose segmentation contains the
/// piece, weighted by their counts. Words are looked up as written, without surrounding
/// punctuation. Pieces without such words are left out. Throws Error for a vector of another size
/// than `dimension`, and if no word has a vector.
PieceVectors read_piece_vectors(const std::filesystem::path& file, int64_t dimension,
                                const std::vector<std::string>& texts, const Tokenizer& tokenizer);

/// Throws Error unless the first vector of the file has `dimension` numbers.
void require_word_vectors(const std::filesystem::path& file, int64_t dimension);

}  // namespace nmt
