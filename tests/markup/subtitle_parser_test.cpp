#include "markup/subtitle_parser.h"

#include "markup/made_translation.h"
#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

std::vector<std::string> srt_sentences(const std::string& srt) {
  return Document(srt, DocumentFormat::kSubtitles, split_line).sentences();
}

std::string upper_srt(const std::string& srt) {
  return translate_made(srt, DocumentFormat::kSubtitles, in_upper_case);
}

const std::string kFirst = "1\n00:00:01,000 --> 00:00:02,500\n";
const std::string kSecond = "\n2\n00:00:03,000 --> 00:00:04,000 X1:40\n";

}  // namespace

TEST_CASE("Numbers, times and line ends of subtitles stay", "[markup]") {
  REQUIRE(upper_srt(kFirst + "one two.\n" + kSecond + "three.\n") ==
          kFirst + "ONE TWO.\n" + kSecond + "THREE.\n");
  const std::string windows =
      "\xEF\xBB\xBF"
      "1\r\n00:00:01.000-->00:00:02.500\r\na b.\r\n\r\n\r\n";
  REQUIRE(srt_sentences(windows) == std::vector<std::string>{"a b."});
  REQUIRE(upper_srt(windows + kFirst + "12") ==
          "\xEF\xBB\xBF"
          "1\r\n00:00:01.000-->00:00:02.500\r\nA B.\r\n\r\n\r\n" +
              kFirst + "12");
  // Without empty lines between, and with one within.
  REQUIRE(upper_srt(kFirst + "a.\n" + kSecond.substr(1) + "b.\n\n3 c\n") ==
          kFirst + "A.\n" + kSecond.substr(1) + "B.\n\n3 C\n");
}

TEST_CASE("The lines of a subtitle are one text, wrapped again at the same share", "[markup]") {
  const auto text = kFirst + "The cat sat\non the mat.\n";
  REQUIRE(srt_sentences(text) == std::vector<std::string>{"The cat sat on the mat."});
  REQUIRE(upper_srt(text) == kFirst + "THE CAT SAT\nON THE MAT.\n");
  const auto translate = [](const std::string& sentence) {
    return made_translation(sentence, "aaaaaaaaaaaa bbb c dd", {0, 1, 2, 3});
  };
  REQUIRE(translate_made(text, DocumentFormat::kSubtitles, translate) ==
          kFirst + "aaaaaaaaaaaa\nbbb c dd\n");
  const auto short_one = [](const std::string& sentence) {
    return made_translation(sentence, "a", {0});
  };
  REQUIRE(translate_made(text, DocumentFormat::kSubtitles, short_one) == kFirst + "a\n");
  // Each sentence stays on its line.
  REQUIRE(translate_made(kFirst + "One.\nTwo and three.\n", DocumentFormat::kSubtitles,
                         [](const std::string& sentence) {
                           return made_translation(sentence,
                                                   sentence == "One." ? "a b c d e f." : "g.", {0});
                         }) == kFirst + "a b c d e f.\ng.\n");
}

TEST_CASE("A sentence that continues in the next subtitle is translated as a whole", "[markup]") {
  const auto text = kFirst + "When the rain\nstops we\n" + kSecond + "will go home.\n";
  REQUIRE(srt_sentences(text) == std::vector<std::string>{"When the rain stops we will go home."});
  REQUIRE(upper_srt(text) == kFirst + "WHEN THE RAIN\nSTOPS WE\n" + kSecond + "WILL GO HOME.\n");
  const auto reversed_text = translate_made(text, DocumentFormat::kSubtitles, reversed);
  REQUIRE(reversed_text == kFirst + "home. go will\nwe stops\n" + kSecond + "rain the When\n");
  // Times stay even if there are too few words.
  const auto one = [](const std::string& sentence) { return made_translation(sentence, "a", {0}); };
  REQUIRE(translate_made(text, DocumentFormat::kSubtitles, one) == kFirst + "a\n" + kSecond + "\n");
  REQUIRE(srt_sentences(kFirst + "It is over.\n" + kSecond + "and done.\n").size() == 2);
  REQUIRE(srt_sentences(kFirst + "<i>so we</i>\n" + kSecond + "go\n").size() == 2);
}

