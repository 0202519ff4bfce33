#pragma once

#include <cstdint>
#include <string>

#include "support/temporary_folder.h"
#include "text/tokenizer_training.h"

namespace nmt {

inline Tokenizer trained_tokenizer(const std::string& text, TokenizerTraining training) {
  const TemporaryFolder folder;
  training.corpora = {folder.write("text", text)};
  return Tokenizer::from_bytes(train_tokenizer(training), "text");
}

/// A BPE vocabulary of the line and of each letter, so that it has them all.
inline Tokenizer bpe_tokenizer(const std::string& line, int64_t size) {
  std::string text;
  for (int i = 0; i < 200; ++i) {
    text += line + "\nword " + std::string(1, static_cast<char>('a' + i % 26)) + "\n";
  }
  TokenizerTraining training;
  training.vocabulary_size = size;
  training.type = VocabularyType::kBpe;
  return trained_tokenizer(text, training);
}

}  // namespace nmt
