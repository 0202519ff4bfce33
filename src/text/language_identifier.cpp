#include "text/language_identifier.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "text/line_parts.h"
#include "text/model_description.h"
#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

/// Log-probability of an unknown ASCII letter or non-letter, higher than of other unknown
/// characters: Latin names occur in text of every script (not vice versa), and signs belong to no
/// language.
constexpr double kUnknownCommon = -5.0;

bool is_common(std::string_view character) {
  const char first = character.front();
  return (first >= 'a' && first <= 'z') || !is_letter(to_code_points(character).front());
}

/// Normal pieces with their probabilities. Only unigram scores are log-probabilities; other models
/// list pieces roughly by frequency, so the Zipf–Mandelbrot law is used.
std::vector<ModelPiece> piece_probabilities(std::string_view model) {
  const bool unigram = describe_sentencepiece_model(model).type == "unigram";
  auto pieces = scored_pieces(model);
  double sum = 0;
  for (size_t rank = 0; rank < pieces.size(); ++rank) {
    auto& score = pieces[rank].score;
    score = unigram ? std::exp(score) : 1.0 / (static_cast<double>(rank) + 2.7);
    sum += score;
  }
  for (auto& piece : pieces) piece.score /= sum;
  return pieces;
}

constexpr size_t kMaxBytes = 4096;  // of a text; more adds no information
constexpr double kUnknown = 10.0;   // nats below the rarest piece, as in SentencePiece

// Tuned on test sentences of Multi30k and Tatoeba, with vocabularies of the same and of another
// corpus. kNeither: the third language's log-probability relative to the mean of the other two,
// unless a text is nearly as likely as typical text. kTemperature: a sum of log-probabilities
// treats pieces as independent and is overconfident.
constexpr double kNeither = 0.82;
constexpr double kTypical = 1.4;  // times the expected log-probability
constexpr double kMinOdds = 4.0;  // nats in favor of the two
constexpr double kTemperature = 4.0;

}  // namespace

/// A SentencePiece vocabulary as a unigram language model of text without case.
class PieceModel {
 public:
  /// `model`: a serialized SentencePiece model.
  explicit PieceModel(std::string_view model) {
    std::map<std::string, double> probabilities;
    for (const auto& piece : piece_probabilities(model)) {
      probabilities[to_folded(piece.text)] += piece.score;
    }
    double log_probability = 0;
    double characters = 0;
    for (const auto& [text, probability] : probabilities) {
      if (text.empty() || !(probability > 0)) continue;
      pieces_.push_back({text, std::log(probability)});
      rarest_ = std::min(rarest_, pieces_.back().log_probability);
      log_probability += probability * pieces_.back().log_probability;
      characters += probability * static_cast<double>(count_characters(text));
    }
    expected_per_character_ = log_probability / std::max(characters, 1e-9);
  }

  /// NFKC with case folding, and U+2581 before each word as in pieces.
  static std::string prepare(std::string_view text) {
    std::string words;
    for (const auto& word : split_whitespace(to_folded(replace_invalid_utf8(text)))) {
      words += "\u2581" + word;
    }
    return words;
  }

  /// Natural log of the rarest piece's probability.
  double rarest() const { return rarest_; }

  /// Expected log-probability of a text of the same length in the vocabulary's language.
  double expected_log_probability(std::string_view prepared) const {
    return expected_per_character_ * static_cast<double>(count_characters(prepared));
  }

  /// Log-probability of the best segmentation of prepared text (Viterbi algorithm); `unknown`:
  /// log-probability of a character without a piece, unless it is an ASCII letter or not a letter
  /// (kUnknownCommon).
  double log_probability(std::string_view prepared, double unknown) const {
    std::vector<double> best(prepared.size() + 1, -std::numeric_limits<double>::infinity());
    best[0] = 0;
    for (size_t begin = 0; begin < prepared.size(); ++begin) {
      if (continues_character(prepared[begin])) continue;
      const size_t next = begin + character_length(prepared, begin);
      const bool common = is_common(prepared.substr(begin, next - begin));
      best[next] = std::max(best[next], best[begin] + (common ? kUnknownCommon : unknown));
      extend(prepared, begin, best);
    }
    return best.back();
  }

 private:
  struct Piece {
    std::string text;
    double log_probability;
  };

  /// Tries all pieces that match at `begin`: the range of candidates narrows with each byte.
  void extend(std::string_view text, size_t begin, std::vector<double>& best) const {
    auto first = pieces_.begin();
    auto last = pieces_.end();
    for (size_t length = 0; begin + length < text.size(); ++length) {
      const auto byte = static_cast<uint8_t>(text[begin + length]);
      const auto byte_of = [length](const Piece& piece) {
        return length < piece.text.size()
                   ? static_cast<int>(static_cast<uint8_t>(piece.text[length]))
                   : -1;
      };
      first = std::lower_bound(first, last, byte, [&](const Piece& piece, uint8_t wanted) {
        return byte_of(piece) < wanted;
      });
      last = std::upper_bound(first, last, byte, [&](uint8_t wanted, const Piece& piece) {
        return wanted < byte_of(piece);
      });
      if (first == last) return;
      const size_t end = begin + length + 1;
      if (first->text.size() == length + 1) {
        best[end] = std::max(best[end], best[begin] + first->log_probability);
      }
    }
  }

  std::vector<Piece> pieces_;  // sorted by their bytes
  double rarest_ = 0;
  double expected_per_character_ = 0;
};

struct LanguageIdentifier::Impl {
  PieceModel source;
  PieceModel target;
};

LanguageIdentifier::LanguageIdentifier(const Tokenizers& tokenizers) {
  const auto& source = tokenizers.source.bytes();
  const auto& target = tokenizers.target.bytes();
  if (source != target) {
    impl_ = std::make_shared<const Impl>(Impl{PieceModel(source), PieceModel(target)});
  }
}

LanguageProbabilities LanguageIdentifier::identify(std::string_view text) const {
  if (impl_ == nullptr || !has_letters(text)) return {};
  const auto words = PieceModel::prepare(split_line(text, kMaxBytes).front());
  const double unknown = std::min(impl_->source.rarest(), impl_->target.rarest()) - kUnknown;
  const double source = impl_->source.log_probability(words, unknown);
  const double target = impl_->target.log_probability(words, unknown);
  const double source_typical = kTypical * impl_->source.expected_log_probability(words);
  const double target_typical = kTypical * impl_->target.expected_log_probability(words);
  auto neither =
      std::min(kNeither * (source + target) / 2, std::min(source_typical, target_typical)) -
      kMinOdds;
  // Much likelier under one vocabulary than the other, e.g. because of its script: not a third
  // language.
  const double own_typical = source > target ? source_typical : target_typical;
  if (std::abs(source - target) > -own_typical) {
    neither = -std::numeric_limits<double>::infinity();
  }
  const double best = std::max({source, target, neither});
  LanguageProbabilities result = {std::exp((source - best) / kTemperature),
                                  std::exp((target - best) / kTemperature),
                                  std::exp((neither - best) / kTemperature)};
  const double sum = result.source + result.target + result.neither;
  return {result.source / sum, result.target / sum, result.neither / sum};
}

}  // namespace nmt
