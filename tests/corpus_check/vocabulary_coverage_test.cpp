#include "corpus_check/vocabulary_coverage.h"

#include "support/catch.h"
#include "support/temporary_folder.h"
#include "text/tokenizer_training.h"

namespace nmt {

TEST_CASE("Characters that a vocabulary lacks are counted and named", "[inspect]") {
  const TemporaryFolder folder;
  const auto tokenizer = Tokenizer::from_file(NMT_SOURCE_DIR "/models/sample/target.spm");
  const auto text = folder.write("text", "Please go.\nPlease go ☃ ☃ 漢.\n\nGo\n");
  const auto coverage = measure_coverage(text, tokenizer);
  REQUIRE(coverage.words == 2 + 4 + 1.5 + 1);  // 漢 is half a word, what is written to it another
  REQUIRE(coverage.unknown >= 3);
  REQUIRE(coverage.unknown_characters[0] == "☃");
  REQUIRE(coverage.unknown_characters[1] == "漢");
  REQUIRE(coverage.unused > tokenizer.vocabulary_size() - 50);
  const auto own = measure_coverage(NMT_SOURCE_DIR "/data/sample/train.en", tokenizer);
  REQUIRE(own.unknown * 1000 < own.tokens);
  REQUIRE(own.unused * 2 < tokenizer.vocabulary_size());
}

TEST_CASE("What has a placeholder on both sides is known to the vocabulary", "[inspect]") {
  const TemporaryFolder folder;
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += "see https://a.org/" + std::to_string(i) + " now\n";
  const auto text = folder.write("text", lines);
  TokenizerTraining training;
  training.corpora = {text};
  training.vocabulary_size = 16;
  training.type = VocabularyType::kBpe;
  training.placeholders = {SpanKind::kUrl};
  const auto tokenizer = Tokenizer::from_bytes(train_tokenizer(training), "text");
  REQUIRE(measure_coverage(text, tokenizer).unknown > 0);
  const auto none = folder.write("none", std::string(20, '\n'));
  REQUIRE(measure_coverage(text, tokenizer, none, training.placeholders).unknown > 0);
  const auto coverage = measure_coverage(text, tokenizer, text, training.placeholders);
  REQUIRE(coverage.unknown == 0);
  REQUIRE(coverage.unknown_characters.empty());
  REQUIRE(coverage.words == measure_coverage(text, tokenizer).words);
}

}  // namespace nmt
