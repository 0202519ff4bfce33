#include "serve/text_pieces.h"

#include "serve/html_text.h"
#include "support/catch.h"

namespace nmt {
namespace {

using Texts = std::vector<std::string>;

Texts sentences_of(const std::string& text) { return split_text(text).sentences; }

}  // namespace

TEST_CASE("A text joined from its own sentences is what it was", "[serve]") {
  for (const std::string text :
       {"", " ", "\n", "One.", "  One.  Two!\n\n\tThree\r\n", "저는 책을 읽어요. 좋아요?\n네.\n",
        "a\nb\n", "\"Really?\" she said. No…  Yes?!", "...", "3.14 is. e.g. this"}) {
    const auto pieces = split_text(text);
    REQUIRE(pieces.between.size() == pieces.sentences.size() + 1);
    REQUIRE(join_text(pieces, pieces.sentences) == text);
    const auto whole = whole_text(text);
    REQUIRE(join_text(whole, whole.sentences) == text);
  }
}

TEST_CASE("Lines are cut behind sentences", "[serve]") {
  REQUIRE(sentences_of("One. Two! Three? Four") == Texts{"One.", "Two!", "Three?", "Four"});
  REQUIRE(sentences_of("One\ntwo") == Texts{"One", "two"});
  REQUIRE(sentences_of("(One.) \"Two!\" Three") == Texts{"(One.)", "\"Two!\"", "Three"});
  REQUIRE(sentences_of("Wait... What?! Oh") == Texts{"Wait...", "What?!", "Oh"});
}

TEST_CASE("Wide marks end a sentence without white space, and English then gets a space",
          "[serve]") {
  const auto pieces = split_text("今日は。元気？はい");
  REQUIRE(pieces.sentences == Texts{"今日は。", "元気？", "はい"});
  REQUIRE(join_text(pieces, {"Hello.", "Well?", "Yes"}) == "Hello. Well? Yes");
}

TEST_CASE("Abbreviations, numbers and addresses are not cut", "[serve]") {
  for (const std::string text : {"Mr. Kim met Dr. Lee", "e.g. this", "J. S. Bach", "1. First",
                                 "It costs 3.50 now", "see www.example.org today"}) {
    REQUIRE(sentences_of(text) == Texts{text});
  }
  REQUIRE(sentences_of("It was I. He knew 1984. So") == Texts{"It was I.", "He knew 1984.", "So"});
}

TEST_CASE("HTML keeps its tags and entities are read and written", "[serve]") {
  const auto pieces =
      split_html("<p title=\"a>b\">A &amp; B.</p><!-- x --><script>if (a<b) f()</script>1 < 2");
  REQUIRE(pieces.sentences.front() == "b\">A & B.");  // as lenient as it is with a bare '>'
  const auto sound =
      split_html("<p>A &lt;b&#62; &#xAC00;.</p> <b>x</b><style>p{}</style>1 < 2 &unknown;");
  REQUIRE(sound.sentences == Texts{"A <b> 가.", "x", "1 < 2 &unknown;"});
  REQUIRE(join_text(sound, {escape_html("<&\">"), "y", "z"}) ==
          "<p>&lt;&amp;&quot;&gt;</p> <b>y</b><style>p{}</style>z");
}

}  // namespace nmt
