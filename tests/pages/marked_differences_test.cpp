#include "pages/marked_differences.h"

#include "support/catch.h"

namespace nmt {

TEST_CASE("Words that only one of two texts has are marked", "[report]") {
  const auto texts = mark_differences("What did we buy?", "What do we buy then?");
  CHECK(texts.first == "What <mark>did</mark> we buy?");
  CHECK(texts.second == "What <mark>do</mark> we buy <mark>then</mark>?");
}

TEST_CASE("Marks of neighbors are one, and equal texts have none", "[report]") {
  CHECK(mark_differences("is very famous.", "is November six.").first ==
        "is <mark>very famous</mark>.");
  CHECK(mark_differences("a b", "a b").first == "a b");
  CHECK(mark_differences("a b", "").first == "<mark>a b</mark>");
  CHECK(mark_differences("", "").first.empty());
}

TEST_CASE("Scripts without spaces are compared by character", "[report]") {
  CHECK(mark_differences("我在读书。", "我不读书。").first == "我<mark>在</mark>读书。");
  // Hangul has spaces, so its words are whole.
  CHECK(mark_differences("책을 읽어요", "책을 읽었어요").first == "책을 <mark>읽어요</mark>");
}

TEST_CASE("What is marked is escaped", "[report]") {
  CHECK(mark_differences("<i> \xFF", "x").first == "<mark>&lt;i&gt; \xEF\xBF\xBD</mark>");
}

TEST_CASE("Very long texts are not compared", "[report]") {
  std::string many;
  for (int i = 0; i < 2001; ++i) many += "a ";
  CHECK(mark_differences(many, many + "b").second == many + "b");
}

}  // namespace nmt
