#include "markup/wrapped_text.h"

#include "markup/made_translation.h"
#include "support/catch.h"

namespace nmt {
namespace {

std::vector<std::string> texts(const std::string& text) {
  return Document(text, DocumentFormat::kWrapped, split_line).sentences();
}

std::string upper(const std::string& text) {
  return translate_made(text, DocumentFormat::kWrapped, in_upper_case);
}

using Texts = std::vector<std::string>;

const std::string kProse =
    "It was a dark and stormy night; the rain fell in\n"
    "torrents, except at occasional intervals, when it\n"
    "was checked by a violent gust of wind.\n";
const std::string kJoined =
    "It was a dark and stormy night; the rain fell in torrents, except at occasional intervals, "
    "when it was checked by a violent gust of wind.";

}  // namespace

TEST_CASE("The lines of a paragraph are one text, and all other bytes stay", "[markup]") {
  REQUIRE(texts(kProse) == Texts{kJoined});
  for (const auto& text : {kProse, "\xEF\xBB\xBF  " + kProse + "\n \t\n" + kProse,
                           std::string("One.  Two.\r\n\r\nb"), std::string("\n\n"), std::string(),
                           std::string("a\n> b\n>\n>> c \n"), std::string("a\tb\n5\tc\n")}) {
    CHECK(upper(text) == in_upper_case(text).text);
  }
  const auto reversed_text = translate_made(kProse, DocumentFormat::kWrapped, reversed);
  REQUIRE(std::count(reversed_text.begin(), reversed_text.end(), '\n') == 3);
  REQUIRE(reversed_text.find("wind. of gust violent") == 0);
}

TEST_CASE("Lines of a script without spaces are joined without one", "[markup]") {
  const std::string japanese =
      "吾輩は猫である。名前はまだ無い。どこで生れたか、\n"
      "とんと見当がつかぬ。何でも薄暗いじめじめした所で\n"
      "ニャーニャー泣いていた事だけは記憶している。\n";
  CHECK(texts(japanese) ==
        Texts{"吾輩は猫である。", "名前はまだ無い。", "どこで生れたか、とんと見当がつかぬ。",
              "何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。"});
  CHECK(upper(japanese) == japanese);  // as many lines, ended where they were
  const std::string mixed =
      "どこで生れたかとんと見当がつかぬ薄暗いじめじめした所で Tokyo\nと言う。\n";
  CHECK(texts(mixed) ==
        Texts{"どこで生れたかとんと見当がつかぬ薄暗いじめじめした所で Tokyo と言う。"});
  CHECK(texts("\n\r" + kProse) == Texts{kJoined});
}

TEST_CASE("A paragraph may have another indentation in its first line, or quotes", "[markup]") {
  for (const std::string first : {"   ", "- ", "    "}) {
    const auto joined = texts(first + kProse);
    REQUIRE(joined.size() == 1);
    REQUIRE(joined.front().find(kJoined) != std::string::npos);
  }
  const std::string quoted =
      "> It was a dark and stormy night; the rain fell\n"
      "> in torrents, except at occasional intervals\n"
      "It was clear and cold here, and the wind blew at\n"
      "intervals.\n";
  REQUIRE(texts(quoted) ==
          Texts{"It was a dark and stormy night; the rain fell in torrents, except at occasional "
                "intervals",
                "It was clear and cold here, and the wind blew at intervals."});
}

TEST_CASE("Lines that end early, items, rules and tables stay apart", "[markup]") {
  const auto lines_of = [](const std::string& text) {
    const auto all = texts(kProse + "\n" + text + "\n" + kProse);
    REQUIRE(all.front() == kJoined);
    REQUIRE(all.back() == kJoined);
    return Texts(all.begin() + 1, all.end() - 1);
  };
  REQUIRE(lines_of("    The rain it raineth\n    every day\n") ==
          Texts{"The rain it raineth", "every day"});
  REQUIRE(lines_of("Dear Tom,\n" + kProse) == Texts{"Dear Tom,", kJoined});
  REQUIRE(lines_of("* the rain fell in torrents, except at intervals\n"
                   "* the wind was checked by a violent gust of rain\n") ==
          Texts{"* the rain fell in torrents, except at intervals",
                "* the wind was checked by a violent gust of rain"});
  REQUIRE(lines_of("It was a dark and stormy night; the rain it fell\n"
                   "================================================\n"
                   "in torrents.\n") ==
          Texts{"It was a dark and stormy night; the rain it fell", "in torrents."});
  REQUIRE(lines_of("rain\twind\nstorm\tgust\n") == Texts{"rain", "wind", "storm", "gust"});
  // A dash within a sentence.
  REQUIRE(lines_of("It was a dark and stormy night, in which the rain\n— so they say — fell.\n") ==
          Texts{"It was a dark and stormy night, in which the rain — so they say — fell."});
  // A long URL does not make others end early.
  const std::string url = "http://example.org/" + std::string(80, 'a') + "\n";
  REQUIRE(lines_of(url + kProse) == Texts{url.substr(0, url.size() - 1) + " " + kJoined});
}

TEST_CASE("Lines end early in scripts without spaces, too", "[markup]") {
  const std::string first = "吾輩は猫である名前はまだ無いどこで生れたか";
  const std::string second = "とんと見当がつかぬ何でも薄暗いじめじめし";
  const std::string prose = first + "\n" + second + "\n所で泣いていた。\n";
  const auto joined = first + second + "所で泣いていた。";
  REQUIRE(texts(prose + "\n" + prose) == Texts{joined, joined});
  REQUIRE(texts(prose + "\n古池や蛙飛びこむ水の音\n夏草や兵どもが夢の跡\n\n" + prose) ==
          Texts{joined, "古池や蛙飛びこむ水の音", "夏草や兵どもが夢の跡", joined});
  // Paragraphs without blank lines between them, each indented by a wide space.
  const auto full = first + "\n" + second + "\n";
  REQUIRE(texts("\u3000" + full + "\u3000" + prose) == Texts{first + second, joined});
}

}  // namespace nmt
