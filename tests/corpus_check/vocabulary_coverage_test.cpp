#include "corpus_check/vocabulary_coverage.h"

#include "support/catch.h"
#include "support/temporary_folder.h"

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

}  // namespace nmt
