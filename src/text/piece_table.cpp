#include "text/piece_table.h"

#include <algorithm>
#include <utility>

#include "text/byte_pieces.h"
#include "text/special_tokens.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kBytes = 256;
constexpr int32_t kNoId = -1;

}  // namespace

void Atoms::append(std::string_view atom, bool symbol) {
  text += atom;
  offsets.push_back(text.size());
  is_symbol.push_back(symbol);
}

PieceTable::PieceTable(std::vector<ModelPiece> pieces) : pieces_(std::move(pieces)) {
  index_.max_load_factor(0.25F);  // most texts asked for are no pieces
  index_.reserve(pieces_.size());
  byte_ids_.assign(kBytes, kNoId);
  for (size_t i = 0; i < pieces_.size(); ++i) {
    const auto& piece = pieces_[i];
    if (piece.type == PieceType::kByte) {
      const auto byte = byte_of_piece(piece.text);
      if (byte) byte_ids_[static_cast<unsigned char>(*byte)] = id_of(piece);
    } else if (piece.type == PieceType::kUserDefined) {
      index_.emplace(piece.text, i);
    } else if (piece.type == PieceType::kNormal) {
      index_.emplace(piece.text, i);
      lowest_score_ = std::min(lowest_score_, piece.score);
      longest_piece_ = std::max(longest_piece_, piece.text.size());
    }
  }
  if (std::find(byte_ids_.begin(), byte_ids_.end(), kNoId) != byte_ids_.end()) byte_ids_.clear();
}

const ModelPiece* PieceTable::find(std::string_view text) const {
  const auto found = index_.find(text);
  return found == index_.end() ? nullptr : &pieces_[found->second];
}

int32_t PieceTable::id_of(const ModelPiece& piece) const {
  return static_cast<int32_t>(&piece - pieces_.data());
}

std::optional<double> PieceTable::score(std::string_view text) const {
  const auto* piece = find(text);
  const bool normal = piece != nullptr && piece->type == PieceType::kNormal;
  return normal ? std::optional(piece->score) : std::nullopt;
}

Atoms PieceTable::atoms(const std::vector<std::string>& segmentation) const {
  Atoms atoms;
  std::string characters;
  const auto append_characters = [&] {
    for (size_t begin = 0; begin < characters.size();) {
      const size_t length = character_length(characters, begin);
      atoms.append(std::string_view(characters).substr(begin, length), false);
      begin += length;
    }
    characters.clear();
  };
  for (const auto& text : segmentation) {
    const auto* piece = find(text);
    if (piece != nullptr && piece->type == PieceType::kUserDefined) {
      append_characters();
      atoms.append(text, true);
    } else if (const auto byte = byte_ids_.empty() ? std::nullopt : byte_of_piece(text)) {
      characters += *byte;
    } else {
      characters += text;
    }
  }
  append_characters();
  return atoms;
}

std::vector<int32_t> PieceTable::ids(const std::vector<std::string_view>& segmentation) const {
  std::vector<int32_t> ids;
  for (const auto text : segmentation) {
    const auto* piece = find(text);
    if (piece != nullptr) {
      ids.push_back(id_of(*piece));
    } else if (!byte_ids_.empty()) {
      for (const char byte : text) ids.push_back(byte_ids_[static_cast<unsigned char>(byte)]);
    } else if (ids.empty() || ids.back() != kUnknownId) {
      ids.push_back(kUnknownId);
    }
  }
  return ids;
}

}  // namespace nmt
