#include "text/word_vocabulary.h"

#include "support/catch.h"
#include "support/expect_error.h"
#include "text/letterless_sentences.h"
#include "text/tokenizer.h"

namespace nmt {
namespace {

using Words = std::vector<std::string>;

Tokenizer tokenizer_of(const Words& words, SpaceMarks marks) {
  return Tokenizer::from_bytes(word_vocabulary(words, marks, "vocabulary"), "vocabulary");
}

/// The text decoded from the tokens, which must all be in the vocabulary.
std::string restored(const Words& words, const std::string& tokens) {
  const auto tokenizer = tokenizer_of(words, find_space_marks(words));
  const auto ids = tokenizer.encode(tokens);
  for (const auto id : ids) REQUIRE(id > kEosId);
  return tokenizer.decode(ids);
}

}  // namespace

TEST_CASE("A vocabulary of words splits at spaces only", "[text]") {
  const auto tokenizer = tokenizer_of({"the", "cat", "a▁b", "."}, SpaceMarks::kNone);
  REQUIRE(tokenizer.encode("  the  a▁b dog . ") == std::vector<int32_t>{4, 6, kUnknownId, 7});
  REQUIRE(tokenizer.decode({4, 6, 7}) == "the a▁b .");
  REQUIRE(tokenizer.piece(6) == "▁a␣b");
}

TEST_CASE("Subword marks are recognized, and only spaces of the text are kept", "[text]") {
  const Words spaces = {"▁the", "▁cat", "s", ".", "▁"};
  REQUIRE(find_space_marks(spaces) == SpaceMarks::kSpace);
  REQUIRE(restored(spaces, "▁the ▁cat s .") == "the cats.");
  REQUIRE(restored(spaces, "s ▁the ▁ ▁ s") == "s the s");

  const Words doubled = {"▁▁나", "▁는", "▁▁밥", "▁을", "다", "▁."};
  REQUIRE(find_space_marks(doubled) == SpaceMarks::kDoubleSpace);
  REQUIRE(restored(doubled, "▁▁나 ▁는 ▁▁밥 ▁을 다 ▁.") == "나는 밥을다.");

  const Words joiners = {"the", "cat￭", "s", "￭.", "(￭", "￭", "b￭", "￭c"};
  REQUIRE(find_space_marks(joiners) == SpaceMarks::kJoiner);
  REQUIRE(restored(joiners, "the (￭ cat￭ s ￭. s ￭ the b￭ ￭c") == "the (cats. sthe bc");

  const Words continued = {"the", "ca@@", "ts", "@@", "."};
  REQUIRE(find_space_marks(continued) == SpaceMarks::kContinued);
  REQUIRE(restored(continued, "the ca@@ ts @@ .") == "the cats .");
}

TEST_CASE("Lines of tokens become text, with words that the vocabulary lacks", "[text]") {
  const auto text_of = [](const Words& words, const std::string& line) {
    const auto lines = text_of_tokens({"", line}, tokenizer_of(words, find_space_marks(words)));
    REQUIRE(lines.front().empty());
    return lines.back();
  };
  const Words spaces = {"▁the", "▁cat", "s"};
  CHECK(text_of(spaces, "▁the ▁wal rus ▁ ▁a␣b") == "the walrus a b");
  CHECK(text_of(spaces, "the walrus @@ sleeps") == "the walrus @@ sleeps");
  CHECK(text_of({"▁▁나", "▁는"}, "▁▁너 ▁는 ▁▁밥 ▁을") == "너는 밥을");
  CHECK(text_of({"cat￭", "s"}, "wal￭ rus (￭ s ￭.") == "walrus (s.");
  CHECK(text_of({"ca@@", "ts"}, "wal@@ rus  ca@@ ts @@") == "walrus cats @@");
  CHECK(text_of({"ca@@", "ts"}, "walrus  cats") == "walrus  cats");
  CHECK(text_of({"cat", "s"}, "wal@@ rus ▁x") == "wal@@ rus ▁x");
  // Words with marks, but decoded as they are.
  const auto plain = tokenizer_of({"ca@@", "▁ts"}, SpaceMarks::kNone);
  CHECK(text_of_tokens({"ca@@ ▁ts"}, plain) == Words{"ca@@ ▁ts"});
}

TEST_CASE("Text that would be read as tokens is recognized", "[text]") {
  const auto tokenizer = tokenizer_of({"the", "ca@@", "ts"}, SpaceMarks::kContinued);
  CHECK(misreads_text(tokenizer, {"", "the cats"}));
  CHECK_FALSE(misreads_text(tokenizer, {"the walrus", "the ca@@ ts"}));
  CHECK_FALSE(misreads_text(tokenizer, {"the ts", ""}));
  CHECK_FALSE(misreads_text(tokenizer_of({"the", "cat"}, SpaceMarks::kNone), {"the cats"}));
}

TEST_CASE("Text is left as tokens where its marks are not certain", "[text]") {
  REQUIRE(find_space_marks({}) == SpaceMarks::kNone);
  REQUIRE(find_space_marks({"the", "cat"}) == SpaceMarks::kNone);
  REQUIRE(find_space_marks({"▁the", "ca@@", "ts"}) == SpaceMarks::kNone);
  REQUIRE(find_space_marks({"cat￭", "s", "｟mrk_case_modifier_C｠"}) == SpaceMarks::kNone);
  Words web(999, "word");
  for (const auto* noise : {"▁x", "▁", "a@@", "@@"}) web.emplace_back(noise);
  REQUIRE(find_space_marks(web) == SpaceMarks::kNone);
}

TEST_CASE("Lines that are split into subwords are told from lines with a mark by chance",
          "[text]") {
  for (const auto* line : {"the ca@@ ts sle@@ ep .", "▁the ▁cat s .", "▁▁나 ▁는 ▁▁밥 ▁을 다",
                           "the cat￭ s ￭.", "ca@@ ts@@"}) {
    INFO(line);
    REQUIRE(is_split_into_subwords(line));
  }
  for (const auto* line : {"", "The cats sleep.", "a @@ b", "what?@@", "@@ -1 +1 @@",
                           "￭ first item", "▁ ▁", "mail@@home now", "▁the ca@@ ts"}) {
    INFO(line);
    REQUIRE_FALSE(is_split_into_subwords(line));
  }
}

TEST_CASE("Tokens without letters stay as they are, unless they have marks", "[text]") {
  const auto tokenizer = tokenizer_of({"the", "20@@", "16", "."}, SpaceMarks::kContinued);
  const LetterlessSentences letterless(tokenizer);
  REQUIRE(letterless.contain("2016 ."));
  for (const auto* marked : {"20@@ 16 .", "▁2016 ▁.", "3 ￭.￭ 14"}) {
    INFO(marked);
    REQUIRE_FALSE(letterless.contain(marked));
  }
}

TEST_CASE("A word that no text can hold is refused", "[text]") {
  const auto refused = [](const Words& words) {
    return error_of([&] { word_vocabulary(words, SpaceMarks::kNone, "file: vocabulary"); });
  };
  REQUIRE(contains(refused({"a", ""}), "file: vocabulary: '' cannot be a word"));
  REQUIRE(contains(refused({"a b"}), "'a b' cannot be a word"));
  REQUIRE(contains(refused({"a", "b", "a"}), "'a' occurs twice"));
}

}  // namespace nmt
