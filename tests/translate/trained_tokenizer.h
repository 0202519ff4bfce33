#pragma once

#include <string>

#include "support/temporary_folder.h"
#include "text/tokenizer_training.h"

namespace nmt {

inline Tokenizer trained_tokenizer(const std::string& text, TokenizerTraining training) {
  const TemporaryFolder folder;
  training.corpora = {folder.write("text", text)};
  return Tokenizer::from_bytes(train_tokenizer(training), "text");
}

/// The line 200 times, and each letter, so that the vocabulary has them all.
inline std::string with_all_letters(const std::string& line) {
  std::string text;
  for (int i = 0; i < 200; ++i) {
    text += line + "\nword " + std::string(1, static_cast<char>('a' + i % 26)) + "\n";
  }
  return text;
}

}  // namespace nmt
