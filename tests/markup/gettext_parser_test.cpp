#include "markup/gettext_parser.h"

#include "markup/made_translation.h"
#include "markup/placeholder.h"
#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

std::vector<std::string> po_sentences(const std::string& po) {
  return Document(po, DocumentFormat::kGettext, split_line).sentences();
}

std::string upper_po(const std::string& po) {
  return translate_made(po, DocumentFormat::kGettext, in_upper_case);
}

std::string turned(const std::string& po) {
  return translate_made(po, DocumentFormat::kGettext, reversed);
}

/// A message without a translation, with one.
std::string entry(const std::string& id, const std::string& translation) {
  return "msgid " + id + "\nmsgstr " + translation + "\n";
}

const std::string kHeader =
    "# A translator\nmsgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\n";

}  // namespace

TEST_CASE("Messages without translations get them, everything else stays", "[markup]") {
  const std::string done = "#. note\n#: a.c:1\n" + entry("\"old\"", "\"alt\"") + "\n";
  const std::string obsolete = "\n#, fuzzy\n#~ msgid \"gone\"\n#~ msgstr \"\"\n";
  const std::string next = "\n" + entry("\"last\"", "\"\"");
  REQUIRE(upper_po(kHeader + done + entry("\"open file\"", "\"\"") + obsolete + next) ==
          kHeader + done + entry("\"open file\"", "\"OPEN FILE\"") + obsolete + "\n" +
              entry("\"last\"", "\"LAST\""));
  const std::string context = "msgctxt \"menu\"\n";
  REQUIRE(upper_po(context + entry("\"open\"", "\"\"")) == context + entry("\"open\"", "\"OPEN\""));
  REQUIRE(upper_po(entry("\"%d: %s\"", "\"\"")) == entry("\"%d: %s\"", "\"%d: %s\""));
  REQUIRE(upper_po("").empty());
}

TEST_CASE("A fuzzy translation is replaced and no longer marked", "[markup]") {
  REQUIRE(upper_po("#| msgid \"one\"\n#, fuzzy, c-format\n" + entry("\"two\"", "\"eins\"")) ==
          "#, c-format\n" + entry("\"two\"", "\"TWO\""));
  REQUIRE(upper_po("#, fuzzy\r\n" + entry("\"two\"", "\"eins\"")) == entry("\"two\"", "\"TWO\""));
  REQUIRE(upper_po("#, no-fuzzy\n" + entry("\"two\"", "\"eins\"")) ==
          "#, no-fuzzy\n" + entry("\"two\"", "\"eins\""));
  const std::string template_header = "#, fuzzy\n" + entry("\"\"", "\"a: b\\n\"");
  REQUIRE(upper_po(template_header) == template_header);
}

TEST_CASE("Plural forms are translated from the singular and the plural", "[markup]") {
  const std::string ids = "msgid \"%d file\"\nmsgid_plural \"%d files\"\n";
  REQUIRE(upper_po(ids + "msgstr[0] \"\"\nmsgstr[1] \"\"\nmsgstr[2] \"\"\n") ==
          ids + "msgstr[0] \"%d FILE\"\nmsgstr[1] \"%d FILES\"\nmsgstr[2] \"%d FILES\"\n");
  REQUIRE(upper_po(ids + "msgstr[0] \"\"\n") == ids + "msgstr[0] \"%d FILES\"\n");
  REQUIRE(upper_po(ids + "msgstr[0] \"x\"\nmsgstr[1] \"\"\n") ==
          ids + "msgstr[0] \"x\"\nmsgstr[1] \"%d FILES\"\n");
}

TEST_CASE("A translation has the lines and spaces of its message", "[markup]") {
  const std::string list = "\"\"\n\"Options:\\n\"\n\"  -h\\thelp \"\n\"me \\n\"\n\"\\n\"";
  REQUIRE(po_sentences(entry(list, "\"\"")) == std::vector<std::string>{"Options:", "-h help me"});
  REQUIRE(upper_po(entry(list, "\"\"")) ==
          entry(list, "\"\"\n\"OPTIONS:\\n\"\n\"  -H HELP ME \\n\"\n\"\\n\""));
  const std::string wrapped = "\"One two\\n\"\n\"three four.\\n\"";
  REQUIRE(po_sentences(entry(wrapped, "\"\"")) == std::vector<std::string>{"One two three four."});
  REQUIRE(turned(entry(wrapped, "\"\"")) == entry(wrapped, "\"four.\\n\"\n\"three two One\\n\""));
  REQUIRE(upper_po(entry("\" one: \"", "\"\"")) == entry("\" one: \"", "\" ONE: \""));
}

