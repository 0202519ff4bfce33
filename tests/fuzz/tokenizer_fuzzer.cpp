#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/bpe_dropout.h"
#include "text/model_check.h"
#include "text/model_description.h"
#include "text/piece_table.h"
#include "text/unigram_sampling.h"

// What looks into a SentencePiece model before SentencePiece does, and what samples its pieces.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  nmt::has_sound_character_map(bytes);
  nmt::describe_sentencepiece_model(bytes);
  const nmt::PieceTable pieces(nmt::model_pieces(bytes));
  const auto atoms = pieces.atoms({"\u2581the", "<0xE7>", "a", "river"});
  nmt::Random random(1, 0);
  pieces.ids(nmt::bpe_dropout(atoms, pieces, 0.1, random));
  pieces.ids(nmt::sample_unigram(atoms, pieces, 0.1, random));
  return 0;
}
