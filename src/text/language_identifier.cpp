#include "text/language_identifier.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "text/line_parts.h"
#include "text/piece_model.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr size_t kMaxBytes = 4096;  // of a text; more say nothing new
constexpr double kUnknown = 10.0;   // nats below the rarest piece, as SentencePiece has it

// Measured on test sentences of Multi30k and Tatoeba, with vocabularies of the same and of another
// corpus. The third language's likelihood is this share of the mean of the other two, unless a text
// is nearly as likely as the vocabulary's own; and the sum of a text's log-probabilities, which
// treats its pieces as independent, is too sure of itself.
constexpr double kNeither = 0.82;
constexpr double kTypical = 1.4;  // times the expected log-probability
constexpr double kMinOdds = 4.0;  // nats in favor of the two
constexpr double kTemperature = 4.0;

}  // namespace

struct LanguageIdentifier::Impl {
  explicit Impl(const Tokenizers& tokenizers)
      : source(tokenizers.source.bytes()), target(tokenizers.target.bytes()) {}

  PieceModel source;
  PieceModel target;
};

LanguageIdentifier::LanguageIdentifier(const Tokenizers& tokenizers) {
  if (tokenizers.source.bytes() == tokenizers.target.bytes()) return;
  impl_ = std::make_shared<const Impl>(tokenizers);
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
  // Much likelier by one than by the other, such as by its script: not of a third language.
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

bool has_letters(std::string_view text) {
  const auto codes = to_code_points(text);
  return std::any_of(codes.begin(), codes.end(), is_letter);
}

}  // namespace nmt
