// The program itself, at a terminal.
#include "terminal/pseudo_terminal.h"

#include "files/file.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

const std::string kTypedSentence = "저는 책을 읽어요.";

std::string command(const TemporaryFolder& folder, const std::string& environment = "") {
  return "env TERM=xterm-256color XDG_STATE_HOME='" + folder.path().string() + "' " + environment +
         " '" NMT_PROGRAM "' interactive --threads 1 -m '" NMT_SOURCE_DIR "/models/sample'";
}

std::string last_line(const Screen& screen) { return screen.line(screen.row()); }

}  // namespace

TEST_CASE("At a terminal Hangul is typed, deleted and translated", "[terminal]") {
  const TemporaryFolder folder;
  PseudoTerminal terminal(command(folder), 80, 24);
  REQUIRE(terminal.shows(":help lists the commands"));
  terminal.type("저는 책상");
  REQUIRE(terminal.shows("> 저는 책상"));
  REQUIRE(terminal.screen().column() == 11);
  terminal.type("\x7f을 읽어요.");
  REQUIRE(terminal.shows("> 저는 책을 읽어요."));
  terminal.type("\r");
  REQUIRE(terminal.shows("> 저는 책을 읽어요.\nI read a book.\n>"));
  terminal.type("\x04");
  REQUIRE(terminal.wait() == 0);
}

TEST_CASE("A word processor's file is not written to a terminal", "[terminal]") {
  const TemporaryFolder folder;
  const auto letter = folder.write("a.docx", "").string();
  PseudoTerminal terminal(
      "'" NMT_PROGRAM "' translate -m '" NMT_SOURCE_DIR "/models/sample' -i '" + letter + "'", 200,
      24);
  REQUIRE(terminal.shows("not written to a terminal; use --output FILE"));
  REQUIRE(terminal.wait() == 2);
}

TEST_CASE("At a terminal history comes back, from the last time too", "[terminal]") {
  const TemporaryFolder folder;
  for (int time = 0; time < 2; ++time) {
    PseudoTerminal terminal(command(folder), 80, 24);
    REQUIRE(terminal.shows("\n>"));
    if (time == 0) terminal.type(kTypedSentence + "\r");
    if (time == 1) terminal.type("\x1b[A\x1b[A\r");
    REQUIRE(terminal.shows("I read a book.\n>"));
    terminal.type("x\x1b[A\x1b[B");
    REQUIRE(terminal.shows([](const Screen& screen) { return last_line(screen) == "> x"; }));
    terminal.type("\x7f:quit\r");
    REQUIRE(terminal.wait() == 0);
  }
  REQUIRE(read_file(folder / "nmt/history") ==
          kTypedSentence + "\n:quit\n" + kTypedSentence + "\n:quit\n");
}

TEST_CASE("At a terminal commands are completed and obeyed", "[terminal]") {
  const TemporaryFolder folder;
  PseudoTerminal terminal(command(folder), 80, 24);
  REQUIRE(terminal.shows("\n>"));
  terminal.type(":nb\t2\r" + kTypedSentence + "\r");
  REQUIRE(terminal.shows("> :nbest 2\n"));
  REQUIRE(terminal.shows("1  I read a book.\n2  "));
  terminal.type(":at\t\r");
  REQUIRE(terminal.shows("읽어요."));
  REQUIRE(terminal.shows("book. "));
  REQUIRE(contains(terminal.written(), "\x1b[48;5;"));
  terminal.type(":nonsense\r");
  REQUIRE(terminal.shows(":nonsense: unknown command"));
  terminal.type(":alternatives 2\r");
  REQUIRE(terminal.shows("%  I read a book."));
  terminal.type("\x04");
  REQUIRE(terminal.wait() == 0);
}

