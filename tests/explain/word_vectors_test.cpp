#include "explain/word_vectors.h"

#include <set>

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {

TEST_CASE("A word has the same small whole numbers everywhere, and others have others",
          "[explain]") {
  std::set<Row> seen;
  for (const std::string word : {"나는", "너는", "책을", "the", "The", "a", "\xFF"}) {
    const auto vector = word_vector(word);
    CHECK(vector == word_vector(word));
    CHECK(vector.size() == 4);
    double sum = 0;
    for (const double value : vector) {
      CHECK((value == 0 || value == 1 || value == 2));
      sum += value;
    }
    CHECK(sum > 0);
    seen.insert(vector);
  }
  CHECK(seen.size() > 4);
}

TEST_CASE("The numbers of a word are the same on every machine", "[explain]") {
  CHECK(word_vector("나는") == Row{0, 0, 2, 0});
  CHECK(word_vector("책을") == Row{2, 1, 2, 0});
}

TEST_CASE("A sentence is its words, some but not many", "[explain]") {
  CHECK(words_to_explain("  나는\t책을 \n읽는다 ") ==
        std::vector<std::string>{"나는", "책을", "읽는다"});
  CHECK(contains(error_of([] { words_to_explain(" \t\n"); }), "empty"));
  std::string many;
  for (int i = 0; i < 32; ++i) many += "word ";
  CHECK(words_to_explain(many).size() == 32);
  CHECK(contains(error_of([&] { words_to_explain(many + "word"); }), "has 33 words; at most 32"));
}

TEST_CASE("A word is shown so that it steers nothing and fills no line", "[explain]") {
  CHECK(word_label("책을") == "책을");
  CHECK(word_label("a\xFF\x1B[2J") == "a\uFFFD\uFFFD[2J");
  CHECK(word_label(std::string(1000, 'x')) == "xxxxxxxxxxxxx…");
}

}  // namespace nmt
