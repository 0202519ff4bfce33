#include "terminal/line_editor.h"

#include <filesystem>

#include "support/catch.h"
#include "support/temporary_folder.h"
#include "terminal/fake_terminal.h"

namespace nmt {
namespace {

const std::string kUp = "\x1b[A";
const std::string kDown = "\x1bOB";
const std::string kLeft = "\x1b[D";
const std::string kRight = "\x1b[C";

std::vector<std::string> no_completions(const std::string&) { return {}; }

/// What is read of the keys, which end with Enter.
std::string read_keys(const std::string& keys, const std::vector<std::string>& before = {}) {
  FakeTerminal terminal(40, 5);
  History history({});
  for (const auto& line : before) history.add(line);
  KeyReader reader(terminal);
  LineEditor editor(terminal, reader, history, no_completions);
  terminal.type(keys + "\r");
  return editor.read_line().value();
}

}  // namespace

TEST_CASE("Keys edit the line where the cursor is", "[terminal]") {
  REQUIRE(read_keys("hello") == "hello");
  REQUIRE(read_keys("hllo" + kLeft + kLeft + kLeft + "e") == "hello");
  REQUIRE(read_keys("helloo\x7f") == "hello");
  REQUIRE(read_keys("xhello\x1b[H\x1b[3~") == "hello");
  REQUIRE(read_keys("ello\x01h\x05!") == "hello!");
  REQUIRE(read_keys("\x7f" + kLeft + kRight + "a") == "a");
  REQUIRE(read_keys("one two  \x17") == "one ");
  REQUIRE(read_keys("one two\x15three") == "three");
  REQUIRE(read_keys("one two\x1b[1;5D\x0b.") == "one .");
  REQUIRE(read_keys("one two\x01\x1b[1;5C,") == "one, two");
  REQUIRE(read_keys("ab\x02\x04") == "a");
  REQUIRE(read_keys("a\x1b[99~\x1b[1;2Qb\x07") == "ab");
}

TEST_CASE("A syllable of Hangul is one character, however it is encoded", "[terminal]") {
  REQUIRE(read_keys("책을\x7f") == "책");
  REQUIRE(read_keys("책을" + kLeft + "상") == "책상을");
  REQUIRE(read_keys("가\u1112\u1161\u11ab\x7f") == "가");  // 한 of three jamo
  REQUIRE(read_keys("e\u0301\x7f.") == ".");
  REQUIRE(read_keys("\xff가\xb0") == "\uFFFD가\uFFFD");
}

TEST_CASE("Characters that come in pieces are waited for", "[terminal]") {
  FakeTerminal terminal(40, 5);
  History history({});
  KeyReader reader(terminal);
  LineEditor editor(terminal, reader, history, no_completions);
  for (const char* piece : {"\xec\xb1", "\x85", "\x1b", "[", "D", "\xec", "\x83\x81", "\r"}) {
    terminal.type(piece);
  }
  REQUIRE(editor.read_line() == "상책");
}

TEST_CASE("What is typed is drawn with its width, over as many rows as it needs", "[terminal]") {
  FakeTerminal terminal(10, 4);
  History history({});
  KeyReader reader(terminal);
  LineEditor editor(terminal, reader, history, no_completions);
  terminal.type("저는 책");
  terminal.then([&] {
    REQUIRE(terminal.screen.text() == "> 저는 책");
    REQUIRE(terminal.screen.column() == 9);
  });
  terminal.type("을");  // of one column that is left it takes none
  terminal.then([&] {
    REQUIRE(terminal.screen.text() == "> 저는 책\n을");
    REQUIRE(terminal.screen.row() == 1);
    REQUIRE(terminal.screen.column() == 2);
  });
  terminal.type(kLeft + kLeft);
  terminal.then([&] {
    REQUIRE(terminal.screen.row() == 0);
    REQUIRE(terminal.screen.column() == 7);
  });
  terminal.type("\x05 읽어요.12345678901234567890");  // higher than the screen: its end is shown
  terminal.then([&] {
    REQUIRE(terminal.screen.line(3) == "");
    REQUIRE(terminal.screen.line(2) == "1234567890");
    REQUIRE(terminal.screen.row() == 3);
    REQUIRE(terminal.screen.column() == 0);
  });
  terminal.type("\x15가");
  terminal.then([&] { REQUIRE(terminal.screen.text() == "> 가"); });
  terminal.type("\r");
  REQUIRE(editor.read_line() == "가");
  REQUIRE(terminal.screen.row() == 1);
}

TEST_CASE("A change of the window's size is seen while nothing is typed", "[terminal]") {
  FakeTerminal terminal(20, 4);
  History history({});
  KeyReader reader(terminal);
  LineEditor editor(terminal, reader, history, no_completions);
  terminal.type("0123456789");
  terminal.then([&] { terminal.screen.resize(8, 4); });
  terminal.then([&] { REQUIRE(terminal.screen.text() == "> 012345\n6789"); });
  terminal.type("\r");
  REQUIRE(editor.read_line() == "0123456789");
}

TEST_CASE("Earlier lines come back, and what was being typed is kept", "[terminal]") {
  const std::vector<std::string> before = {"first", "둘째"};
  REQUIRE(read_keys(kUp, before) == "둘째");
  REQUIRE(read_keys(kUp + kUp + kUp, before) == "first");
  REQUIRE(read_keys(kUp + "!", before) == "둘째!");
  REQUIRE(read_keys("new" + kUp + kUp + kDown + kDown + kDown, before) == "new");
  REQUIRE(read_keys("new\x10\x0e", before) == "new");
}

TEST_CASE("Ctrl-R searches the lines typed before, newest first", "[terminal]") {
  const std::vector<std::string> before = {"책을 읽어요", "물을 마셔요", "책이 좋아요"};
  REQUIRE(read_keys("\x12책", before) == "책이 좋아요");
  REQUIRE(read_keys("\x12책\x12", before) == "책을 읽어요");
  REQUIRE(read_keys("\x12책을", before) == "책을 읽어요");
  REQUIRE(read_keys("\x12책을\x7f\x7f물", before) == "물을 마셔요");
  REQUIRE(read_keys("\x12물\x05!", before) == "물을 마셔요!");
  REQUIRE(read_keys("new\x12책\x03", before) == "new");
  FakeTerminal terminal(40, 5);
  History history({});
  for (const auto& line : before) history.add(line);
  KeyReader reader(terminal);
  LineEditor editor(terminal, reader, history, no_completions);
  terminal.type("\x12물");
  terminal.then([&] { REQUIRE(terminal.screen.text() == "search '물': 물을 마셔요"); });
  terminal.type("x");
  terminal.then([&] { REQUIRE(terminal.screen.text() == "no match '물x': 물을 마셔요"); });
  terminal.type("\r");
  REQUIRE(editor.read_line() == "물을 마셔요");
  REQUIRE(terminal.screen.text() == "> 물을 마셔요");
}

TEST_CASE("Tab completes as far as it is clear, then lists", "[terminal]") {
  FakeTerminal terminal(40, 5);
  History history({});
  KeyReader reader(terminal);
  LineEditor editor(terminal, reader, history, [](const std::string& begun) {
    std::vector<std::string> found;
    for (const std::string text : {":align", ":alternatives", ":beam"}) {
      if (text.rfind(begun, 0) == 0) found.push_back(text);
    }
    return found;
  });
  terminal.type(":a\t");
  terminal.then([&] { REQUIRE(terminal.screen.text() == "> :al"); });
  terminal.type("\t");
  terminal.then([&] { REQUIRE(terminal.screen.text() == "> :al\n:align  :alternatives\n> :al"); });
  terminal.type("t\t3\r");
  REQUIRE(editor.read_line() == ":alternatives 3");
  terminal.type(":beam 3\t\r");
  REQUIRE(editor.read_line() == ":beam 3 ");
}

TEST_CASE("Tabs of pasted text become spaces", "[terminal]") {
  REQUIRE(read_keys("\tEin\tHund\tläuft.\t") == "Ein Hund läuft. ");
  REQUIRE(read_keys("\x1b[200~Ein\tHund\x1b[201~") == "Ein Hund");
}

TEST_CASE("Ctrl-C gives a line up, Ctrl-D on an empty one ends, and so does the terminal's end",
          "[terminal]") {
  FakeTerminal terminal(40, 5);
  History history({});
  KeyReader reader(terminal);
  LineEditor editor(terminal, reader, history, no_completions);
  terminal.type("wrong\x03right\r");
  REQUIRE(editor.read_line() == "right");
  REQUIRE(terminal.screen.text() == "> wrong^C\n> right");
  terminal.type("\x04");
  REQUIRE_FALSE(editor.read_line().has_value());
  terminal.type("unfinished");
  REQUIRE_FALSE(editor.read_line().has_value());
}

TEST_CASE("Lines pasted together are read one by one", "[terminal]") {
  FakeTerminal terminal(40, 9);
  History history({});
  KeyReader reader(terminal);
  LineEditor editor(terminal, reader, history, no_completions);
  terminal.type("one\ntwo\nthree");
  REQUIRE(editor.read_line() == "one");
  REQUIRE(editor.read_line() == "two");
  terminal.type("\x0c\r");
  REQUIRE(editor.read_line() == "three");
  REQUIRE(terminal.screen.line(0) == "> three");
}

TEST_CASE("History is kept for its owner alone, and does not grow without end", "[terminal]") {
  const TemporaryFolder folder;
  const auto file = folder / "state" / "nmt" / "history";
  History history(file);
  for (const char* line : {"책", "책", "", "물"}) history.add(line);
  REQUIRE(History(file).lines() == std::vector<std::string>{"책", "물"});
  REQUIRE((std::filesystem::status(file).permissions() & std::filesystem::perms(0077)) ==
          std::filesystem::perms::none);
  for (size_t i = 0; i < 2 * History::kMaxLines; ++i) history.add(std::to_string(i));
  REQUIRE(History(file).lines().size() == History::kMaxLines);
  REQUIRE(History(file).lines().back() == std::to_string(2 * History::kMaxLines - 1));
  folder.write("hostile", "a\x1b[2Jb\n");
  REQUIRE(History(folder / "hostile").lines().front() == "a\uFFFD[2Jb");
  History("/proc/nowhere/history").add("works");
}

}  // namespace nmt
