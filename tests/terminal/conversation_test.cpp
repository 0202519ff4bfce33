#include "terminal/conversation.h"

#include <algorithm>
#include <numeric>

#include "attention_views/one_by_two.h"
#include "checkpoint/lexical_shortlist.h"
#include "files/file.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/sample.h"
#include "support/temporary_folder.h"
#include "terminal/fake_terminal.h"
#include "terminal/translation_text.h"

namespace nmt {
namespace {

TranslatorOptions sample() { return {{std::string(NMT_SOURCE_DIR) + "/models/sample"}, "cpu", 1}; }

/// What the terminal shows after the lines.
std::string shown_after(const std::vector<std::string>& lines,
                        const TranslationOptions& options = {}) {
  FakeTerminal terminal(80, 60);
  KeyReader keys(terminal);
  Conversation conversation(terminal, keys, sample(), options);
  for (const auto& line : lines) REQUIRE(conversation.answer(line));
  return terminal.screen.text();
}

const std::string kSentence = "저는 도서관에서 책을 읽었어요.";

}  // namespace

TEST_CASE("A sentence is answered by its translation alone", "[terminal]") {
  REQUIRE(shown_after({kSentence}) == "I read a book in the library.");
  REQUIRE(shown_after({""}) == "");
  REQUIRE(shown_after({" :beam"}).find("no :") == std::string::npos);
}

TEST_CASE("An empty line changes nothing", "[terminal]") {
  REQUIRE(shown_after({":prefix We re", "", "  ", "\t", "\u3000", kSentence}) ==
          shown_after({":prefix We re", kSentence}));
  REQUIRE(shown_after({kSentence, "", "  ", "\t", ":alternatives 2"}) ==
          shown_after({kSentence, ":alternatives 2"}));
  REQUIRE(shown_after({":score", ""}) == shown_after({":score"}));
}

TEST_CASE("A translation appears as it is found", "[terminal]") {
  struct Recorder : FakeTerminal {
    Recorder() : FakeTerminal(80, 5) {}
    void write(std::string_view text) override {
      FakeTerminal::write(text);
      shown.push_back(screen.text());
    }
    std::vector<std::string> shown;
  } terminal;
  KeyReader keys(terminal);
  Conversation conversation(terminal, keys, sample(), {});
  conversation.answer(kSentence);
  for (const std::string part :
       {"I", "I read", "I read a book in", "I read a book in the library."}) {
    REQUIRE(std::find(terminal.shown.begin(), terminal.shown.end(), part) != terminal.shown.end());
  }
}

TEST_CASE("Ctrl-C stops a translation, and what was typed before it is forgotten", "[terminal]") {
  FakeTerminal terminal(80, 5);
  KeyReader keys(terminal);
  Conversation conversation(terminal, keys, sample(), {});
  terminal.typed_meanwhile = "abc\x03";
  conversation.answer(kSentence);
  REQUIRE(terminal.screen.text() == "stopped");
  REQUIRE_FALSE(keys.has_more());
  conversation.answer(kSentence);
  REQUIRE(terminal.screen.text() == "stopped\nI read a book in the library.");
}

TEST_CASE("Lines are documents after :format", "[terminal]") {
  REQUIRE(shown_after({":format html", "저는 <b>책을</b> 읽어요."}) ==
          "format html; shows the best translation alone\nI read <b>a book</b>.");
  REQUIRE(
      contains(shown_after({":format xml", "<a>"}), "\nXML: line 1, column 4: no element found"));
  REQUIRE(shown_after({":format md"}) == "format markdown; shows the best translation alone");
  REQUIRE(contains(shown_after({":format pdf"}),
                   "'pdf' is none of text, html, xml, markdown, srt, po"));
  REQUIRE(shown_after({":format html", ":prefix We "}) ==
          "format html; shows the best translation alone\n:prefix: not for html; use :format text");
  for (const std::string command : {":alternatives 2", ":fix I read."}) {
    REQUIRE(contains(shown_after({":format html", kSentence, command}),
                     command.substr(0, command.find(' ')) + ": not for html; use :format text"));
  }
}

TEST_CASE("Commands change what is found and shown", "[terminal]") {
  const auto list = shown_after({":nbest 3", kSentence});
  REQUIRE(contains(list, "1  I read a book in the library.\n2  "));
  REQUIRE(contains(list, "\n3  "));
  const auto scores = shown_after({kSentence, ":score"});
  REQUIRE(contains(scores, "log p -"));
  REQUIRE(contains(scores, " tokens, "));
  REQUIRE(contains(scores, " ms"));
  const auto aligned = shown_after({":align", kSentence});
  REQUIRE(contains(aligned, "alignment on\nI read a book in the library.\nI "));
  REQUIRE(contains(aligned, "%  책을"));
  const auto matrix = shown_after({kSentence, ":attention"});
  REQUIRE(contains(matrix, "도서관에서"));
  REQUIRE(contains(matrix, "library."));
  REQUIRE(contains(shown_after({":attention", ":attention", kSentence}), "attention off\nI read"));
  REQUIRE(shown_after({":beam  3", ":beam 2 ", ":align  "}) ==
          "beam 3, nbest 1\nbeam 2, nbest 1\nalignment on");
  REQUIRE(shown_after({":beam 1", kSentence}) == "beam 1, nbest 1\nI read a book in the library.");
}

TEST_CASE("What is in force is shown", "[terminal]") {
  REQUIRE(shown_after({":nbest 7"}) == "beam 7, nbest 7");
  REQUIRE(shown_after({":beam 4", ":nbest 9", ":nbest 1"}) ==
          "beam 4, nbest 1\nbeam 9, nbest 9\nbeam 4, nbest 1");
  REQUIRE(shown_after({":nbest 3", ":beam 2"}) == "beam 5, nbest 3\nbeam 2, nbest 2");
  TranslationOptions groups;
  groups.beam_size = 4;
  groups.diverse_groups = 2;
  REQUIRE(shown_after({":nbest 5", ":nbest 3"}, groups) == "beam 6, nbest 5\nbeam 4, nbest 3");
  const auto settings = shown_after({":beam 2", ":align", ":prefix We", ":settings"});
  for (const std::string part :
       {"models/sample", "threads 1", "\nbeam 2, nbest 1\nlength-normalization wu", "recase on",
        "sample off", "format text", "attention off\nalignment on\nscores off",
        "prefix for the next sentence We"}) {
    INFO(part);
    REQUIRE(contains(settings, part));
  }
}

TEST_CASE("Translations are wrapped between words", "[terminal]") {
  FakeTerminal terminal(12, 9);
  KeyReader keys(terminal);
  Conversation conversation(terminal, keys, sample(), {});
  conversation.answer(kSentence);
  REQUIRE(terminal.screen.text() == "I read a\nbook in the\nlibrary.");
}

TEST_CASE("What was begun is finished, for the last sentence or the next", "[terminal]") {
  REQUIRE(contains(shown_after({kSentence, ":prefix In the li"}), "\nIn the li"));
  const auto next = shown_after({":prefix We re", kSentence, kSentence});
  REQUIRE(contains(next, "\nWe re"));
  REQUIRE(contains(next, "\nI read a book in the library."));
  REQUIRE(contains(shown_after({kSentence, ":prefix ☃"}), "does not know"));
}

TEST_CASE("Alternatives are listed with the translations that they lead to", "[terminal]") {
  const auto others = shown_after({kSentence, ":alternatives 2"});
  REQUIRE(contains(others, "read "));
  REQUIRE(contains(others, "%  I read a book in the library."));
  REQUIRE(std::count(others.begin(), others.end(), '\n') >= 4);
  REQUIRE(contains(shown_after({":alternatives 2"}), "no translation yet"));
  REQUIRE(contains(shown_after({kSentence, ":alternatives 40"}), "has 7 words; use 1 to 8"));
  REQUIRE(contains(shown_after({kSentence, ":alternatives x"}), "not a whole number"));
}

TEST_CASE("A wrong command prints an error and changes nothing", "[terminal]") {
  REQUIRE(contains(shown_after({":beem 3"}),
                   ":beem: unknown command (did you mean :beam?); use :help"));
  REQUIRE(contains(shown_after({":beam"}), ":beam: missing argument; use :beam N"));
  REQUIRE(contains(shown_after({":beam 0"}), "beam_size: 0 is out of range; use 1 to 1000"));
  REQUIRE(contains(shown_after({":beam 99999999999999999999"}), "not a whole number"));
  REQUIRE(
      contains(shown_after({":nbest 7", ":nbest 0"}), "n_best: 0 is out of range; use 1 to 1000"));
  REQUIRE(contains(shown_after({":nbest 1001"}), "n_best: 1001 is out of range; use 1 to 1000"));
  REQUIRE(contains(shown_after({":align 3"}), ":align takes no argument"));
  REQUIRE(contains(shown_after({":prefix"}), ":prefix: missing argument; use :prefix TEXT"));
  REQUIRE(contains(shown_after({":beam 0", kSentence}), "\nI read a book in the library."));
  const auto help = shown_after({":help"});
  for (const auto& name : Conversation::completions(":")) REQUIRE(contains(help, "  " + name));
  FakeTerminal terminal(80, 5);
  KeyReader keys(terminal);
  REQUIRE_FALSE(Conversation(terminal, keys, sample(), {}).answer(":quit"));
}

TEST_CASE("What a translation holds cannot steer the terminal", "[terminal]") {
  auto translation = one_by_two(0.5F);
  auto& candidate = translation.candidates.front();
  candidate.text = candidate.words[0] = translation.source_words[0] = "\x1b[2J\r\xff";
  for (const auto& text :
       {candidates_text(translation, true), alignment_text(translation),
        attention_grid(translation, {80, false}), alternatives_text({{"\x1b", "\x1b", 0.5}})}) {
    REQUIRE_FALSE(contains(text, "\x1b"));
    REQUIRE_FALSE(contains(text, "\r"));
  }
}

TEST_CASE("An alignment is shown without the weights of a very long line", "[terminal]") {
  auto translation = one_by_two(0.5F);
  translation.candidates.front().word_attention.clear();
  REQUIRE(alignment_text(translation) == "I  저는\n");
}

TEST_CASE("A correction is learned by a copy, kept, discarded and saved", "[terminal]") {
  const TemporaryFolder folder;
  const auto saved = (folder / "fixed").string();
  FakeTerminal terminal(100, 60);
  KeyReader keys(terminal);
  Conversation conversation(terminal, keys, sample(), {}, NMT_PROGRAM);
  for (const auto& line :
       {std::string(":fix Too early."), kSentence,
        std::string(":fix I read books in that library."), std::string(":discard"),
        std::string(":save ") + saved, std::string(":fix I read books in that library."),
        std::string(":keep"), std::string(":discard"), ":save " + saved, kSentence}) {
    REQUIRE(conversation.answer(line));
  }
  REQUIRE(terminal.screen.text() ==
          "no translation yet; type a sentence first\n"
          "I read a book in the library.\n"
          "before: I read a book in the library.\nafter:  I read books in that library.\n"
          "use :keep or :discard\n"
          "using the model from before :fix\n"
          "nothing to save; use :fix first\n"
          "before: I read a book in the library.\nafter:  I read books in that library.\n"
          "use :keep or :discard\n"
          "kept until you quit; use :save DIR to save it\n"
          "nothing to discard; use :fix first\n"
          "saved in " +
              saved +
              "\n"
              "I read books in that library.");
  const Translator translator({{saved}});
  REQUIRE(translator.translate({kSentence}).front().text == "I read books in that library.");
}

TEST_CASE("With a shortlist, which lacks what a correction teaches, none is learned",
          "[terminal]") {
  const TemporaryFolder folder;
  const auto vocabularies = sample_tokenizers();
  LexicalShortlist all;
  all.ends.resize(static_cast<size_t>(vocabularies.source.vocabulary_size()));
  all.ends.back() = 1;
  all.tokens = {kEosId};
  all.frequent.resize(static_cast<size_t>(vocabularies.target.vocabulary_size()));
  std::iota(all.frequent.begin(), all.frequent.end(), 0);
  auto options = sample();
  options.shortlist = folder / "shortlist";
  write_lexical_shortlist(options.shortlist, all, vocabularies);
  FakeTerminal terminal(100, 20);
  KeyReader keys(terminal);
  Conversation conversation(terminal, keys, options, {}, NMT_PROGRAM);
  conversation.answer(kSentence);
  conversation.answer(":fix I read books in that library.");
  REQUIRE(terminal.screen.text() ==
          "I read a book in the library.\n"
          "a shortlist lacks the words that a correction teaches; restart without --shortlist");
}

TEST_CASE("A correction is learned with the device and threads of the conversation", "[terminal]") {
  const TemporaryFolder folder;
  const auto program =
      folder.write("nmt", "#!/bin/sh\necho \"$@\" > \"${0%nmt}arguments\"\necho bad\nexit 1\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  FakeTerminal terminal(80, 20);
  KeyReader keys(terminal);
  Conversation conversation(terminal, keys, sample(), {}, program);
  conversation.answer(kSentence);
  conversation.answer(":fix I read.");
  REQUIRE(contains(terminal.screen.text(), "\nbad"));
  REQUIRE(contains(read_file(folder / "arguments"), " --device cpu --threads 1\n"));
}

}  // namespace nmt
