#include "text/tokenizer_training.h"

#include <zlib.h>

#include <algorithm>
#include <set>
#include <string>

#include "errors/error.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "text/sample_text.h"
#include "text/tokenizer.h"

using Catch::Matchers::ContainsSubstring;
using nmt::TemporaryFile;
using nmt::Tokenizer;
using nmt::TokenizerTraining;

namespace {

TokenizerTraining training_of(const TemporaryFile& corpus, const std::string& type, int64_t size) {
  TokenizerTraining training;
  training.corpora = {corpus.path()};
  training.type = nmt::parse_choice<nmt::VocabularyType>(type).value();
  training.vocabulary_size = size;
  training.character_coverage = 1.0;
  return training;
}

int32_t trained_size(const TokenizerTraining& training) {
  return Tokenizer::from_bytes(nmt::train_tokenizer(training), "trained").vocabulary_size();
}

}  // namespace

TEST_CASE("The same corpus and seed train the same model", "[text][training]") {
  const TemporaryFile corpus("same", nmt::as_lines(nmt::sample_sentences(300)));
  for (const std::string type : {"unigram", "bpe"}) {
    auto training = training_of(corpus, type, 91);
    training.max_sentences = 41;
    CHECK(nmt::train_tokenizer(training) == nmt::train_tokenizer(training));
  }
}

TEST_CASE("A vocabulary size that the text can't fill is lowered", "[text][training]") {
  const TemporaryFile corpus("few", nmt::as_lines(nmt::sample_sentences(30)));
  for (const std::string type : {"unigram", "bpe"}) {
    const auto size = trained_size(training_of(corpus, type, 30000));
    CHECK(size > 50);
    CHECK(size < 3000);
  }
}

// Fails when SentencePiece words its message in another way.
TEST_CASE("A vocabulary size below the characters is an Error that names the least",
          "[text][training][sentencepiece]") {
  const TemporaryFile corpus("many", nmt::as_lines(nmt::sample_sentences(100)));
  for (const std::string type : {"unigram", "bpe"}) {
    const auto message =
        nmt::error_of([&] { nmt::train_tokenizer(training_of(corpus, type, 11)); });
    const std::string mark = "needs at least ";
    REQUIRE(nmt::contains(message, mark));
    const auto least = std::stoll(message.substr(message.find(mark) + mark.size()));
    CHECK(trained_size(training_of(corpus, type, least)) <= least);
    CHECK_THROWS_WITH(nmt::train_tokenizer(training_of(corpus, type, least - 1)),
                      ContainsSubstring(mark));
    CHECK_THROWS_AS(nmt::train_tokenizer(training_of(corpus, type, 4)), nmt::Error);
    CHECK_THROWS_AS(nmt::train_tokenizer(training_of(corpus, type, -3)), nmt::Error);
  }
}

TEST_CASE("Impossible settings are named", "[text][training]") {
  const TemporaryFile corpus("settings", nmt::as_lines(nmt::sample_sentences(100)));
  auto training = training_of(corpus, "bpe", 97);
  training.character_coverage = 1.5;
  CHECK_THROWS_WITH(nmt::train_tokenizer(training), ContainsSubstring("coverage"));
}

TEST_CASE("A corpus without text is an Error", "[text][training]") {
  for (const std::string content : {"", "\n\n", "   \n", "\u200b\n", "▁ ▁\n", "▅\n"}) {
    const TemporaryFile corpus("blank", content);
    for (const std::string type : {"unigram", "bpe"}) {
      CHECK_THROWS_WITH(nmt::train_tokenizer(training_of(corpus, type, 97)),
                        ContainsSubstring("no text"));
    }
  }
  TokenizerTraining missing;
  missing.corpora = {"/nonexistent/corpus.txt"};
  CHECK_THROWS_WITH(nmt::train_tokenizer(missing), ContainsSubstring("/nonexistent/corpus.txt"));
}

TEST_CASE("Ill-formed UTF-8 in a corpus is named by file and line", "[text][training]") {
  const TemporaryFile corpus("utf8", "river\nst\xffone\n");
  CHECK_THROWS_WITH(nmt::train_tokenizer(training_of(corpus, "unigram", 97)),
                    ContainsSubstring(corpus.path().string()) && ContainsSubstring("line 2"));
}

TEST_CASE("Lines of any length are trained from", "[text][training]") {
  // Varied text: SentencePiece 0.2.2 takes minutes for 70 KB of one letter or word.
  std::string spaced;
  std::string ligatures;  // U+FDFA grows to eleven times its size under NFKC
  for (const auto& sentence : nmt::sample_sentences(3000, 3)) {
    spaced += sentence + " ";
    ligatures += "\ufdfa\ufdfa" + sentence.substr(0, sentence.find(' '));
  }
  auto no_spaces = spaced;
  no_spaces.erase(std::remove(no_spaces.begin(), no_spaces.end(), ' '), no_spaces.end());
  REQUIRE(no_spaces.size() > 70000);
  const TemporaryFile corpus("long", no_spaces + "\n" + spaced + "\n" + ligatures + "\n");
  for (const std::string type : {"unigram", "bpe"}) {
    const auto tokenizer =
        Tokenizer::from_bytes(nmt::train_tokenizer(training_of(corpus, type, 91)), "long");
    CHECK(tokenizer.decode(tokenizer.encode("lantern")) == "lantern");
  }
}

TEST_CASE("A compressed corpus and its parts train the model of the plain one",
          "[text][training]") {
  const auto first = nmt::as_lines(nmt::sample_sentences(100, 1));
  const auto second = nmt::as_lines(nmt::sample_sentences(100, 2));
  const TemporaryFile plain("plain", first + second);
  const TemporaryFile compressed("packed.gz", "");
  gzFile out = gzopen(compressed.path().c_str(), "wb");
  REQUIRE(out != nullptr);
  gzwrite(out, first.data(), static_cast<unsigned>(first.size()));
  gzclose(out);
  const TemporaryFile rest("rest", second);
  auto parts = training_of(compressed, "unigram", 91);
  parts.corpora.push_back(rest.path());
  CHECK(nmt::train_tokenizer(parts) == nmt::train_tokenizer(training_of(plain, "unigram", 91)));
}

TEST_CASE("A sample smaller than the corpus draws on all of it", "[text][training]") {
  // Each line has a letter of its own, so the pieces tell which lines were drawn.
  std::string text;
  for (char letter = 'a'; letter <= 'z'; ++letter) text += std::string(3, letter) + "\n";
  const TemporaryFile corpus("letters", text);
  std::set<std::string> drawn;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    auto training = training_of(corpus, "bpe", 1000);
    if (seed % 2 == 0) training.max_sentences = 5;
    if (seed % 2 == 1) training.max_bytes = 17;  // of three a line
    training.seed = seed;
    const auto tokenizer = Tokenizer::from_bytes(nmt::train_tokenizer(training), "letters");
    int num_letters = 0;
    for (int32_t id = nmt::kEosId + 1; id < tokenizer.vocabulary_size(); ++id) {
      if (tokenizer.piece(id).size() != 1) continue;
      drawn.insert(tokenizer.piece(id));
      ++num_letters;
    }
    CHECK(num_letters == 5);
  }
  CHECK(drawn.size() == 26);
}

TEST_CASE("Byte fallback spells what the vocabulary lacks", "[text][training]") {
  const auto tokenizer = Tokenizer::from_bytes(nmt::train_sample("bpe", 391, true), "bytes");
  CHECK(tokenizer.encode("猫").size() >= 3);
  CHECK(tokenizer.decode(tokenizer.encode("猫")) == "猫");
}
