#pragma once

#include <cstdint>
#include <string>

#include "text/model_description.h"

namespace nmt {

// Serialize fields of Protobuf messages (https://protobuf.dev/programming-guides/encoding). A
// message is the concatenation of its fields.

std::string number_field(uint64_t number, uint64_t value);
std::string bytes_field(uint64_t number, const std::string& bytes);

/// A piece of a SentencePiece model.
std::string sentence_piece(const std::string& text, PieceType type, float score = 0.0F);

}  // namespace nmt
