#include "text/recaser.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "text/model_description.h"
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

}  // namespace

struct Recaser::Impl {
  double score(const std::string& word) const {
    double sum = 0.0;
    for (const int32_t id : tokenizer.encode(word)) {
      sum += log_probabilities[static_cast<size_t>(id)];
    }
    return sum;
  }

  Tokenizer tokenizer;
  std::vector<double> log_probabilities;
};

Recaser::Recaser(const Tokenizer& tokenizer)
    : impl_(std::make_shared<const Impl>(
          Impl{tokenizer.as_written(), log_probabilities_of(tokenizer)})) {}

std::optional<std::string> Recaser::ordinary(std::string_view sentence,
                                             LetterCase letter_case) const {
  if (letter_case == LetterCase::kOrdinary) return {};
  double gained = 0.0;
  bool is_first = true;
  std::string result;
  const auto add_word = [&](const std::string& word) {
    const auto lower = to_lower(word);
    const bool may_be_lower = !std::exchange(is_first, false);  // sentences begin with a capital
    if (letter_case == LetterCase::kTitleCase && word == lower) {
      result += word;
      return;
    }
    auto variants = std::vector<std::string>{to_capitalized(word)};
    if (may_be_lower) variants.push_back(lower);
    // ß has no capital: "STRASSE" may be "Straße".
    if (letter_case == LetterCase::kAllCaps && lower.find("ss") != std::string::npos) {
      auto sharp = lower;
      replace_all(sharp, "ss", "ß");
      variants.insert(variants.end(), {sharp, to_capitalized(sharp)});
    }
    const double as_written = impl_->score(word);
    double best = as_written;
    const std::string* chosen = &word;
    for (const auto& variant : variants) {
      const double score = impl_->score(variant);
      if (score <= best) continue;
      best = score;
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