TEST_CASE("At a terminal without colors the matrix has none", "[terminal]") {
  const TemporaryFolder folder;
  PseudoTerminal terminal(command(folder, "NO_COLOR=1") + " --attention", 80, 24);
  REQUIRE(terminal.shows("\n>"));
  terminal.type(kTypedSentence + "\r");
  REQUIRE(terminal.shows("book. "));
  REQUIRE(terminal.shows("█"));
  REQUIRE_FALSE(contains(terminal.written(), "\x1b[48"));
  terminal.type("\x04");
  REQUIRE(terminal.wait() == 0);
}

TEST_CASE("At a terminal Ctrl-C gives up the line and not the program", "[terminal]") {
  const TemporaryFolder folder;
  PseudoTerminal terminal(command(folder), 80, 24);
  REQUIRE(terminal.shows("\n>"));
  terminal.type("wrong\x03");
  REQUIRE(terminal.shows("> wrong^C\n>"));
  terminal.type(kTypedSentence + "\r");
  REQUIRE(terminal.shows("I read a book.\n>"));
  terminal.type("\x04");
  REQUIRE(terminal.wait() == 0);
}

TEST_CASE("At a terminal a signal ends the program, and no correction is left", "[terminal]") {
  for (const int signal : {SIGHUP, SIGTERM}) {
    INFO(signal);
    const TemporaryFolder folder;
    const auto corrections = folder / "tmp";
    std::filesystem::create_directory(corrections);
    PseudoTerminal terminal(command(folder, "TMPDIR='" + corrections.string() + "'"), 80, 24);
    REQUIRE(terminal.shows("\n>"));
    terminal.type(kTypedSentence + "\r");
    REQUIRE(terminal.shows("I read a book.\n>"));
    terminal.type(":fix I read books.\r");
    REQUIRE(terminal.shows("use :keep or :discard"));
    terminal.send(signal);
    CHECK(terminal.wait() == (signal == SIGTERM ? 128 + SIGTERM : 0));
    CHECK(std::filesystem::is_empty(corrections));
  }
}

TEST_CASE("A server that the closing terminal hangs up stops in good order", "[terminal]") {
  ::signal(SIGHUP, SIG_DFL);  // under nohup too
  PseudoTerminal terminal("env TERM=xterm NO_COLOR=1 '" NMT_PROGRAM
                          "' serve --threads 1 --port 0 -m '" NMT_SOURCE_DIR "/models/sample'",
                          200, 24);
  REQUIRE(terminal.shows("listening on http://127.0.0.1:"));
  terminal.send(SIGHUP);
  CHECK(terminal.shows("server stopped"));
  CHECK_FALSE(contains(terminal.written(), "\x1b"));
  CHECK(terminal.wait() == 0);
}

TEST_CASE("At a terminal a line is drawn anew for another width", "[terminal]") {
  const TemporaryFolder folder;
  PseudoTerminal terminal(command(folder), 40, 24);
  REQUIRE(terminal.shows("press Enter. :help\nlists the commands; Ctrl-D quits.\n>"));
  terminal.type("12345678901234567890");
  REQUIRE(terminal.shows("> 12345678901234567890"));
  terminal.resize(12, 24);
  REQUIRE(terminal.shows("> 1234567890\n1234567890"));
  terminal.type("\x15\x04");
  REQUIRE(terminal.wait() == 0);
}

TEST_CASE("Without escape sequences, or with the output elsewhere, a line in is a line out",
          "[terminal]") {
  const TemporaryFolder folder;
  PseudoTerminal dumb(command(folder, "TERM=dumb"), 80, 24);
  REQUIRE(dumb.shows(">"));
  dumb.type(kTypedSentence + "\n\x04");
  REQUIRE(dumb.wait() == 0);
  REQUIRE(contains(dumb.screen().text(), "I read a book."));
  REQUIRE_FALSE(contains(dumb.written(), "\x1b"));
  const auto out = (folder / "out").string();
  PseudoTerminal redirected(command(folder) + " > " + out, 80, 24);
  redirected.type(kTypedSentence + "\n\x04");
  REQUIRE(redirected.wait() == 0);
  REQUIRE(read_file(out) == "I read a book.\n");
}

}  // namespace nmt
