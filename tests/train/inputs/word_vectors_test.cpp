#include "train/inputs/word_vectors.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"
#include "text/tokenizer_training.h"

namespace nmt {
namespace {

constexpr char kText[] = "ab  ab, c!\nb zz\n";

/// Whose pieces are single characters.
Tokenizer character_tokenizer(const std::filesystem::path& text) {
  TokenizerTraining training;
  training.corpora = {text};
  training.type = VocabularyType::kBpe;
  training.character_coverage = 1.0;
  training.vocabulary_size = 11;  // four special tokens, six characters and the space: no merges
  return Tokenizer::from_bytes(train_tokenizer(training), "characters");
}

std::map<std::string, std::vector<float>> vectors_by_piece(const TemporaryFolder& folder,
                                                           const std::string& vectors) {
  const auto text = folder.write("text", kText);
  const auto tokenizer = character_tokenizer(text);
  std::map<std::string, std::vector<float>> found;
  for (const auto& [id, vector] :
       read_piece_vectors(folder.write("vec", vectors), 2, {text.string()}, tokenizer)) {
    found[tokenizer.piece(id)] = vector;
  }
  return found;
}

std::string error_with(const std::string& vectors) {
  const TemporaryFolder folder;
  auto error = error_of([&] { vectors_by_piece(folder, vectors); });
  return error.substr(error.find("vec: "));
}

}  // namespace

TEST_CASE("A piece starts as the mean of the words that it is in", "[train]") {
  const TemporaryFolder folder;
  // "ab" occurs twice, once before a comma; "c" and "b" once; "zz" has no vector, "q" no place.
  const std::string words = "ab 1 0\nb 0 4 \nq 9 9\nc\t2 2\nab 7 7\n";
  for (const std::string header : {"5 2\n", ""}) {
    INFO(header);
    const auto found = vectors_by_piece(folder, header + words);
    REQUIRE(found.size() == 4);
    CHECK(found.at("a") == std::vector<float>{1, 0});
    CHECK(found.at("c") == std::vector<float>{2, 2});
    CHECK(found.at("b")[0] == Approx(2.0 / 3));       // (2 · 1 + 0) / 3
    CHECK(found.at("b")[1] == Approx(4.0 / 3));       // (2 · 0 + 4) / 3
    CHECK(found.at("\xE2\x96\x81")[0] == Approx(1));  // (2 · 1 + 0 + 2) / 4: all words begin so
    CHECK(found.at("\xE2\x96\x81")[1] == Approx(1.5));
  }
}

TEST_CASE("Vectors that do not fit the model are refused with their line", "[train]") {
  CHECK(error_with("2 3\nab 1 0 0\nb 1 0 0\n") ==
        "vec: line 2: a vector of 3 numbers, but model.embedding_size is 2; use vectors of that "
        "size, or set it to theirs");
  CHECK(contains(error_with("ab 1\n"), "vec: line 1: a vector of 1 numbers"));
  CHECK(contains(error_with("q 1 1\nab 1 0 0\n"), "vec: line 2: a vector of 3 numbers"));
  CHECK(contains(error_with("ab 1 x\n"), "vec: line 1: not a word and its numbers"));
  CHECK(contains(error_with("ab 1 nan\n"), "vec: line 1: not a word and its numbers"));
  CHECK(contains(error_with(std::string("1 2\nab \x01\x02\xFF\n")), "vec: line 2: not a word"));
  CHECK(contains(error_with(""), "vec: no vectors"));
  CHECK(contains(error_with("q 1 1\n"), "vec: no word of the training text has a vector"));
  const TemporaryFolder folder;
  require_word_vectors(folder.write("fine", "7 2\nw 1 2\nother 1\n"), 2);
  CHECK_THROWS_AS(require_word_vectors(folder / "fine", 3), Error);
  CHECK_THROWS_AS(require_word_vectors(folder / "none", 3), Error);
}

}  // namespace nmt
