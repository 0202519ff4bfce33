#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "config/choices.h"
#include "text/protected_spans.h"
#include "text/sentence_key.h"

namespace nmt {

/// Texts and options for training a SentencePiece model. VocabConfig explains the options.
struct TokenizerTraining {
  std::vector<std::filesystem::path> corpora;  // plain text or .gz, one sentence a line
  int64_t vocabulary_size = 8000;              // smaller if the text has fewer pieces
  VocabularyType type = VocabularyType::kUnigram;
  double character_coverage = 0.9998;
  bool byte_fallback = false;
  UnicodeNormalization normalization = UnicodeNormalization::kNmtNfkc;
  HeldOutSentences held_out = {};           // lines that are left out
  std::vector<SpanKind> placeholders = {};  // kinds that get a piece (text/placeholders.h)
  int64_t max_sentences = 2000000;          // a random sample of this many lines; 0: no limit
  int64_t max_bytes = 48000000;             // of the sample; unigram takes 25 times this in memory
  uint64_t seed = 1;
  int threads = 2;
};

/// Trains a model and returns its serialised bytes, as Tokenizer::from_bytes takes them.
/// Throws Error on unreadable or empty corpora and on impossible sizes.
std::string train_tokenizer(const TokenizerTraining& training);

}  // namespace nmt
