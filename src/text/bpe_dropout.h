#pragma once

#include <string_view>
#include <vector>

#include "numbers/random.h"
#include "text/piece_table.h"

namespace nmt {

/// Byte pair encoding that skips merges at random (Provilkov, Emelianenko and Voita 2020,
/// "BPE-Dropout", section 3; the order of merges is Sennrich, Haddow and Birch 2016's). As in
/// SentencePiece, a skipped merge is reconsidered only once a neighboring piece has changed, not at
/// every step. The pieces are views of the atoms' text.
std::vector<std::string_view> bpe_dropout(const Atoms& atoms, const PieceTable& pieces,
                                          double dropout, Random& random);

}  // namespace nmt