TEST_CASE("Escapes are read and written", "[markup]") {
  const std::string quotes = R"("say \"a\\b\" now\a")";
  REQUIRE(po_sentences(entry(quotes, "\"\"")) == std::vector<std::string>{"say \"a\\b\" now"});
  REQUIRE(upper_po(entry(quotes, "\"\"")) == entry(quotes, R"("SAY \"A\\B\" NOW\a")"));
  REQUIRE(upper_po(entry(R"("one \é two")", "\"\"")) ==
          entry(R"("one \é two")", R"("ONE \é TWO")"));
}

TEST_CASE("What a program replaces and tags come through a translation", "[markup]") {
  REQUIRE(turned(entry(R"("copied %1$s to {name} <b>now</b>")", "\"\"")) ==
          entry(R"("copied %1$s to {name} <b>now</b>")", R"("<b>now</b> {name} to %1$s copied")"));
  // The model mistranslates all of them.
  const auto garble = [](const std::string& sentence) {
    return made_translation(sentence, "x y z", {0, 1, 2});
  };
  REQUIRE(translate_made(entry(R"("a %s {{ b }}")", "\"\""), DocumentFormat::kGettext, garble) ==
          entry(R"("a %s {{ b }}")", R"("x %s {{ b }}")"));
  const auto nothing = [](const std::string& sentence) {
    return made_translation(sentence, "", {});
  };
  const auto lost =
      translate_made(entry(R"("a %s b {c}")", "\"\""), DocumentFormat::kGettext, nothing);
  REQUIRE(contains(lost, "msgstr \"%s {c}"));
}

TEST_CASE("Placeholders are told from text", "[markup]") {
  for (const std::string whole : {"%s",         "%d",
                                  "%%",         "%1$s",
                                  "%-5.2f",     "%.*s",
                                  "%lld",       "%<PRIu64>",
                                  "%(name)s",   "%(n)03d",
                                  "%1",         "%L12",
                                  "%n",         "%@",
                                  "%{name}",    "{}",
                                  "{0}",        "{name!r:>10}",
                                  "{{ name }}", "${HOME}",
                                  "$HOME",      "{n, plural, one {a file} other {# files}}",
                                  "&nbsp;",     "&#160;"}) {
    INFO(whole);
    CHECK(placeholder_length(whole + " x") == whole.size());
    CHECK(placeholder_length(whole) == whole.size());
  }
  for (const std::string text : {"", "s", "% d", "%", "%-", "%(a", "{a b}", "{", "{{", "}", "$",
                                 "$5", "& b;", "&b", "{a\nb}"}) {
    INFO(text);
    CHECK(placeholder_length(text) == 0);
  }
}

TEST_CASE("What is no message catalog is refused with its line", "[markup]") {
  const auto message = [](const std::string& po) { return error_of([&] { po_sentences(po); }); };
  CHECK(contains(message("\nmsgid \"a\n"), "po: line 2: a string is not closed"));
  CHECK(contains(message("some text\n"), "po: line 1: neither a comment nor part of a message"));
  CHECK(contains(message("\"a\"\n"), "line 1: a string without a keyword"));
  CHECK(
      contains(message("msgid \"a\"\n\nmsgid \"b\"\nmsgstr \"\"\n"), "line 3: a message without"));
  CHECK(contains(message("msgid \"a\"\n"), "line 1: a message without msgstr"));
  CHECK(contains(message("msgid \"a\"\nmsgstr\n"), "a message without msgstr"));
  CHECK(contains(message("msgid\nmsgstr \"\"\n"), "line 2: a string is missing"));
  CHECK(contains(message("msgid \"a\"\n# c\nmsgstr \"\"\n"), "line 2: a comment within"));
  CHECK(contains(message(entry("\"\"", "\"Content-Type: text/plain; charset=EUC-KR\\n\"")),
                 "line 2: charset euc-kr"));
  CHECK(contains(message("msgid \"\xFF\"\n"), "po: byte 8 is not valid UTF-8"));
}

}  // namespace nmt
