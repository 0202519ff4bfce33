#pragma once

#include <string>
#include <vector>

namespace nmt {

/// A SentencePiece model that splits text at spaces only, of the special tokens and then these
/// words, in this order. Throws Error, beginning with `name`, on a word that such a model cannot
/// hold: with a space or U+2581, which stands for one.
std::string word_vocabulary(const std::vector<std::string>& words, const std::string& name);

}  // namespace nmt
