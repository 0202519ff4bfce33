#include "text/placeholders.h"

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/sample.h"
#include "support/temporary_folder.h"
#include "text/tokenizer_training.h"
#include "text/vocabulary_tasks.h"

namespace nmt {
namespace {

const std::vector<SpanKind> kUrlAndEmoji = {SpanKind::kUrl, SpanKind::kEmoji};

}  // namespace

TEST_CASE("Placeholders stand for what both sides of a pair have", "[text]") {
  const SentencePair raw = {"보세요 https://a.org/x 👍 👍 a@b.org", "See https://a.org/x. 👍 a@b.org"};
  const auto pair = with_placeholders(raw, kUrlAndEmoji);
  REQUIRE(pair.source == "보세요 \uE001 \uE003 👍 a@b.org");
  REQUIRE(pair.target == "See \uE001. \uE003 a@b.org");
  const SentencePair different = {"https://a.org", "https://b.org"};
  REQUIRE(with_placeholders(different, kUrlAndEmoji).source == different.source);
  REQUIRE(with_placeholders(std::string("a https://a.org 3"), kUrlAndEmoji) == "a \uE001 3");
  REQUIRE(without_placeholders("\uE003 \uE001 \uE003 \uE001", "https://a.org 👍 https://b.org",
                               kUrlAndEmoji) == "👍 https://a.org \uE003 https://b.org");
}

TEST_CASE("A vocabulary has placeholders for what its text has often enough", "[text]") {
  const TemporaryFolder folder;
  std::string source;
  std::string target;
  for (int i = 0; i < 120; ++i) {
    const auto url = "https://example.org/" + std::to_string(i);
    // 100 emoji, but in 50 pairs.
    const std::string emoji = i < 50 ? " 👍 👍" : "";
    source += "보세요 " + url + emoji + "\n";
    target += "see " + url + " now" + emoji + "\n";
  }
  const auto source_file = folder.write("a.ko", source).string();
  const auto target_file = folder.write("a.en", target).string();
  const auto kinds = find_placeholders({source_file}, {target_file});
  REQUIRE(kinds == std::vector<SpanKind>{SpanKind::kUrl});
  TokenizerTraining training;
  training.corpora = {target_file};
  training.vocabulary_size = 24;
  training.placeholders = kinds;
  const auto tokenizer = Tokenizer::from_bytes(train_tokenizer(training), "target");
  REQUIRE(placeholders_of({tokenizer, tokenizer}) == kinds);
  REQUIRE(tokenizer.decode(tokenizer.encode("see \uE001 now")) == "see \uE001 now");
  const auto sample = sample_tokenizers().source;
  REQUIRE(placeholders_of({sample, tokenizer}).empty());

  training.placeholders = {};
  const auto output = folder / "vocabulary";
  write_vocabulary(training, output, false);
  const auto written = Tokenizer::from_file(output);
  REQUIRE(placeholders_of({written, written}) == kinds);
  const auto described = describe_vocabulary_file(output, training.vocabulary_size);
  REQUIRE(contains(described, "\tU+E001 (URL)\n"));
  REQUIRE_FALSE(contains(described, "U+E003"));
}

TEST_CASE("A corpus that is not UTF-8 is named with its line", "[text]") {
  const TemporaryFolder folder;
  const auto good = folder.write("good", "a\nhttps://a.org\n").string();
  const auto bad = folder.write("bad", "a\nx\xFF https://a.org\n").string();
  const auto expected = bad + ": line 2: byte 2 is not valid UTF-8";
  REQUIRE(contains(error_of([&] { find_placeholders({bad}, {good}); }), expected));
  REQUIRE(contains(error_of([&] { find_placeholders({good}, {bad}); }), expected));
}

}  // namespace nmt