TEST_CASE("Lines without spaces end between characters, as Chinese and Japanese lines may",
          "[markup]") {
  const auto lines_of = [](const std::string& translation, const std::string& source) {
    const auto made = translate_made(
        kFirst + source, DocumentFormat::kSubtitles,
        [&](const std::string& sentence) { return made_translation(sentence, translation, {0}); });
    REQUIRE(made.substr(0, kFirst.size()) == kFirst);
    return made.substr(kFirst.size());
  };
  const std::string halves = "aaaa bbbb\ncccc dddd";
  CHECK(lines_of("我昨天去图书馆看书。", halves) == "我昨天去图\n书馆看书。");
  CHECK(lines_of("私は昨日図書館で本を", halves) == "私は昨日図\n書館で本を");
  // 10 characters; the middle is before a comma, a small kana or a long vowel, or after a bracket.
  CHECK(lines_of("我昨天去图，书馆看书", halves) == "我昨天去\n图，书馆看书");
  CHECK(lines_of("ああああちょああああ", halves) == "ああああ\nちょああああ");
  CHECK(lines_of("ああああコーヒーああ", halves) == "ああああ\nコーヒーああ");
  CHECK(lines_of("ああああ「いいいい」", halves) == "ああああ\n「いいいい」");
  // Words of other scripts stay whole, and lines end at spaces too.
  CHECK(lines_of("我看HarryPotter的书", halves) == "我看\nHarryPotter的书");
  CHECK(lines_of("我看 Harry Potter", halves) == "我看 Harry\nPotter");
  CHECK(lines_of("책을읽었어요", halves) == "책을읽었어요");
  CHECK(lines_of("ผมอ่านหนังสือ", halves) == "ผมอ่านหนังสือ");
  CHECK(lines_of("好。", "a\nb\nc\nd") == "好。");
  CHECK(lines_of("一二三四五六", "aa\nbb\ncc") == "一二\n三四\n五六");
  CHECK(lines_of("我去<i>图书馆</i>", "a <i>b\nc</i>").find("\n") != std::string::npos);
}

TEST_CASE("A Chinese sentence is divided among its subtitles", "[markup]") {
  const auto text = kFirst + "When the rain\nstops we\n" + kSecond + "will all go home.\n";
  const auto translate = [](const std::string& sentence) {
    return made_translation(sentence, "雨停了我们都会回家。", {0});
  };
  // 20 columns and one for a space: 13/40 and 22/40 of the source before the breaks.
  CHECK(translate_made(text, DocumentFormat::kSubtitles, translate) ==
        kFirst + "雨停了\n我们都\n" + kSecond + "会回家。\n");
}

TEST_CASE("Each speaker of a subtitle has a text", "[markup]") {
  REQUIRE(srt_sentences(kFirst + "- are you\n- not yet\n") ==
          std::vector<std::string>{"are you", "not yet"});
  REQUIRE(upper_srt(kFirst + "- are you\n- not yet\n") == kFirst + "- ARE YOU\n- NOT YET\n");
  const auto tagged = kFirst + "{\\an8}<i>- are you</i> there\n<b>- not</b>\n";
  REQUIRE(srt_sentences(tagged) == std::vector<std::string>{"are you there", "not"});
  REQUIRE(upper_srt(tagged) == kFirst + "{\\an8}<i>- ARE YOU</i> THERE\n<b>- NOT</b>\n");
}

TEST_CASE("Sounds and names of speakers are texts of their own", "[markup]") {
  using Sentences = std::vector<std::string>;
  CHECK(srt_sentences(kFirst + "(music)\na b.\n") == Sentences{"(music)", "a b."});
  CHECK(srt_sentences(kFirst + "ANNA:\na\nb.\n[laughs]\n") ==
        Sentences{"ANNA:", "a b.", "[laughs]"});
  CHECK(srt_sentences(kFirst + "a,\n" + kSecond + "(music)\nb.") ==
        Sentences{"a,", "(music)", "b."});
  CHECK(srt_sentences(kFirst + "(a) b\nc (d)\n") == Sentences{"(a) b c (d)"});
  CHECK(srt_sentences(kFirst + "a:\nb.\n") == Sentences{"a: b."});
}

TEST_CASE("Formatting of subtitles goes with its words", "[markup]") {
  const auto text = kFirst + "{\\an8}one <i>two</i>\n<font color=\"red\">three</font> 1 < 2\n";
  REQUIRE(srt_sentences(text) == std::vector<std::string>{"one two three 1 < 2"});
  REQUIRE(translate_made(text, DocumentFormat::kSubtitles, reversed) ==
          kFirst + "{\\an8}2 < 1\n<font color=\"red\">three</font> <i>two</i> one\n");
}

TEST_CASE("Times within a subtitle are no text", "[markup]") {
  CHECK(srt_sentences(kFirst + "one <00:00:01.500><c>two</c> <00:02.000>three.\n") ==
        std::vector<std::string>{"one two three."});
  CHECK(upper_srt(kFirst + "one <00:01.500>two.\n") == kFirst + "ONE <00:01.500>TWO.\n");
  CHECK(srt_sentences(kFirst + "a <3 b.\n") == std::vector<std::string>{"a <3 b."});
}

TEST_CASE("Very many signs that begin no tag are text of a subtitle", "[markup]") {
  const auto signs = std::string(2000000, '<');
  REQUIRE(upper_srt(kFirst + signs + " 1\n") == kFirst + signs + " 1\n");
}

TEST_CASE("A text without times is no subtitles", "[markup]") {
  REQUIRE(contains(error_of([] { srt_sentences("one\ntwo"); }), "srt: no line with times"));
  REQUIRE(srt_sentences("\n").empty());
}

}  // namespace nmt
