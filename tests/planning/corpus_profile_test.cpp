#include "planning/corpus_profile.h"

#include <string>

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {

TEST_CASE("A profile counts pairs, words, characters and scripts of all corpora", "[planning]") {
  const TemporaryFolder folder;
  std::string english;
  std::string korean;
  for (int i = 0; i < 6; ++i) {
    english += "We go home\n";
    korean += "집에 가요\n";
  }
  folder.write("a.en", english);
  folder.write("a.ko", korean);
  folder.write("b.en", "rare\n");
  folder.write("b.ko", "日本語\n");
  const auto path = [&](const char* name) { return (folder / name).string(); };
  const auto profile =
      profile_corpora({path("a.en"), path("b.en")}, {path("a.ko"), path("b.ko")}, 100);
  CHECK(profile.pairs == 7);
  CHECK(profile.source.words == 19);
  CHECK(profile.target.words == 12 + 1.5);  // two characters without spaces make a word
  CHECK(profile.source.frequent_words == 3);
  CHECK(profile.target.frequent_words == 2);
  CHECK(profile.frequent_words == 5);
  CHECK(profile.source.characters == 6 + 2);  // W e g o h m and r a
  CHECK(profile.source.script == Script::kLatin);
  CHECK(profile.target.script == Script::kHangul);
  CHECK(profile.source.scripts == std::set{Script::kLatin});
  CHECK(profile.target.scripts == std::set{Script::kHangul, Script::kHan});
  folder.write("b.ko", "");
  REQUIRE_THROWS_AS(profile_corpora({path("b.en")}, {path("b.ko")}, 100), Error);
  folder.write("b.en", "");
  REQUIRE(
      contains(error_of([&] {
                 profile_corpora({path("a.en"), path("b.en")}, {path("a.ko"), path("b.ko")}, 100);
               }),
               "b.en and " + path("b.ko") + ": the corpus is empty"));
}

TEST_CASE("A profile says whether text has zero-width non-joiners", "[planning]") {
  const TemporaryFolder folder;
  std::string english;
  std::string hindi;
  for (int i = 0; i < 100; ++i) {
    english += "We go home\n";
    hindi += i == 0 ? "स\u094D\u200Cत\n" : "सत\n";
  }
  const auto profile = [&] {
    return profile_corpora({folder.write("a.en", english).string()},
                           {folder.write("a.hi", hindi).string()}, 100);
  };
  CHECK_FALSE(profile().target.non_joiners);  // one in a hundred lines
  english += "Home\n";
  hindi += "स\u094D\u200Cत\n";
  CHECK(profile().target.non_joiners);
  CHECK_FALSE(profile().source.non_joiners);
}

TEST_CASE("The words of a large corpus are scaled to its own pairs", "[planning]") {
  const TemporaryFolder folder;
  std::string large;
  for (int i = 0; i < 400000; ++i) large += i % 10 == 0 ? "\n" : "a b\n";
  const auto subtitles = folder.write("subtitles", large).string();
  const auto debates = folder.write("debates", "a b c d e f g h i j\n").string();
  const auto profile = profile_corpora({subtitles, debates}, {subtitles, debates}, 100);
  CHECK(profile.pairs == 360001);
  CHECK(profile.source.words == 720010);
  CHECK(profile.target.words == 720010);
}

TEST_CASE("Known words are counted beyond the largest number of distinct ones", "[planning]") {
  const TemporaryFolder folder;
  std::string many = "known\n";
  for (int i = 0; i < 2000000; ++i) many += std::to_string(i) + (i % 4000 == 3999 ? "\n" : " ");
  std::string few;
  for (int i = 0; i < 501; ++i) few += "x\n";
  const auto target = folder.write("target", few).string();
  const auto again = folder.write("again", "known known known known unknown\n").string();
  const auto one = folder.write("one", "x\n").string();
  const auto profile =
      profile_corpora({folder.write("source", many).string(), again}, {target, one}, 1000);
  CHECK(profile.source.frequent_words == 1);
}

TEST_CASE("Pairs that training drops anyway change no profile", "[planning]") {
  const TemporaryFolder folder;
  const auto profile = [&](const std::string& source, const std::string& target) {
    return profile_corpora({folder.write("a", "We go home\nYou stay\n" + source).string()},
                           {folder.write("b", "Wir gehen heim\nDu bleibst\n" + target).string()},
                           100);
  };
  const auto before = profile("", "");
  std::string endless;
  for (int i = 0; i < 500; ++i) endless += "word ";
  std::string characters;
  for (int i = 0; i < 1000; ++i) characters += "字";
  for (const auto& line : {endless, characters, std::string(" ")}) {
    const auto after = profile(line + "\nYes\n", "x\nJa\n");
    CHECK(after.pairs == before.pairs + 1);
    CHECK(after.source.words == before.source.words + 1);
    CHECK(after.target.words == before.target.words + 1);
    CHECK(after.source.frequent_words == before.source.frequent_words);
  }
}

}  // namespace nmt
