#include "cli/hostile_fixtures.h"
#include "cli/hostile_input.h"
#include "support/catch.h"

namespace nmt {
namespace {

/// A strange text, and the words of the error line that it leads to; none where it has to work.
struct StrangeText {
  std::string name;
  std::string content;
  int64_t lines;
  std::string scored;           // by commands whose files are meant to be sound
  std::string trained;          // a vocabulary from it
  std::string translated = "";  // as lines
};

const char kNotUtf8[] = "is not valid UTF-8";
const char kNoText[] = "no text to train a vocabulary from";
const char kTooLong[] = "line 1: ";

std::vector<StrangeText> strange_texts() {
  using std::string_literals::operator""s;
  return {
      {"empty", "", 0, "", kNoText},
      {"newline", "\n", 1, "", kNoText},
      {"spaces", "   \n \t \n  ", 3, "", kNoText},
      {"nul_bytes", "a\0b c\n\0\n\0\0d e\n"s, 3, "", "has many NUL bytes", "has many NUL bytes"},
      {"invalid_utf8", "good\nbad \xFF\xFE byte\n", 2, kNotUtf8, kNotUtf8},
      {"overlong", "slash \xC0\xAF and \xE0\x80\xAF\n", 1, kNotUtf8, kNotUtf8},
      {"surrogates", "lone \xED\xA0\x80 and \xED\xBF\xBF\n", 1, kNotUtf8, kNotUtf8},
      {"beyond_unicode", "far \xF4\x90\x80\x80 and \xF8\x88\x80\x80\x80\n", 1, kNotUtf8, kNotUtf8},
      {"cut_character", "half a \xED\x95", 1, kNotUtf8, kNotUtf8},
      {"latin1", "caf\xE9 cr\xE8me\n", 1, kNotUtf8, kNotUtf8},
      {"utf16", "\xFF\xFEh\0i\0\n\0"s, 2, kNotUtf8, "UTF-16 or UTF-32, not UTF-8",
       "UTF-16 or UTF-32, not UTF-8"},
      {"emoji",
       "👩‍👩‍👧‍👦 family 🏳️‍🌈 flags 🇰🇷🇩🇪\n👍🏽\n", 2, "",
       ""},
      {"right_to_left", "שלום עולם\n\u202Eمرحبا بالعالم\u202C abc\n", 2, "", ""},
      {"combining", "a" + repeated("\u0301\u0327", 2000) + " b\n", 1, "", ""},
      {"crlf", "one two\r\nthree four\r\n\r\n", 3, "", ""},
      {"byte_order_mark", "\xEF\xBB\xBFone two\n\xEF\xBB\xBFthree\n", 2, "", ""},
      {"no_final_newline", "one two\nthree four", 2, "", ""},
      {"control_characters", "\x1B[31mred\x07 \x7F and\vmore\f\n\x01\n", 2, "", ""},
      {"line_separators", "one\u2028two\u2029three\u0085four\n", 1, "", ""},
      {"reserved_pieces", "<s> </s> <unk> <pad> ▁ ▁▁ ⁇ \u2585 a\n", 1, "", ""},
      {"unassigned", "\uFFFE \uFFFF \U0010FFFF \uFFFD \uE000 a\n", 1, "", ""},
      {"carriage_returns", "one\rtwo\rthree\r\r\r\n", 1, "", ""},
      {"long_word", repeated("a", 1 << 20) + "\n", 1, kTooLong, ""},
      {"long_line", repeated("the cat on mats ", 1 << 14) + "\n", 1, kTooLong, ""},
      {"long_syllables", repeated("가", 100000) + "\n", 1, kTooLong, ""},
      {"many_lines", "one two\n" + repeated("\n", 19998) + "three\n", 20000, "", ""},
  };
}

/// The cases of one command over all texts. `expected` picks the words of the error line.
template <typename Expected>
void check_texts(const std::string& command, bool line_for_line, Expected&& expected) {
  const TemporaryFolder in;
  std::vector<HostileCase> cases;
  for (const auto& text : strange_texts()) {
    in.write(text.name, text.content);
    const std::string says = expected(text);
    cases.push_back({text.name, "text=$in/" + text.name + "; " + command, says.empty() ? 0 : 1,
                     says, line_for_line && says.empty() ? text.lines : -1});
  }
  check_cases(in.path(), cases);
}

const char kQuick[] = " -m $sample --threads 1 --beam-size 1 --max-length 3 ";

}  // namespace

TEST_CASE("Any text is translated line by line, other files are refused", "[hostile]") {
  check_texts("$nmt translate" + std::string(kQuick) + "< $text", true,
              [](const StrangeText& text) { return text.translated; });
}

TEST_CASE("The attention of any text is drawn", "[hostile]") {
  check_texts(
      "$nmt translate" + std::string(kQuick) +
          "--attention $out/x.svg < $text && python3 -B tests/reports/check_page.py $out/x.svg",
      false, [](const StrangeText& text) { return text.translated; });
}

TEST_CASE("Any UTF-8 is a document of HTML or Markdown", "[hostile]") {
  for (const std::string format : {"html", "markdown"}) {
    check_texts("$nmt translate --format " + format + kQuick + "< $text", false,
                [](const StrangeText& text) {
                  return text.scored == kTooLong ? std::string() : text.scored;
                });
  }
}

TEST_CASE("Text is no document of subtitles or messages", "[hostile]") {
  for (const std::string format : {"srt", "po"}) {
    check_texts("$nmt translate --format " + format + kQuick + "< $text", false,
                [&](const StrangeText& text) -> std::string {
                  const bool blank = text.content.find_first_not_of(" \t\r\n") == std::string::npos;
                  if (blank || text.scored.find("not valid UTF-8") != std::string::npos) {
                    return text.scored;
                  }
                  return "standard input: " + format + ": ";
                });
  }
}

TEST_CASE("What is scored has to be UTF-8 and of a length that can be scored", "[hostile]") {
  check_texts("$nmt score -m $sample --threads 1 -s $text -t $text", true,
              [](const StrangeText& text) {
                return text.translated.empty() ? text.scored : text.translated;
              });
}

TEST_CASE("Any UTF-8 that is not all empty can be evaluated", "[hostile]") {
  check_texts("$nmt evaluate --hypothesis $text --reference $text", false,
              [](const StrangeText& text) -> std::string {
                if (text.lines == 0) return "nothing to evaluate";
                if (text.content == "\n") return "references: all lines are empty";
                if (!text.translated.empty()) return text.translated;
                return text.scored == kTooLong ? "" : text.scored;
              });
}

TEST_CASE("A vocabulary is trained from any UTF-8 that has letters", "[hostile]") {
  check_texts("$nmt vocab --size 400 --type bpe --threads 1 -i $text -o $out/spm", false,
              [](const StrangeText& text) { return text.trained; });
}

TEST_CASE("Strange text is taken by the other commands too", "[hostile]") {
  const TemporaryFolder in;
  for (const auto& text : strange_texts()) {
    in.write(text.name, text.content);
    in.write("copy_of_" + text.name, text.content);
  }
  const std::string interactive = "$nmt interactive" + std::string(kQuick) + "< $in/";
  const std::string json = "$nmt translate --json --attention" + std::string(kQuick) + "< $in/";
  const auto training = [](const std::string& text) {
    return "$nmt train --config /dev/null --train-sets $in/" + text + " $in/copy_of_" + text +
           " -m $out --train.max-updates 1 --train.threads 1 --vocab.source-model "
           "$sample/source.spm --vocab.target-model $sample/target.spm --model.embedding-size 4 "
           "--model.hidden-size 4 --data.max-length 5000 --data.max-ratio 0";
  };
  check_cases(in.path(),
              {{"typed NUL bytes", interactive + "nul_bytes", 0, "", 3},
               {"typed bytes that are not UTF-8", interactive + "utf16", 0, "", 2},
               {"a long line typed", interactive + "long_line", 0, "", 1},
               {"many lines typed", interactive + "many_lines", 0, "", 20000},
               {"JSON of NUL bytes", json + "nul_bytes", 1, "has many NUL bytes", 0},
               {"JSON of bytes that are not UTF-8", json + "invalid_utf8", 0, "\"line\":2", 2},
               {"JSON of a half character", json + "cut_character", 0, "\"line\":1", 1},
               {"JSON of control characters", json + "control_characters", 0, "\\u001b", 2},
               {"training on NUL bytes", training("nul_bytes"), 1, "has many NUL bytes"},
               {"training on nothing", training("empty"), 1, "the corpus is empty"},
               {"training on spaces", training("spaces"), 1, "no pair is left to use"},
               {"training on what is not UTF-8", training("invalid_utf8"), 1, "line 2: byte 5"},
               {"training on emoji", training("emoji"), 0, ""},
               {"training on right-to-left text", training("right_to_left"), 0, ""},
               {"training on one endless line", training("long_word"), 1, "no pair is left to use"},
               {"training on many empty lines", training("many_lines"), 0, ""}});
}

TEST_CASE("A sentence is explained, or refused in one line", "[hostile]") {
  const TemporaryFolder in;
  std::filesystem::create_directory(in / "folder");
  const std::string explain = "$nmt explain attention ";
  const std::string checked = " && python3 -B tests/reports/check_page.py $out/x";
  check_cases(
      in.path(),
      {{"nothing to explain", "$nmt explain", 2, "explain", 0},
       {"something else to explain", "$nmt explain atention x", 2, "did you mean attention", 0},
       {"no sentence", explain, 2, "no sentence given; use one in quotes, or --example", 0},
       {"a sentence and the example", explain + "--example x", 2, "excludes", 0},
       {"an empty sentence", explain + "''", 1, "the sentence is empty", 0},
       {"spaces", explain + "' \t '", 1, "the sentence is empty", 0},
       {"one word", explain + "책 --language ko", 0, "부드러운 사전", -1},
       {"no quotes", explain + "나는 책을 읽는다", 0, "읽는다", -1},
       {"10,000 words", explain + "\"$(yes word | head -n 10000)\"", 1,
        "has 10000 words; at most 32", 0},
       {"10,000 words for a model", explain + "-m $sample \"$(yes word | head -n 10000)\"", 1,
        "has 10000 words; at most 32", 0},
       {"a long word", explain + "\"$(printf '%0100000d' 7)\"", 0, "0000000000000…", -1},
       {"bytes that are not UTF-8", explain + "\"$(printf 'a\\377b \\355\\225')\"", 0, "a\uFFFDb",
        -1},
       {"the same for a model", explain + "-m $sample \"$(printf 'a\\377b')\"", 0, "a\uFFFDb", -1},
       {"control characters", explain + "\"$(printf 'a\\033[2Jb')\"", 0, "a\uFFFD[2Jb", -1},
       {"HTML in words", explain + "'</script> <b>&\" \u202E' -o $out/x.html" + checked + ".html",
        0, "", 0},
       {"HTML in a picture", explain + "'</svg> <b>&\" \u202E' -o $out/x.svg" + checked + ".svg", 0,
        "", 0},
       {"HTML for a model",
        explain + "-m $sample '</script> <b>&' -o $out/x.html" + checked + ".html", 0, "", 0},
       {"an unknown kind", explain + "x --kind doot", 2, "doot", 0},
       {"an unknown language", explain + "x --language kr", 2, "unknown; use en or ko", 0},
       {"another ending", explain + "x -o $out/x.png", 2, "use .html or .svg", 0},
       {"a missing folder", explain + "x -o $in/absent/x.svg", 1, "cannot be written", 0},
       {"a full disk", explain + "x > /dev/full", 1, "No space left", 0},
       {"no such model", explain + "x -m $in/absent", 1, "no such model directory", 0},
       {"an empty folder for a model", explain + "x -m $in/folder", 1, "not a model directory", 0},
       {"a kind for a model", explain + "x -m $sample --kind dot", 2, "--kind excludes --model-dir",
        0},
       {"the example for a model", explain + "--example -m $sample", 2,
        "--example excludes --model-dir", 0}});
}

TEST_CASE("A sentence loses its words, or is refused in one line", "[hostile]") {
  const TemporaryFolder in;
  std::filesystem::create_directory(in / "folder");
  const std::string omit = "$nmt explain omission -m $sample --language en ";
  const std::string checked = " && python3 -B tests/reports/check_page.py $out/x";
  check_cases(
      in.path(),
      {{"no model", "$nmt explain omission 'a b'", 2, "--model-dir is required", 0},
       {"no sentence", "$nmt explain omission -m $sample", 2, "argument sentence missing", 0},
       {"an empty sentence", omit + "''", 1, "the sentence is empty", 0},
       {"spaces", omit + "' \t '", 1, "the sentence is empty", 0},
       {"one word", omit + "책", 1, "has one word; use 2 to 32", 0},
       {"Korean without spaces", omit + "저는책을읽어요.", 1, "has one word; use 2 to 32", 0},
       {"two words", omit + "책을 읽어요.", 0, "4. Attention weights", -1},
       {"10,000 words", omit + "\"$(yes word | head -n 10000)\"", 1, "has 10000 words; at most 32",
        0},
       {"a long word", omit + "\"책 $(printf '%010000d' 7)\"", 0, "4. Attention weights", -1},
       {"an empty translation", omit + "--translation '' 책을 읽어요.", 1,
        "the translation is empty", 0},
       {"a long translation", omit + "--translation \"$(yes word | head -n 10000)\" 책을 읽어요.",
        1, "target tokens", 0},
       {"an address", omit + "--translation 'See https://example.org .' 저는 https://example.org .",
        0, "4. Attention weights", -1},
       {"bytes that are not UTF-8", omit + "\"$(printf 'a\\377b \\355\\225')\"", 1,
        "without a\uFFFDb the model has nothing to read", 0},
       {"control characters", omit + "\"$(printf 'a\\033[2Jb 책을')\"", 0, "[2Jb", -1},
       {"markup", omit + "'</script> <b>&\" \u202E' -o $out/x.html" + checked + ".html", 0, "", 0},
       {"markup in a picture", omit + "'</svg> <b>책</b>&' -o $out/x.svg" + checked + ".svg", 0, "",
        0},
       {"another ending", omit + "'a b' -o $out/x.json", 2, "use .html or .svg", 0},
       {"a missing folder", omit + "'책을 읽어요.' -o $in/absent/x.html", 1, "cannot be written",
        0},
       {"a full disk", omit + "'책을 읽어요.' > /dev/full", 1, "No space left", 0},
       {"no such model", "$nmt explain omission 'a b' -m $in/absent", 1, "no such model directory",
        0},
       {"an empty folder for a model", "$nmt explain omission 'a b' -m $in/folder", 1,
        "not a model directory", 0}});
}

TEST_CASE("A search is drawn as a tree, or refused in one line", "[hostile]") {
  const TemporaryFolder in;
  const std::string beam = "$nmt explain beam -m $sample --language en ";
  const std::string checked = " && python3 -B tests/reports/check_page.py $out/x";
  check_cases(
      in.path(),
      {{"no model", "$nmt explain beam 'a b'", 2, "--model-dir is required", 0},
       {"no sentence", "$nmt explain beam -m $sample", 2, "argument sentence missing", 0},
       {"an empty sentence", beam + "''", 1, "no tokens in the sentence", 0},
       {"10,000 words", beam + "\"$(yes word | head -n 10000)\"", 1,
        "tokens; use one of at most 64", 0},
       {"a wide beam", beam + "책 -b 11", 2, "--beam-size: 11 is out of range; use 1 to 10", 0},
       {"no beam", beam + "책 -b 0", 2, "use 1 to 10", 0},
       {"a huge penalty", beam + "책 --length-penalty 1e9", 2, "--length-penalty", 0},
       {"a greedy search", beam + "책 -b 1", 0, "K = 1", -1},
       {"bytes that are not UTF-8", beam + "\"$(printf 'a\\377b \\355\\225')\"", 0, "a\uFFFDb", -1},
       {"control characters", beam + "\"$(printf 'a\\033[2Jb 책을')\"", 0, "[2Jb", -1},
       {"markup", beam + "'</script> <b>&\" \u202E' -o $out/x.html" + checked + ".html", 0, "", 0},
       {"markup in a picture", beam + "'</svg> <b>책</b>&' -o $out/x.svg" + checked + ".svg", 0, "",
        0},
       {"another ending", beam + "'a b' -o $out/x.png", 2, "use .html or .svg", 0},
       {"no such model", "$nmt explain beam 'a b' -m $in/absent", 1, "no such model directory",
        0}});
}

TEST_CASE("Words are cut into pieces, or refused in one line", "[hostile]") {
  const TemporaryFolder in;
  const std::string pieces = "$nmt explain pieces -m $sample --language en ";
  const std::string checked = " && python3 -B tests/reports/check_page.py $out/x";
  check_cases(
      in.path(),
      {{"no model", "$nmt explain pieces a", 2, "--model-dir is required", 0},
       {"no words", "$nmt explain pieces -m $sample", 2, "argument words missing", 0},
       {"an empty word", pieces + "''", 1, "the sentence is empty", 0},
       {"33 words", pieces + "$(yes word | head -n 33)", 1, "has 33 words; at most 32", 0},
       {"a long word", pieces + "$(printf '%0100000d' 7)", 1,
        "has 100000 characters; use words of at most 64", 0},
       {"nothing to see", pieces + "\"$(printf '\\342\\200\\213')\"", 1, "has no tokens", 0},
       {"the target's vocabulary", pieces + "--target library", 0, "▁library=", -1},
       {"bytes that are not UTF-8", pieces + "\"$(printf 'a\\377b')\"", 0, "a\uFFFDb", -1},
       {"markup", pieces + "'</script>' '<b>&\"' -o $out/x.html" + checked + ".html", 0, "", 0},
       {"markup in a picture", pieces + "'</svg>' -o $out/x.svg" + checked + ".svg", 0, "", 0},
       {"no such model", "$nmt explain pieces a -m $in/absent", 1, "no such model directory", 0}});
}

}  // namespace nmt
