#pragma once

#include <filesystem>

#include "metrics/bleu.h"

namespace nmt {

/// Divides lines into the pieces of any SentencePiece model, for spBLEU (Goyal et al. 2022): with
/// the model of Flores-200 what sacreBLEU's tokenizer flores200 does. Its name is the file's
/// without the extension. Throws Error when the file is no SentencePiece model.
OtherTokenizer piece_tokenizer(const std::filesystem::path& model);

}  // namespace nmt
