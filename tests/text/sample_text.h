#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "numbers/random.h"
#include "support/temporary_folder.h"
#include "text/tokenizer_training.h"

namespace nmt {

/// A file of its own, gone at the end of the test.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& content)
      : path_(folder_.write(name, content)) {}

  const std::filesystem::path& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
};

/// Made-up sentences of Latin, Korean and accented words.
inline std::vector<std::string> sample_sentences(int count, uint64_t seed = 7) {
  const std::vector<std::string> words = {
      "river",  "stone",  "lantern", "walks",  "quietly", "seven",  "green",  "garden",
      "café",   "naïve",  "straße",  "über",   "élan",    "한국어", "문장을", "번역하는",
      "강가에", "등불이", "조용히",  "걷는다", "12",      "3.5",    "the",    "under"};
  Random random(seed, 1);
  std::vector<std::string> sentences;
  for (int i = 0; i < count; ++i) {
    std::string sentence;
    for (uint64_t left = 3 + random.below(9); left > 0; --left) {
      if (!sentence.empty()) sentence += ' ';
      sentence += words[random.below(words.size())];
    }
    sentences.push_back(sentence + ".");
  }
  return sentences;
}

inline std::string as_lines(const std::vector<std::string>& sentences) {
  std::string text;
  for (const auto& sentence : sentences) text += sentence + "\n";
  return text;
}

/// A small model of the sample sentences.
inline std::string train_sample(const std::string& type, int64_t size, bool byte_fallback = false,
                                const std::string& normalization = "nmt_nfkc") {
  const TemporaryFile corpus("sample_" + type + std::to_string(size),
                             as_lines(sample_sentences(300)));
  TokenizerTraining training;
  training.corpora = {corpus.path()};
  training.vocabulary_size = size;
  training.type = parse_choice<VocabularyType>(type).value();
  training.character_coverage = 1.0;
  training.byte_fallback = byte_fallback;
  training.normalization = parse_choice<UnicodeNormalization>(normalization).value();
  return train_tokenizer(training);
}

}  // namespace nmt
