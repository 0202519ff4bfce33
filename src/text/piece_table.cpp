#include "text/piece_table.h"

#include <algorithm>
#include <utility>

#include "text/special_tokens.h"

namespace nmt {
namespace {

constexpr size_t kBytes = 256;

// U+2581 is written as 3 bytes, <0xE2><0x96><0x81>, where a model has a piece for each byte.
std::string byte_piece(size_t byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte / 16], kDigits[byte % 16], '>'};
}

size_t character_end(std::string_view text, size_t begin) {
  size_t end = begin + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return end;
}

bool is_text(const ModelPiece& piece) {
  return piece.type == PieceType::kNormal || piece.type == PieceType::kUserDefined;
}

}  // namespace

void Atoms::append(std::string_view atom, bool symbol) {
  text += atom;
  offsets.push_back(text.size());
  is_symbol.push_back(symbol);
}

PieceTable::PieceTable(std::vector<ModelPiece> pieces) : pieces_(std::move(pieces)) {
  index_.max_load_factor(0.25F);  // most texts asked for are no pieces
  index_.reserve(pieces_.size());
  for (size_t i = 0; i < pieces_.size(); ++i) {
    const auto& piece = pieces_[i];
    index_.emplace(piece.text, i);
    if (piece.type != PieceType::kNormal) continue;
    lowest_score_ = std::min(lowest_score_, piece.score);
    longest_piece_ = std::max(longest_piece_, piece.text.size());
  }
  for (size_t byte = 0; byte < kBytes; ++byte) {
    const auto* piece = find(byte_piece(byte));
    if (piece == nullptr || piece->type != PieceType::kByte) break;
    byte_ids_.push_back(id_of(*piece));
  }
  if (byte_ids_.size() < kBytes) byte_ids_.clear();
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
      const size_t end = character_end(characters, begin);
      atoms.append(std::string_view(characters).substr(begin, end - begin), false);
      begin = end;
    }
    characters.clear();
  };
  for (const auto& text : segmentation) {
    const auto* piece = find(text);
    if (piece != nullptr && piece->type == PieceType::kUserDefined) {
      append_characters();
      atoms.append(text, true);
    } else if (piece != nullptr && piece->type == PieceType::kByte) {
      const auto byte = std::find(byte_ids_.begin(), byte_ids_.end(), id_of(*piece));
      characters += static_cast<char>(byte - byte_ids_.begin());
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
    if (piece != nullptr && is_text(*piece)) {
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
