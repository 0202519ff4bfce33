#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/piece_table.h"
#include "text/sentencepiece.h"

namespace nmt {

/// Draws segmentations of text into the pieces of a SentencePiece model at random. SentencePiece
/// can do this too, but since version 0.2.2 it mixes a per-process random number into every seed,
/// which makes training irreproducible. Safe for several threads at once.
class SubwordSampler {
 public:
  explicit SubwordSampler(const std::string& model);

  /// See Tokenizer::sample(). nullopt if SentencePiece fails.
  std::optional<std::vector<int32_t>> sample(std::string_view text, double strength,
                                             uint64_t seed) const;

 private:
  std::string type_;
  std::unique_ptr<SentencePieceModel> characters_;  // only normalizes text
  PieceTable pieces_;
};

}  // namespace nmt
