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

/// Tells a translator's two languages apart by their vocabularies alone: the likelier the pieces of
/// a text's best segmentation, the likelier the language. Case does not matter. A text of a third
/// language is unlikely by both vocabularies, and about equally so.
///
/// Cheap to copy; safe for several threads at once.
class LanguageIdentifier {
 public:
  explicit LanguageIdentifier(const Tokenizers& tokenizers);

  /// False where source and target share one vocabulary: identify() then always reports a tie.
  bool has_two_vocabularies() const { return impl_ != nullptr; }

  /// Source and target are equal for a text without letters. Only its first 4 KB count.
  LanguageProbabilities identify(std::string_view text) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace nmt
