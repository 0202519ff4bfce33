#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// How a SentencePiece model was trained, as recorded in it.
struct ModelDescription {
  std::string type = "unigram";  // unigram, bpe, word or char
  std::string normalization;     // name of the Unicode rule; empty: the model names none
  bool byte_fallback = false;
};

/// Reads it from a serialised model. What is missing or damaged keeps its default.
ModelDescription describe_sentencepiece_model(std::string_view model);

enum class PieceType { kNormal = 1, kUnknown, kControl, kUserDefined, kUnused, kByte };

struct ModelPiece {
  std::string text;
  double score = 0.0;  // of a unigram model: the natural log of its probability
  PieceType type = PieceType::kNormal;
};

/// All pieces of a serialized model in the order of their ids. Fewer where the model is damaged.
std::vector<ModelPiece> model_pieces(std::string_view model);

/// The same without special tokens, symbols defined by the user and bytes.
std::vector<ModelPiece> scored_pieces(std::string_view model);

/// Whether ids mean the same in two serialised models: pieces, type and normalization are equal.
/// The record of the training may differ, and so may scores: the number of threads changes the last
/// digits of those of a unigram model.
bool same_vocabulary(std::string_view a, std::string_view b);

}  // namespace nmt
