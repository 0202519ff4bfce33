#pragma once

#include <string>
#include <string_view>

namespace nmt {

/// How a SentencePiece model was trained, as recorded in it.
struct ModelDescription {
  std::string type = "unigram";  // unigram, bpe, word or char
  std::string normalization;     // name of the Unicode rule; empty: the model names none
  bool byte_fallback = false;
};

/// Reads it from a serialised model. What is missing or damaged keeps its default.
ModelDescription describe_sentencepiece_model(std::string_view model);

}  // namespace nmt
