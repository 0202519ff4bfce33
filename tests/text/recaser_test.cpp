#include "text/recaser.h"

#include "support/catch.h"
#include "support/sample.h"

namespace nmt {
namespace {

Recaser english() { return Recaser(sample_tokenizers().target); }

}  // namespace

TEST_CASE("Each word gets the case in which the vocabulary spells it most likely", "[text]") {
  const auto recaser = english();
  CHECK(recaser.ordinary("I READ A BOOK  WITH MINSU IN THE LIBRARY.", LetterCase::kAllCaps) ==
        "I read a book  with Minsu in the library.");
  CHECK(recaser.ordinary("The Teacher Reads A Book", LetterCase::kTitleCase) ==
        "The teacher reads a book");
  CHECK(recaser.ordinary("The Teacher i saw", LetterCase::kTitleCase) == "The teacher i saw");
}

TEST_CASE("A word in capitals in an ordinary sentence is recased if the vocabulary knows it",
          "[text]") {
  const auto recaser = english();
  const auto ordinary = [&](const std::string& text) {
    return recaser.ordinary(text, LetterCase::kOrdinary).value_or("as written");
  };
  CHECK(ordinary("I read a BOOK, with Minsu.") == "I read a book, with Minsu.");
  CHECK(ordinary("MINSU reads a book.") == "Minsu reads a book.");
  CHECK(ordinary("I read THE book with XKCD, Minsu and a teacher.") == "as written");
  CHECK(ordinary("I READ THE BOOK with Minsu.") == "I read the book with Minsu.");
}

TEST_CASE("A word with lower-case letters stays in a sentence in capitals", "[text]") {
  CHECK(english().ordinary("I READ A BOOK WITH tEACHER.", LetterCase::kAllCaps) ==
        "I read a book with tEACHER.");
}

TEST_CASE("Text that the vocabulary finds no likelier otherwise stays", "[text]") {
  const auto recaser = english();
  CHECK_FALSE(recaser.ordinary("I read a book.", LetterCase::kOrdinary).has_value());
  CHECK_FALSE(recaser.ordinary("", LetterCase::kAllCaps).has_value());
  CHECK_FALSE(recaser.ordinary("안녕 ☃", LetterCase::kAllCaps).has_value());
}

}  // namespace nmt
