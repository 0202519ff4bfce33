#pragma once

#include <memory>
#include <string_view>

#include "text/tokenizer.h"

namespace nmt {

/// Probabilities of a text's language; they sum to 1.
struct LanguageProbabilities {
  double source = 0.5;
  double target = 0.5;
  double neither = 0.0;
};

/// Distinguishes a translator's two languages by their vocabularies alone: the likelier the pieces
/// of a text's best segmentation, the likelier the language. Ignores case. A text in a third
/// language is about equally unlikely under both vocabularies.
///
/// Cheap to copy; safe for several threads at once.
class LanguageIdentifier {
 public:
  explicit LanguageIdentifier(const Tokenizers& tokenizers);

  /// False if source and target share one vocabulary; identify() then always reports a tie.
  bool has_two_vocabularies() const { return impl_ != nullptr; }

  /// A tie for a text without letters. Only the first 4 KB are used.
  LanguageProbabilities identify(std::string_view text) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace nmt
