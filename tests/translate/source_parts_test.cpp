#include "translate/source_parts.h"

#include "support/catch.h"

namespace nmt {
namespace {

Tokenizer sample_tokenizer() {
  return Tokenizer::from_file(std::string(NMT_SOURCE_DIR) + "/models/sample/source.spm");
}

}  // namespace

TEST_CASE("A long source is cut behind sentences and nothing is lost", "[translate]") {
  const auto tokenizer = sample_tokenizer();
  const auto tokens =
      tokenizer.encode("저는 책을 읽어요. 민수는 커피를 마셔요. 우리는 학교에 가요.");
  for (int64_t length = 1; length <= static_cast<int64_t>(tokens.size()); ++length) {
    std::vector<int32_t> joined;
    for (const auto& part : split_source(tokens, length, tokenizer)) {
      REQUIRE(part.size() <= static_cast<size_t>(length));
      REQUIRE_FALSE(part.empty());
      joined.insert(joined.end(), part.begin(), part.end());
    }
    REQUIRE(joined == tokens);
  }
  const auto parts = split_source(tokens, static_cast<int64_t>(tokens.size()) - 1, tokenizer);
  REQUIRE(parts.size() == 3);
  REQUIRE(tokenizer.decode(parts[1]) == "민수는 커피를 마셔요.");
}

TEST_CASE("A short or empty source is one part", "[translate]") {
  const auto tokenizer = sample_tokenizer();
  REQUIRE(split_source({}, 5, tokenizer).size() == 1);
  REQUIRE(split_source({4, 5}, 5, tokenizer).front() == std::vector<int32_t>{4, 5});
}

}  // namespace nmt
