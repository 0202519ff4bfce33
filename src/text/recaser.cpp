#include "text/recaser.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include "text/model_description.h"
#include "text/special_tokens.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

constexpr double kUnknownPiece = 10.0;  // nats below the rarest piece

/// The natural log-probability of each piece, by id. Only unigram scores are log-probabilities;
/// other models list pieces roughly by frequency, so Zipf's law is used.
std::vector<double> log_probabilities_of(const Tokenizer& tokenizer) {
  const bool unigram = describe_sentencepiece_model(tokenizer.bytes()).type == "unigram";
  auto pieces = model_pieces(tokenizer.bytes());
  double rank = 1.0;
  double rarest = 0.0;
  for (auto& piece : pieces) {
    if (piece.type != PieceType::kNormal) continue;
    if (!unigram) piece.score = -std::log(++rank);
    rarest = std::min(rarest, piece.score);
  }
  std::vector<double> values;
  for (const auto& piece : pieces) {
    values.push_back(piece.type == PieceType::kNormal ? piece.score : rarest - kUnknownPiece);
  }
  return values;
}

/// The word from its first to its last letter.
std::u32string without_marks(const std::string& word) {
  const auto codes = to_code_points(word);
  const auto first = std::find_if(codes.begin(), codes.end(), is_letter);
  return {first, std::find_if(codes.rbegin(), std::make_reverse_iterator(first), is_letter).base()};
}

/// The number of capitals in a word in capitals; 0 for others.
size_t capitals_of(const std::string& word) {
  const auto codes = to_code_points(word);
  if (!is_in_capitals(codes)) return 0;
  return static_cast<size_t>(std::count_if(codes.begin(), codes.end(), is_upper_case));
}

/// The fewest letters of a word in capitals that is recased in an ordinary sentence. Shorter ones
/// may be acronyms unless most of the sentence is in capitals.
size_t fewest_capitals(std::string_view sentence) {
  size_t words = 0;
  size_t in_capitals = 0;
  for (const auto& word : split_whitespace(sentence)) {
    if (has_letters(word)) ++words;
    if (capitals_of(word) > 0) ++in_capitals;
  }
  return in_capitals >= 3 && 2 * in_capitals >= words ? 2 : 4;
}

}  // namespace

Recaser::Recaser(const Tokenizer& tokenizer)
    : tokenizer_(tokenizer.as_written()), log_probabilities_(log_probabilities_of(tokenizer)) {}

double Recaser::score(const std::string& word) const {
  double sum = 0.0;
  for (const int32_t id : tokenizer_.encode(word)) {
    sum += log_probabilities_[static_cast<size_t>(id)];
  }
  return sum;
}

/// Whether the vocabulary knows this spelling, but the one in capitals, unlike an acronym, only
/// letter by letter.
bool Recaser::is_far_shorter(const std::string& spelling, const std::string& in_capitals) const {
  const auto lacks_piece = [](const auto& tokens) {
    return std::find(tokens.begin(), tokens.end(), kUnknownId) != tokens.end();
  };
  const auto letters = without_marks(in_capitals);
  const auto tokens = tokenizer_.encode(to_utf8(without_marks(spelling)));
  const auto other = tokenizer_.encode(to_utf8(letters));
  // Adjacent unknown letters are one token.
  const size_t others = lacks_piece(other) ? letters.size() + 1 : other.size();
  return 3 * tokens.size() <= others && !lacks_piece(tokens);
}

std::optional<std::string> Recaser::ordinary(std::string_view sentence,
                                             LetterCase letter_case) const {
  const bool is_ordinary = letter_case == LetterCase::kOrdinary;
  const size_t fewest = is_ordinary ? fewest_capitals(sentence) : 1;
  double gained = 0.0;
  bool is_first = true;
  std::string result;
  const auto add_word = [&](const std::string& word) {
    const auto lower = to_lower(word);
    const bool may_be_lower = !std::exchange(is_first, false);  // sentences begin with a capital
    const bool may_change =
        letter_case == LetterCase::kTitleCase ? word != lower : capitals_of(word) >= fewest;
    if (!may_change) {
      result += word;
      return;
    }
    auto variants = std::vector<std::string>{to_capitalized(word)};
    if (may_be_lower) variants.push_back(lower);
    // ß has no capital: "STRASSE" may be "Straße".
    if (letter_case != LetterCase::kTitleCase && lower.find("ss") != std::string::npos) {
      auto sharp = lower;
      replace_all(sharp, "ss", "ß");
      variants.insert(variants.end(), {sharp, to_capitalized(sharp)});
    }
    const double as_written = score(word);
    double best = as_written;
    const std::string* chosen = &word;
    for (const auto& variant : variants) {
      const double likelihood = score(variant);
      if (likelihood <= best || (is_ordinary && !is_far_shorter(variant, word))) continue;
      best = likelihood;
      chosen = &variant;
    }
    gained += best - as_written;
    result += *chosen;
  };
  std::u32string word;
  for (const char32_t code : to_code_points(sentence)) {
    if (!is_whitespace(code)) {
      word += code;
      continue;
    }
    if (!word.empty()) add_word(to_utf8(word));
    word.clear();
    result += to_utf8({&code, 1});
  }
  if (!word.empty()) add_word(to_utf8(word));
  if (gained <= 0.0) return {};
  return result;
}

}  // namespace nmt
