#include "text/model_description.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "text/protobuf.h"

namespace nmt {
namespace {

// A SentencePiece model is a Protobuf message (sentencepiece_model.proto). A few of its fields
// are read here by hand.
constexpr uint64_t kPiece = 1;
constexpr uint64_t kPieceText = 1;
constexpr uint64_t kPieceScore = 2;
constexpr uint64_t kPieceType = 3;
constexpr uint64_t kTrainer = 2;
constexpr uint64_t kNormalizer = 3;
constexpr uint64_t kTrainerModelType = 3;
constexpr uint64_t kTrainerByteFallback = 35;
constexpr uint64_t kNormalizerName = 1;

std::string_view serialised_normalizer(std::string_view model) {
  std::string_view normalizer;
  for_each_field(model, [&](const ProtobufField& section) {
    if (section.number == kNormalizer) normalizer = section.bytes;
  });
  return normalizer;
}

}  // namespace

ModelDescription describe_sentencepiece_model(std::string_view model) {
  constexpr std::array<const char*, 4> kTypes = {"unigram", "bpe", "word", "char"};  // from 1
  ModelDescription description;
  for_each_field(model, [&](const ProtobufField& section) {
    if (section.number == kTrainer) {
      for_each_field(section.bytes, [&](const ProtobufField& field) {
        const bool is_type = field.number == kTrainerModelType;
        if (is_type && field.value >= 1 && field.value <= kTypes.size()) {
          description.type = kTypes[field.value - 1];
        }
        if (field.number == kTrainerByteFallback) description.byte_fallback = field.value != 0;
      });
    } else if (section.number == kNormalizer) {
      for_each_field(section.bytes, [&](const ProtobufField& field) {
        if (field.number == kNormalizerName) description.normalization = field.bytes;
      });
    }
  });
  return description;
}

std::string sentence_piece(const std::string& text, PieceType type, float score) {
  return bytes_field(kPiece, bytes_field(kPieceText, text) + float_field(kPieceScore, score) +
                                 number_field(kPieceType, static_cast<uint64_t>(type)));
}

std::vector<ModelPiece> model_pieces(std::string_view model) {
  std::vector<ModelPiece> pieces;
  for_each_field(model, [&](const ProtobufField& section) {
    if (section.number != kPiece) return;
    ModelPiece piece;
    for_each_field(section.bytes, [&](const ProtobufField& field) {
      if (field.number == kPieceText) piece.text = field.bytes;
      if (field.number == kPieceType) piece.type = static_cast<PieceType>(field.value);
      float score = 0;
      if (field.number == kPieceScore && field.bytes.size() == sizeof(score)) {
        std::memcpy(&score, field.bytes.data(), sizeof(score));  // little-endian, as we are
        piece.score = double{score};
      }
    });
    pieces.push_back(std::move(piece));
  });
  return pieces;
}

std::vector<ModelPiece> scored_pieces(std::string_view model) {
  auto pieces = model_pieces(model);
  const auto is_special = [](const ModelPiece& piece) { return piece.type != PieceType::kNormal; };
  pieces.erase(std::remove_if(pieces.begin(), pieces.end(), is_special), pieces.end());
  return pieces;
}

bool same_vocabulary(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (describe_sentencepiece_model(a).type != describe_sentencepiece_model(b).type) return false;
  if (serialised_normalizer(a) != serialised_normalizer(b)) return false;
  const auto pieces = model_pieces(a);
  const auto others = model_pieces(b);
  return std::equal(pieces.begin(), pieces.end(), others.begin(), others.end(),
                    [](const ModelPiece& piece, const ModelPiece& other) {
                      return piece.text == other.text && piece.type == other.type;
                    });
}

}  // namespace nmt
