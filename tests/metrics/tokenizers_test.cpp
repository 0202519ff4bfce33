#include "metrics/tokenizers.h"

#include "support/catch.h"

namespace nmt {
namespace {

std::string words(const std::string& line, BleuTokenizer tokenizer) {
  std::string joined;
  for (const auto& word : tokenize(line, tokenizer)) joined += (joined.empty() ? "" : " ") + word;
  return joined;
}

std::string words_13a(const std::string& line) { return words(line, BleuTokenizer::k13a); }
std::string words_intl(const std::string& line) { return words(line, BleuTokenizer::kIntl); }

}  // namespace

TEST_CASE("13a parts ASCII punctuation from words", "[evaluate][tokenizers]") {
  CHECK(words_13a("Hello, world! (yes/no)") == "Hello , world ! ( yes / no )");
  CHECK(words_13a("it's a well-known dog.") == "it's a well-known dog .");
  CHECK(words_13a("  a \t b\u00a0c ") == "a b c");
}

TEST_CASE("13a keeps numbers whole but for a hyphen behind them", "[evaluate][tokenizers]") {
  CHECK(words_13a("3,000.5 km in 1990.") == "3,000.5 km in 1990 .");
  CHECK(words_13a("a 10-year-old, 2-3") == "a 10 - year-old , 2 - 3");
  CHECK(words_13a(".5 a.5 5.a") == ". 5 a . 5 5 . a");
}

TEST_CASE("13a takes marks pair by pair from the left", "[evaluate][tokenizers]") {
  CHECK(words_13a("wait...") == "wait . . .");
  CHECK(words_13a("1.,2") == "1 . , 2");
}

TEST_CASE("13a decodes the entities of mteval and drops its mark", "[evaluate][tokenizers]") {
  CHECK(words_13a("&quot;a&quot; &lt;b&gt; &amp;") == "\" a \" < b > &");
  CHECK(words_13a("a <skipped> b") == "a b");
  CHECK(words_13a("&amp;lt;") == "<");
}

TEST_CASE("13a leaves punctuation beyond ASCII in its word", "[evaluate][tokenizers]") {
  CHECK(words_13a("„Ja“, 좋아요。") == "„Ja“ , 좋아요。");
}

TEST_CASE("intl goes by Unicode categories", "[evaluate][tokenizers]") {
  CHECK(words_intl("„Ja“, 좋아요。") == "„ Ja “ , 좋아요 。");
  CHECK(words_intl("it's well-known") == "it ' s well - known");
  CHECK(words_intl("5€+3") == "5 € + 3");
  CHECK(words_intl("3,5 ½,² a.5") == "3,5 ½,² a . 5");
}

TEST_CASE("intl keeps a mark at the line's end behind a number, as mteval-v14 does",
          "[evaluate][tokenizers]") {
  CHECK(words_intl("in 1990.") == "in 1990.");
  CHECK(words_intl("in 1990. Yes.") == "in 1990 . Yes .");
}

TEST_CASE("zh makes every Chinese character a word", "[evaluate][tokenizers]") {
  CHECK(words("今天很好，A1区有3.5公里。", BleuTokenizer::kZh) ==
        "今 天 很 好 ， A1 区 有 3.5 公 里 。");
  CHECK(words("(OK) in 1990.", BleuTokenizer::kZh) == "( OK ) in 1990.");
  CHECK(words("서울·東京 “x”", BleuTokenizer::kZh) == "서울· 東 京 “ x ”");
}

TEST_CASE("none cuts at white space and char at every character", "[evaluate][tokenizers]") {
  CHECK(words("Ja, 좋아\u3000요.", BleuTokenizer::kNone) == "Ja, 좋아 요.");
  CHECK(words("Ja, 좋아", BleuTokenizer::kChar) == "J a , 좋 아");
}

TEST_CASE("An empty line has no words", "[evaluate][tokenizers]") {
  for (const auto& name : choice_names<BleuTokenizer>()) {
    const auto tokenizer = parse_choice<BleuTokenizer>(name).value();
    CHECK(tokenize("", tokenizer).empty());
    CHECK(tokenize(" \u3000", tokenizer).empty());
  }
}

}  // namespace nmt
