#include "unicode/letter_case.h"

#include "support/catch.h"

namespace nmt {

TEST_CASE("Capitals of every script with case", "[unicode]") {
  CHECK(to_upper("Straße") == "STRASSE");
  CHECK(to_upper("iıİ") == "IIİ");
  CHECK(to_upper("οδός Ὀδυσσεύς") == "ΟΔΌΣ ὈΔΥΣΣΕΎΣ");
  CHECK(to_upper("привет, ёж") == "ПРИВЕТ, ЁЖ");
  CHECK(to_upper("안녕 漢字 1!") == "안녕 漢字 1!");
  CHECK(to_upper("") == "");
}

TEST_CASE("Title case changes the first letter of a word", "[unicode]") {
  CHECK(to_capitalized("éTÉ") == "Été");
  CHECK(to_capitalized("«ΟΔΟΣ»") == "«Οδος»");
  CHECK(to_capitalized("안녕") == "안녕");
  CHECK(to_title_case("ein  mann, der iPhone ǆ") == "Ein  Mann, Der IPhone ǅ");
  CHECK(to_title_case("3rd (fun)") == "3Rd (Fun)");
}

TEST_CASE("All capitals take two words or a long one", "[unicode]") {
  for (const char* text : {"EIN MANN", "ACHTUNG", "ПРИВЕТ МИР!", "I AM", "ΟΔΟΣ", "3 MÄNNER IM BUS",
                           "EINE STRAßE", "EIN MANN MIT iPhone RENNT."}) {
    INFO(text);
    CHECK(letter_case_of(text) == LetterCase::kAllCaps);
  }
  for (const char* text :
       {"", "1 2", "USA", "I", "A B", "Ein MANN", "EIN MANN MIT iPhone",
        "EIN MANN RENNT (ein Hund bellt)", "안녕 하세요", "漢字 漢字 漢字", "ok"}) {
    INFO(text);
    CHECK(letter_case_of(text) == LetterCase::kOrdinary);
  }
}

TEST_CASE("Title case takes three words, of which short ones may be small", "[unicode]") {
  for (const char* text :
       {"Ein Mann Spielt", "The Man in the Park.", "Привет Мой Мир", "A Man Named McDonald"}) {
    INFO(text);
    CHECK(letter_case_of(text) == LetterCase::kTitleCase);
  }
  for (const char* text : {"Guten Morgen", "Ein Mann spielt Gitarre", "iPhones Are Here now",
                           "in the park", "er ist arm", "Er ist arm"}) {
    INFO(text);
    CHECK(letter_case_of(text) == LetterCase::kOrdinary);
  }
}

}  // namespace nmt
