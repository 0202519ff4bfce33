#include "text/word_vocabulary.h"

#include <cstdint>

#include "errors/error.h"

namespace nmt {
namespace {

// Numbers of sentencepiece_model.proto.
constexpr uint64_t kPiecesField = 1;
constexpr uint64_t kTrainerField = 2;
constexpr uint64_t kNormalizerField = 3;
constexpr uint64_t kNormalType = 1;
constexpr uint64_t kUnknownType = 2;
constexpr uint64_t kControlType = 3;
constexpr uint64_t kWordModelType = 3;

const std::string kWordMark = "\u2581";

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

std::string number_field(uint64_t number, uint64_t value) {
  return varint(number << 3) + varint(value);
}

std::string bytes_field(uint64_t number, const std::string& bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}

std::string piece_field(const std::string& text, uint64_t type) {
  const std::string score_0 = {'\x15', 0, 0, 0, 0};  // field 2, a float
  return bytes_field(kPiecesField, bytes_field(1, text) + score_0 + number_field(3, type));
}

}  // namespace

std::string word_vocabulary(const std::vector<std::string>& words, const std::string& name) {
  std::string model = piece_field("<pad>", kControlType) + piece_field("<unk>", kUnknownType) +
                      piece_field("<s>", kControlType) + piece_field("</s>", kControlType);
  for (const auto& word : words) {
    if (word.empty() || word.find(' ') != std::string::npos ||
        word.find(kWordMark) != std::string::npos) {
      throw Error(name + ": '" + word +
                  "' cannot be a word: it is empty or holds a space or U+2581; import models of "
                  "words or of subwords with another mark");
    }
    model += piece_field(kWordMark + word, kNormalType);
  }
  const auto size = words.size() + 4;
  model += bytes_field(kTrainerField, number_field(3, kWordModelType) + number_field(4, size) +
                                          number_field(40, 1) + number_field(41, 2) +
                                          number_field(42, 3) + number_field(43, 0));
  return model + bytes_field(kNormalizerField, bytes_field(1, "identity"));
}

}  // namespace nmt
