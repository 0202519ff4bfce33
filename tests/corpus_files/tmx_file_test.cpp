#include "corpus_files/tmx_file.h"

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string tmx(const std::string& units, const std::string& encoding = "UTF-8") {
  return "<?xml version=\"1.0\" encoding=\"" + encoding +
         "\"?><!DOCTYPE tmx SYSTEM \"tmx14.dtd\"><tmx version=\"1.4\"><header srclang=\"de\"/>"
         "<body>" +
         units + "</body></tmx>";
}

std::string unit(const std::string& german, const std::string& english) {
  return "<tu><tuv xml:lang=\"de-AT\"><seg>" + german +
         "</seg></tuv><tuv xml:lang=\"EN_us\"><seg>" + english + "</seg></tuv></tu>";
}

struct Reading {
  Pairs pairs;
  std::string skipped;
};

Reading read(const std::string& content, const std::string& source = "de",
             const std::string& target = "en") {
  const TemporaryFolder folder;
  TmxFile file({folder.write("memory.tmx", content), {source, target}});
  Reading reading;
  for (std::string a, b; file.next(a, b);) reading.pairs.emplace_back(a, b);
  reading.skipped = file.skipped();
  return reading;
}

std::string error(const std::string& content, const std::string& source = "de",
                  const std::string& target = "en") {
  return error_of([&] { read(content, source, target); });
}

std::string utf16(const std::string& ascii) {
  std::string text = "\xFF\xFE";
  for (const char c : ascii) text += std::string({c, '\0'});
  return text;
}

}  // namespace

TEST_CASE("Segments lose the codes of other formats and keep marked text", "[corpus_files]") {
  const auto text =
      unit("Taste <bpt i=\"1\">&lt;b&gt;</bpt>Start<ept i=\"1\">&lt;/b&gt;</ept>",
           "\n  Press <hi type=\"key\">Start</hi> &amp;\tgo<ph>{<sub>x</sub>}</ph>.\n");
  REQUIRE(read(tmx(text)).pairs == Pairs{{"Taste Start", "Press Start & go."}});
  REQUIRE(read(tmx(text), "en", "de").pairs == Pairs{{"Press Start & go.", "Taste Start"}});
}

TEST_CASE("Placeholders between two words become a space", "[corpus_files]") {
  const auto text =
      unit("eins<ph x=\"1\">&lt;br/&gt;</ph>zwei<ut/><it pos=\"begin\"/>3<ph/>. <ph/>ä",
           "<ph/>W<bpt i=\"1\"/>or<ept i=\"1\"/>d<ph/>我<ph/>们<ph/>");
  REQUIRE(read(tmx(text)).pairs == Pairs{{"eins zwei 3. ä", "Word我们"}});
}

TEST_CASE("A language stands for its regions, whatever the case", "[corpus_files]") {
  const auto text = tmx(unit("a", "b"));
  REQUIRE(read(text, "DE", "en-US").pairs.size() == 1);
  REQUIRE(contains(error(text, "de-DE", "en"),
                   "no unit has both de-DE and en; use --languages with two of: EN_us (1), "
                   "de-AT (1)"));
  REQUIRE(contains(error(text, "d", "en"), "no unit has both"));
}

TEST_CASE("A language itself goes before its regions, and is never both sides", "[corpus_files]") {
  const auto variant = [](const std::string& language, const std::string& text) {
    return "<tuv xml:lang=\"" + language + "\"><seg>" + text + "</seg></tuv>";
  };
  const auto text =
      tmx("<tu>" + variant("en-GB", "colour") + variant("de", "Farbe") + variant("en", "color") +
          "</tu><tu>" + variant("en-GB", "lift") + variant("de", "Aufzug") + "</tu>");
  REQUIRE(read(text, "de", "en").pairs == Pairs{{"Farbe", "color"}, {"Aufzug", "lift"}});
  const auto regions = read(text, "en", "en-GB");
  REQUIRE(regions.pairs == Pairs{{"color", "colour"}});
  REQUIRE(regions.skipped == "1 unit lacks en or en-GB");
  REQUIRE(read(text, "de", "en").skipped == "1 further variant in de or en");
  REQUIRE_THROWS_AS(read(text, "de", "DE"), UsageError);
  REQUIRE(contains(error(text, "de", "de"), "memory.tmx: de is named for both sides; use"));
}

TEST_CASE("Units without one of the languages are counted, of repeated ones the first is used",
          "[corpus_files]") {
  const auto french =
      R"(<tu><tuv lang="fr"><seg>c</seg></tuv><tuv lang="de"><seg>d</seg></tuv></tu>)";
  const auto thrice =
      R"(<tu><note>n</note><tuv xml:lang="en"><prop>p</prop><seg>x</seg></tuv>)"
      R"(<tuv xml:lang="de"><seg>y</seg></tuv><tuv xml:lang="en"><seg>z</seg></tuv></tu>)";
  const auto reading = read(tmx(unit("a", "b") + french + thrice));
  REQUIRE(reading.pairs == Pairs{{"a", "b"}, {"y", "x"}});
  REQUIRE(reading.skipped == "1 unit lacks de or en, 1 further variant in de or en");
}

TEST_CASE("Translation memories may be in UTF-16 or Latin-1", "[corpus_files]") {
  REQUIRE(read(utf16(tmx(unit("a", "b"), "UTF-16"))).pairs == Pairs{{"a", "b"}});
  REQUIRE(read(tmx(unit("f\xFCr", "for"), "ISO-8859-1")).pairs == Pairs{{"für", "for"}});
  REQUIRE(contains(error(tmx(unit("f\xFCr", "for"))), "line 1: not XML: not well-formed"));
  REQUIRE(
      contains(error(tmx(unit("f\xFCr", "for"), "windows-1252")), "line 1: declares an encoding"));
}

TEST_CASE("Damaged translation memories are refused with their line", "[corpus_files]") {
  const auto text = tmx(unit("a", "b") + "\n" + unit("c", "d"));
  REQUIRE(contains(error(text.substr(0, text.size() - 40)), "line 2: not XML: "));
  REQUIRE(contains(error(""), "not XML: no element found"));
  REQUIRE(contains(error(tmx(unit("a&nbsp;c", "b"))), "the entity &nbsp; is not known"));
  REQUIRE(read("<tmx/>").pairs.empty());
  REQUIRE(read("<tmx><seg>x</seg><tuv/></tmx>").pairs.empty());
}

}  // namespace nmt
