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

/// Reads the description from a serialized model. Missing or damaged fields keep their defaults.
ModelDescription describe_sentencepiece_model(std::string_view model);

enum class PieceType { kNormal = 1, kUnknown, kControl, kUserDefined, kUnused, kByte };

struct ModelPiece {
  std::string text;
  double score = 0.0;  // of a unigram model: the natural log of its probability
  PieceType type = PieceType::kNormal;
};

/// The field of a model for one piece.
std::string sentence_piece(const std::string& text, PieceType type, float score = 0.0F);

/// All pieces of a serialized model by id; fewer if the model is damaged.
std::vector<ModelPiece> model_pieces(std::string_view model);

/// Only the normal pieces: without special tokens, user-defined symbols and bytes.
std::vector<ModelPiece> scored_pieces(std::string_view model);

/// Whether ids mean the same in two serialised models: pieces, type and normalization are equal.
/// The training record and scores may differ: the number of threads changes the last digits of a
/// unigram model's scores.
bool same_vocabulary(std::string_view a, std::string_view b);

}  // namespace nmt
