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
  /// Throws Error when the file can't be read, is not a SentencePiece model, or numbers its special
  /// tokens otherwise than kPadId, kUnknownId, kBosId, kEosId.
  static Tokenizer from_file(const std::filesystem::path& path);

  /// `name` is what messages call the model.
  static Tokenizer from_bytes(std::string model, const std::string& name);

  /// The same, but reading text in lower case if the vocabulary has capitals only as strays, fewer
  /// than one for 200 lower-case letters, in every script with case that it knows. It lacks them
  /// because its training text was lower-cased. Not with pieces of the user's that have capitals,
  /// nor with the markers of case of OpenNMT's Tokenizer.
  Tokenizer in_known_case() const;
  Tokenizer as_written() const;

  /// The text as it is read.
  std::string as_read(std::string_view text) const;

  /// Ids of the pieces, without kBosId and kEosId. Empty for text that is all white space.
  std::vector<int32_t> encode(std::string_view text) const;

  /// Ids of the pieces of a segmentation drawn at random, the same for the same seed. With a
  /// unigram model each has a probability proportional to its own to the power of `strength` (Kudo
  /// 2018); with a BPE model each merge is left out with the probability `strength` (Provilkov et
  /// al. 2020). With 0, and for text above 16 KB, as encode(). Throws Error on a model that has no
  /// other segmentations, one of words or characters.
  std::vector<int32_t> sample(std::string_view text, double strength, uint64_t seed) const;

  /// Text of the ids. Padding, BOS and EOS vanish, kUnknownId reads " ⁇ ". Throws Error on an id
  /// outside the vocabulary.
  std::string decode(const std::vector<int32_t>& ids) const;

  /// The piece as SentencePiece writes it: U+2581 stands for the space before a word.
  const std::string& piece(int32_t id) const;
  std::vector<std::string> pieces(const std::vector<int32_t>& ids) const;

  int32_t vocabulary_size() const;

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
