#include "text/word_vocabulary.h"

#include <cstdint>
#include <map>
#include <set>

#include "errors/error.h"
#include "text/character_map.h"
#include "text/model_description.h"
#include "text/protobuf_writer.h"
#include "text/special_tokens.h"
#include "unicode/characters.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

// Numbers of sentencepiece_model.proto.
constexpr uint64_t kTrainerField = 2;
constexpr uint64_t kNormalizerField = 3;
constexpr uint64_t kDenormalizerField = 5;
constexpr uint64_t kWordModelType = 3;

const std::string kSpaceMarkInPiece = "\u2423";
const std::string kJoinerMark = "\uFFED";
const std::string kContinuedMark = "@@";
const std::string kCaseMarker = "\uFF5Fmrk_";  // OpenNMT's Tokenizer with case_markup

// A kind of marks is a vocabulary's own from one word in so many on; web text has a few of each.
constexpr size_t kWordsToAMark = 200;

using Replacements = std::map<std::string, std::string>;

/// What restores text from pieces separated by spaces.
Replacements restoring(SpaceMarks marks) {
  const auto& space = kSpaceMarkInPiece;
  switch (marks) {
    case SpaceMarks::kNone:
      return {{space, std::string(kSpaceMark)}};
    case SpaceMarks::kSpace:
      return {{" ", ""}, {space, " "}};
    case SpaceMarks::kDoubleSpace:
      return {{" ", ""}, {space + space, " "}, {space, ""}};
    case SpaceMarks::kJoiner:
      return {{kJoinerMark, ""},
              {kJoinerMark + " ", ""},
              {" " + kJoinerMark, ""},
              {" " + kJoinerMark + " ", ""},
              {kJoinerMark + " " + kJoinerMark, ""}};
    case SpaceMarks::kContinued:
      return {{kContinuedMark + " ", ""}};
  }
  return {};
}

/// Spaces at the ends and repeated ones vanish, as in text that is encoded.
std::string restoring_normalizer(SpaceMarks marks) {
  return bytes_field(2, character_map(restoring(marks))) + number_field(3, 0) + number_field(4, 1) +
         number_field(5, 0);
}

}  // namespace

SpaceMarks find_space_marks(const std::vector<std::string>& words) {
  std::map<SpaceMarks, size_t> counts;
  for (const auto& word : words) {
    const auto begins = [&](const auto& mark) { return word != mark && begins_with(word, mark); };
    const auto ends = [&](const auto& mark) { return word != mark && ends_with(word, mark); };
    if (begins(kCaseMarker)) return SpaceMarks::kNone;
    if (begins(kSpaceMark)) ++counts[SpaceMarks::kSpace];
    if (begins(std::string(kSpaceMark).append(kSpaceMark))) ++counts[SpaceMarks::kDoubleSpace];
    if (begins(kJoinerMark) || ends(kJoinerMark)) ++counts[SpaceMarks::kJoiner];
    if (ends(kContinuedMark)) ++counts[SpaceMarks::kContinued];
  }
  std::vector<SpaceMarks> found;
  for (const auto& [marks, count] : counts) {
    if (count * kWordsToAMark >= words.size()) found.push_back(marks);
  }
  if (found == std::vector{SpaceMarks::kSpace, SpaceMarks::kDoubleSpace}) {
    return SpaceMarks::kDoubleSpace;
  }
  return found.size() == 1 ? found.front() : SpaceMarks::kNone;
}

bool have_space_marks(std::string_view tokens) {
  const auto have = [&](std::string_view mark) {
    return tokens.find(mark) != std::string_view::npos;
  };
  return have(kSpaceMark) || have(kJoinerMark) || have(kContinuedMark);
}

std::string word_vocabulary(const std::vector<std::string>& words, SpaceMarks marks,
                            const std::string& name) {
  std::string model =
      sentence_piece("<pad>", PieceType::kControl) + sentence_piece("<unk>", PieceType::kUnknown) +
      sentence_piece("<s>", PieceType::kControl) + sentence_piece("</s>", PieceType::kControl);
  std::set<std::string> pieces;
  bool has_space_marks = false;
  for (const auto& word : words) {
    if (word.empty() || word.find(' ') != std::string::npos) {
      throw Error(
          name + ": '" + printable(word) +
          "' cannot be a word: it is empty or holds a space; remove it from the vocabulary");
    }
    auto piece = word;
    replace_all(piece, kSpaceMark, kSpaceMarkInPiece);
    piece.insert(0, kSpaceMark);
    if (!pieces.insert(piece).second)
      throw Error(name + ": '" + printable(word) + "' occurs twice");
    has_space_marks = has_space_marks || word.find(kSpaceMark) != std::string::npos;
    model += sentence_piece(piece, PieceType::kNormal);
  }
  const auto size = words.size() + 4;
  model += bytes_field(kTrainerField, number_field(3, kWordModelType) + number_field(4, size) +
                                          number_field(40, 1) + number_field(41, 2) +
                                          number_field(42, 3) + number_field(43, 0));
  std::string normalizer = bytes_field(1, "identity");
  if (has_space_marks) {
    normalizer += bytes_field(2, character_map({{std::string(kSpaceMark), kSpaceMarkInPiece}}));
  }
  model += bytes_field(kNormalizerField, normalizer);
  if (!has_space_marks && marks == SpaceMarks::kNone) return model;
  return model + bytes_field(kDenormalizerField, restoring_normalizer(marks));
}

bool reads_tokens(std::string_view model) {
  const auto description = describe_sentencepiece_model(model);
  return description.type == "word" && description.normalization == "identity";
}

}  // namespace nmt
