#include "text/word_vocabulary.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>

#include "errors/error.h"
#include "text/character_map.h"
#include "text/model_description.h"
#include "text/protobuf.h"
#include "text/special_tokens.h"
#include "text/written_words.h"
#include "unicode/characters.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

// Field and type numbers of sentencepiece_model.proto.
constexpr uint64_t kTrainerField = 2;
constexpr uint64_t kNormalizerField = 3;
constexpr uint64_t kDenormalizerField = 5;
constexpr uint64_t kWordModelType = 3;

const std::string kSpaceMarkInPiece = "\u2423";
const std::string kJoinerMark = "\uFFED";
const std::string kContinuedMark = "@@";
const std::string kCaseMarker = "\uFF5Fmrk_";  // OpenNMT's Tokenizer with case_markup

// A vocabulary uses a kind of marks if at least one word in this many has it; web text has a few
// marks of every kind.
constexpr size_t kWordsToAMark = 200;

using Replacements = std::map<std::string, std::string>;

/// The replacements that restore text from space-separated pieces.
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

/// The denormalizer; it also trims and collapses spaces, as for encoded text.
std::string denormalizer(SpaceMarks marks) {
  return bytes_field(kDenormalizerField, bytes_field(2, character_map(restoring(marks))) +
                                             number_field(3, 0) + number_field(4, 1) +
                                             number_field(5, 0));
}

/// The marks that word_vocabulary() made it with; kNone for other tokenizers.
SpaceMarks marks_of(const Tokenizer& tokenizer) {
  if (!tokenizer.reads_tokens()) return SpaceMarks::kNone;
  for (const auto marks : {SpaceMarks::kSpace, SpaceMarks::kDoubleSpace, SpaceMarks::kJoiner,
                           SpaceMarks::kContinued}) {
    if (ends_with(tokenizer.bytes(), denormalizer(marks))) return marks;
  }
  return SpaceMarks::kNone;
}

bool has_marks(const std::string& line, SpaceMarks marks) {
  if (marks == SpaceMarks::kJoiner) return line.find(kJoinerMark) != std::string::npos;
  if (marks == SpaceMarks::kContinued) return line.find(kContinuedMark) != std::string::npos;
  return line.find(kSpaceMark) != std::string::npos;
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

bool is_split_into_subwords(const std::string& line) {
  if (!have_space_marks(line)) return false;
  auto words = written_words(line);
  if (!words.empty() && ends_with(words.back(), kContinuedMark)) words.pop_back();
  return find_space_marks(words) != SpaceMarks::kNone;
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
  return model + denormalizer(marks);
}

std::vector<std::string> text_of_tokens(std::vector<std::string> lines,
                                        const Tokenizer& tokenizer) {
  const auto marks = marks_of(tokenizer);
  if (marks == SpaceMarks::kNone) return lines;
  std::set<std::string> words;
  for (const auto& line : lines) {
    std::istringstream stream(line);
    for (std::string word; std::getline(stream, word, ' ');) {
      replace_all(word, kSpaceMarkInPiece, kSpaceMark);  // both have the same piece
      if (!word.empty()) words.insert(word);
    }
  }
  if (words.empty()) return lines;
  const auto all_known =
      Tokenizer::from_bytes(word_vocabulary({words.begin(), words.end()}, marks, "text"), "text");
  for (auto& line : lines) {
    if (has_marks(line, marks)) line = all_known.decode(all_known.encode(line));
  }
  return lines;
}

bool misreads_text(const Tokenizer& tokenizer, const std::vector<std::string>& lines) {
  const auto marks = marks_of(tokenizer);
  if (marks == SpaceMarks::kNone) return false;
  const auto is_marked = [&](const std::string& line) { return has_marks(line, marks); };
  const auto has_unknown_word = [&](const std::string& line) {
    const auto ids = tokenizer.encode(line);
    return std::find(ids.begin(), ids.end(), kUnknownId) != ids.end();
  };
  return std::none_of(lines.begin(), lines.end(), is_marked) &&
         std::any_of(lines.begin(), lines.end(), has_unknown_word);
}

}  // namespace nmt
