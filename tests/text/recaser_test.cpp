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

TEST_CASE("Text that the vocabulary finds no likelier otherwise stays", "[text]") {
  const auto recaser = english();
  CHECK_FALSE(recaser.ordinary("I read a book.", LetterCase::kOrdinary).has_value());
  CHECK_FALSE(recaser.ordinary("", LetterCase::kAllCaps).has_value());
  CHECK_FALSE(recaser.ordinary("안녕 ☃", LetterCase::kAllCaps).has_value());
}

}  // namespace nmt
