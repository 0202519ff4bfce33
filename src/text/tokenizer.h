#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/special_tokens.h"

namespace nmt {

/// Turns raw UTF-8 text into token ids and back, by a SentencePiece model.
///
/// Unicode normalization is the model's own (NFKC unless trained otherwise). Cheap to copy; one
/// Tokenizer may be used by several threads at once.
class Tokenizer {
 public:
  /// Throws Error when the file cannot be read, is not a SentencePiece model, or has other ids for
  /// its special tokens than kPadId, kUnknownId, kBosId, kEosId.
  static Tokenizer from_file(const std::filesystem::path& path);

  /// `name` is what messages call the model.
  static Tokenizer from_bytes(std::string model, const std::string& name);

  /// A tokenizer that lower-cases text if the vocabulary was evidently trained on lower-cased text:
  /// fewer than one capital per 200 lower-case letters in every script with case that it knows.
  /// Otherwise, or if user-defined pieces or OpenNMT's case markers have capitals, the same
  /// tokenizer.
  Tokenizer in_known_case() const;
  Tokenizer as_written() const;

  /// The text as encode() reads it: lower-cased, or unchanged.
  std::string as_read(std::string_view text) const;

  /// Ids of the pieces, without kBosId and kEosId. Empty for text that is all white space.
  std::vector<int32_t> encode(std::string_view text) const;

  /// Ids of a randomly sampled segmentation, a function of the seed. Unigram model: sampled with
  /// probability proportional to P(x)^strength (Kudo 2018); BPE model: each merge is skipped with
  /// probability `strength` (Provilkov et al. 2020). As encode() if strength is 0 or the text
  /// exceeds 16 KB. Throws Error for a word or character model, which has only one segmentation.
  std::vector<int32_t> sample(std::string_view text, double strength, uint64_t seed) const;

  /// The text of the ids. Omits padding, BOS and EOS; kUnknownId becomes " ⁇ ". Throws Error for an
  /// id outside the vocabulary.
  std::string decode(const std::vector<int32_t>& ids) const;

  /// The piece as SentencePiece writes it: U+2581 stands for the space before a word.
  const std::string& piece(int32_t id) const;
  std::vector<std::string> pieces(const std::vector<int32_t>& ids) const;

  int32_t vocabulary_size() const;

  /// Whether the model splits at spaces only and changes no character, so that what it reads is
  /// tokens (text/word_vocabulary.h).
  bool reads_tokens() const;

  /// The serialised SentencePiece model, as stored in a model directory.
  const std::string& bytes() const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
  bool lower_cases_ = false;
};

/// The vocabularies of a translator.
struct Tokenizers {
  Tokenizer source;
  Tokenizer target;
};

}  // namespace nmt
