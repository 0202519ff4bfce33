#pragma once

#include <filesystem>

#include "metrics/bleu.h"

namespace nmt {

/// Tokenizes lines into the pieces of a SentencePiece model, for spBLEU (Goyal et al. 2022). With
/// the Flores-200 model it equals sacreBLEU's tokenizer flores200. The tokenizer is named after the
/// file, without its extension. Throws Error when the file is no SentencePiece model.
OtherTokenizer piece_tokenizer(const std::filesystem::path& model);

}  // namespace nmt
