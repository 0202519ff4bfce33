#include "text/line_statistics.h"

#include "files/file.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

using Words = std::vector<std::string>;

LineStatistics measure(const Words& lines) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 25; ++i) {
    for (const auto& line : lines) text += line + "\n";
  }
  write_file_atomically(folder.path() / "text", text);
  return measure_lines({(folder.path() / "text").string()});
}

}  // namespace

TEST_CASE("Words that only begin lines are starters where lines lack marks", "[text]") {
  const Words captions = {"Ein Mann sitzt", "Ein Hund bellt", "Zwei, drei Katzen",
                          "Mann mit Hut ruft Ein laut"};
  // "Ein" follows a word 25 times; "Mann" stands within a line; "Zwei" is counted without comma.
  REQUIRE(measure(captions).sentence_starters == Words{"Zwei"});
  REQUIRE(measure({"Ein Mann sitzt", "Ein Hund bellt"}).sentence_starters == Words{"Ein"});
  REQUIRE(measure({"Ein Mann sitzt.", "Ein Hund bellt."}).sentence_starters.empty());
  REQUIRE(measure({"한 남자가 앉아 있다", "개"}).sentence_starters.empty());
}

TEST_CASE("Marks that end lines are learned where nearly all lines have one", "[text]") {
  const Words three = {"Er kam.", "Sie ging.", "„Wer?“"};
  REQUIRE(measure(three).final_marks == Words{".", "?", "“"});
  REQUIRE(measure({"他来了。", "好!"}).final_marks == Words{"!", "。"});
  REQUIRE(measure({"Er kam.", "Er kam,"}).final_marks.empty());
  REQUIRE(measure({"\u202Bהוא בא.\u202C", "הוא בא? \u200F"}).final_marks == Words{".", "?"});
  Words many(200, "Er kam.");
  many.push_back("Er kam");
  REQUIRE(measure(many).final_marks == Words{"."});
  many.insert(many.end(), {"Er kam", "Mai 5", "Er:"});
  REQUIRE(measure(many).final_marks.empty());
}

TEST_CASE("Whether all lines begin with a capital is learned", "[text]") {
  REQUIRE_FALSE(measure({"Er kam.", "„Wer?“", "5 Hunde"}).capitals);
  REQUIRE(measure({"Er kam.", "Sie ging", "5 Hunde"}).capitals);
  REQUIRE_FALSE(measure({"Er kam.", "Sie ging", "sie kamen"}).capitals);
  REQUIRE_FALSE(measure({"그는 왔다."}).capitals);
}

TEST_CASE("Lines of several sentences are paragraphs where they are the most", "[text]") {
  REQUIRE(measure({"One. Two.", "Three! Four?", "Five."}).paragraphs);
  REQUIRE_FALSE(measure({"One. Two.", "Three!"}).paragraphs);
  REQUIRE_FALSE(measure({""}).paragraphs);
}

}  // namespace nmt
