#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/prepare.h"
#include "numbers/random.h"
#include "support/temporary_folder.h"
#include "text/tokenizer.h"
#include "text/tokenizer_training.h"

namespace nmt {

/// A made-up parallel text: line i of both sides has about the same, varying number of words.
struct MadeUpText {
  std::vector<std::string> source;
  std::vector<std::string> target;
};

inline MadeUpText make_text(int64_t lines, uint64_t seed) {
  static const char* const kWords[] = {"ba", "lo", "miru", "tana", "eki", "sopo", "du"};
  Random random(seed, 0);
  MadeUpText text;
  for (int64_t i = 0; i < lines; ++i) {
    std::string source;
    std::string target;
    const uint64_t words = 1 + random.below(17);
    for (uint64_t w = 0; w < words; ++w) {
      source += std::string(w == 0 ? "" : " ") + kWords[random.below(7)];
      target += std::string(w == 0 ? "" : " ") + kWords[random.below(7)] + "x";
    }
    text.source.push_back(source);
    text.target.push_back(target);
  }
  return text;
}

inline std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

inline Tokenizer train_on(const std::filesystem::path& file, int64_t size = 40) {
  TokenizerTraining training;
  training.corpora = {file};
  training.vocabulary_size = size;
  training.type = VocabularyType::kBpe;
  return Tokenizer::from_bytes(train_tokenizer(training), file.string());
}

/// Two text files, their vocabularies and a request to prepare them.
struct PreparedText {
  TemporaryFolder folder;
  MadeUpText text;
  CorpusRequest request;
  std::shared_ptr<Tokenizer> source;
  std::shared_ptr<Tokenizer> target;

  explicit PreparedText(int64_t lines, uint64_t seed = 1) : text(make_text(lines, seed)) {
    request.source_path = folder.write("source", join_lines(text.source));
    request.target_path = folder.write("target", join_lines(text.target));
    request.cache_dir = folder / "cache";
    source = std::make_shared<Tokenizer>(train_on(request.source_path));
    target = std::make_shared<Tokenizer>(train_on(request.target_path));
  }

  ParallelCorpus prepare() const { return prepare_corpus(request, *source, *target); }
};

}  // namespace nmt
