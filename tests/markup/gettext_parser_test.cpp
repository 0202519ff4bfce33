#include "markup/gettext_parser.h"

#include <cstdlib>

#include "markup/made_translation.h"
#include "markup/placeholder.h"
#include "numbers/random.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

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

/// Translated into a language.
std::string upper_po_for(const std::string& language, const std::string& po) {
  return translate_made(Document(po, DocumentFormat::kGettext, Splitter(split_line, language)),
                        in_upper_case);
}

std::string header(const std::string& fields) {
  return "msgid \"\"\nmsgstr \"\"\n" + fields + "\n";
}

std::string plural_header(const std::string& language, const std::string& forms) {
  return header("\"Language: " + language + "\\n\"\n\"Plural-Forms: " + forms + "\\n\"\n");
}

const std::string kFiles = "msgid \"%d file\"\nmsgid_plural \"%d files\"\n";

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
  const std::string context = "msgctxt \"menu\"\n";
  REQUIRE(upper_po("#, fuzzy, c-format\n#| msgid \"one\"\n" + context +
                   entry("\"%s a %d\"", "\"eins\"")) ==
          "#, c-format\n" + context + entry("\"%s a %d\"", "\"%s A %d\""));
  REQUIRE(contains(turned("#, c-format\n" + context + entry("\"%s a %d\"", "\"\"")),
                   "msgstr \"%2$d a %1$s\""));
  const auto header_entry = entry("\"\"", "\"a: b\\n\"");
  REQUIRE(upper_po("#, fuzzy\n" + header_entry) == header_entry);
}

TEST_CASE("Plural forms are translated from the singular and the plural", "[markup]") {
  const std::string ids = "msgid \"%d file\"\nmsgid_plural \"%d files\"\n";
  REQUIRE(upper_po(ids + "msgstr[0] \"\"\nmsgstr[1] \"\"\nmsgstr[2] \"\"\n") ==
          ids + "msgstr[0] \"%d FILE\"\nmsgstr[1] \"%d FILES\"\nmsgstr[2] \"%d FILES\"\n");
  REQUIRE(upper_po(ids + "msgstr[0] \"\"\n") == ids + "msgstr[0] \"%d FILES\"\n");
  REQUIRE(upper_po(ids + "msgstr[0] \"x\"\nmsgstr[1] \"\"\n") ==
          ids + "msgstr[0] \"x\"\nmsgstr[1] \"%d FILES\"\n");
}

TEST_CASE("Tabs, line ends of Windows and percentages of a message stay", "[markup]") {
  CHECK(upper_po(entry("\"open file\\tCtrl+O\"", "\"\"")) ==
        entry("\"open file\\tCtrl+O\"", "\"OPEN FILE\\tCtrl+O\""));
  CHECK(upper_po(entry("\"%s: open\\tfile\"", "\"\"")) ==
        entry("\"%s: open\\tfile\"", "\"%s: OPEN\\tFILE\""));
  CHECK(po_sentences(entry("\"a man\\r\\nruns.\\r\\n\"", "\"\"")) ==
        std::vector<std::string>{"a man runs."});
  CHECK(upper_po(entry("\"a man\\r\\nruns.\\r\\n\"", "\"\"")) ==
        entry("\"a man\\r\\nruns.\\r\\n\"", "\"A MAN\\r\\nRUNS.\\r\\n\""));
  for (const std::string flag : {"", "#, c-format\n"}) {
    CHECK(translate_made(header("") + flag + entry("\"a %d%% b\"", "\"\""),
                         DocumentFormat::kGettext,
                         reversed) == header("") + flag + entry("\"a %d%% b\"", "\"b %d%% a\""));
    CHECK(contains(translate_made(header("") + flag + entry("\"a %s:%d b %dx%d\"", "\"\""),
                                  DocumentFormat::kGettext, in_upper_case),
                   "\"A %s:%d B %dx%d\""));
  }
}

TEST_CASE("A catalog with translations into another language is refused", "[markup]") {
  const std::string polish = "nplurals=3; plural=n%3;";
  const std::string done =
      kFiles + "msgstr[0] \"a\"\nmsgstr[1] \"b\"\nmsgstr[2] \"c\"\n\n" + entry("\"x\"", "\"\"");
  const auto message = [](const std::string& language, const std::string& po) {
    return error_of([&] { upper_po_for(language, po); });
  };
  const std::string other =
      "po: line 2: Language pl of existing translations, but the model's is en; use a model for pl "
      "or the .pot file";
  CHECK(message("en", plural_header("pl", polish) + done) == other);
  CHECK(message("en", plural_header("pl", polish) + entry("\"x\"", "\"y\"")) == other);
  CHECK(contains(message("en", done + plural_header("pl", polish)), "Language pl"));
  CHECK(
      message("ko", plural_header("", polish) + done) ==
      "po: line 2: nplurals=3 of existing translations, but ko has 1; set Language to that of the "
      "translations");
  CHECK(contains(message("ko", header("\"X: y\\n\"") + done),
                 "po: line 7: a translation beyond nplurals=1; correct"));
  // None to keep, an unknown target, and no sign of another language.
  const auto keeps = [](const std::string& language, const std::string& head,
                        const std::string& rest) {
    return contains(upper_po_for(language, head + rest), rest);
  };
  CHECK(keeps("en", plural_header("pl", polish), "#~ msgid \"x\"\n#~ msgstr \"y\"\n"));
  CHECK(contains(
      upper_po_for("en", plural_header("pl", polish) + "#, fuzzy\n" + entry("\"x\"", "\"y\"")),
      "msgstr \"X\""));
  CHECK(keeps("", plural_header("pl", polish), entry("\"x\"", "\"y\"")));
  CHECK(keeps("de", plural_header("", "nplurals=2; plural=n!=1;"), entry("\"x\"", "\"y\"")));
  CHECK(keeps("de", header("\"X: y\\n\""), entry("\"x\"", "\"y\"")));
}

TEST_CASE("The header of another language or a template gets the target's plural forms",
          "[markup]") {
  const std::string two = kFiles + "msgstr[0] \"\"\nmsgstr[1] \"\"\n";
  const std::string template_forms = "nplurals=INTEGER; plural=EXPRESSION;";
  CHECK(upper_po_for("ko", plural_header("", template_forms) + two) ==
        plural_header("ko", "nplurals=1; plural=0;") + kFiles + "msgstr[0] \"%d FILES\"\n");
  CHECK(
      upper_po_for("pl", plural_header("de", "nplurals=2; plural=(n != 1);") + two + "\n# end\n") ==
      plural_header("pl",
                    "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || "
                    "n%100>=20) ? 1 : 2);") +
          kFiles +
          "msgstr[0] \"%d FILE\"\nmsgstr[1] \"%d FILES\"\nmsgstr[2] \"%d FILES\"\n\n# end\n");
  CHECK(upper_po_for("pt-BR", plural_header("", template_forms)) ==
        plural_header("pt_BR", "nplurals=2; plural=(n > 1);"));
  CHECK(upper_po_for("de", header("\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; "
                                  "charset=CHARSET\\n\"\n")) ==
        header("\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n"
               "\"Language: de\\n\"\n\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n"));
  for (const std::string charset : {"ASCII", "us-ascii", "ISO-8859-1", "EUC-KR"}) {
    CHECK(upper_po_for("", header("\"Content-Type: text/plain; charset=" + charset + "\\n\"\n")) ==
          header("\"Content-Type: text/plain; charset=UTF-8\\n\"\n"));
  }
  CHECK(upper_po_for("de", "msgid \"\"\nmsgstr \"X: y\"\n") ==
        "msgid \"\"\nmsgstr \"X: y\\n\"\n\"Language: de\\n\"\n"
        "\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n");
}

TEST_CASE("The header of the target language is kept, and its number of forms counts", "[markup]") {
  const std::string own = "nplurals=2; plural=n>1;";
  CHECK(upper_po_for("de", plural_header("de_AT", own)) == plural_header("de_AT", own));
  CHECK(upper_po_for("", plural_header("de", own)) == plural_header("de", own));
  CHECK(upper_po_for("qu", plural_header("qu", "nplurals=4; plural=n%4;") + kFiles +
                               "msgstr[0] \"\"\nmsgstr[1] \"\"\n") ==
        plural_header("qu", "nplurals=4; plural=n%4;") + kFiles +
            "msgstr[0] \"%d FILE\"\nmsgstr[1] \"%d FILES\"\nmsgstr[2] \"%d FILES\"\n"
            "msgstr[3] \"%d FILES\"\n");
  // Over two lines in the file.
  const std::string wrapped =
      header("\"Language: cs\\n\"\n\"Plural-Forms: nplurals=3; \"\n\"plural=n%3;\\n\"\n");
  CHECK(upper_po_for("cs", wrapped) == wrapped);
  CHECK(upper_po_for("ja", wrapped) == plural_header("ja", "nplurals=1; plural=0;"));
  // A number that nobody means.
  CHECK(upper_po_for("de", plural_header("de", "nplurals=4000000000; plural=0;")) ==
        plural_header("de", "nplurals=2; plural=(n != 1);"));
}

TEST_CASE("Plural forms that are translated stay", "[markup]") {
  const std::string russian = plural_header("ru", "nplurals=3; plural=n%3;");
  CHECK(upper_po_for("ru", russian + kFiles + "msgstr[0] \"a\"\nmsgstr[1] \"b\"\n") ==
        russian + kFiles + "msgstr[0] \"a\"\nmsgstr[1] \"b\"\nmsgstr[2] \"%d FILES\"\n");
  const std::string korean = plural_header("ko", "nplurals=1; plural=0;");
  CHECK(upper_po_for("ko", korean + kFiles + "msgstr[0] \"a\"\nmsgstr[1] \"\"\n\n#~ c\n") ==
        korean + kFiles + "msgstr[0] \"a\"\n\n#~ c\n");
  CHECK(contains(
      error_of([&] { upper_po_for("ko", korean + kFiles + "msgstr[0] \"a\"\nmsgstr[1] \"b\"\n"); }),
      "po: line 9: a translation beyond nplurals=1; correct"));
}

TEST_CASE("The singular is for the form of one thing, and of no number that it hides", "[markup]") {
  const std::string one = "msgid \"one file\"\nmsgid_plural \"%d files\"\n";
  const std::string empty = "msgstr[0] \"\"\nmsgstr[1] \"\"\n";
  const auto forms_of = [&](const std::string& language, const std::string& ids) {
    const auto po = upper_po_for(language, plural_header("", "") + ids + empty);
    return po.substr(po.find("msgstr[0]"));
  };
  CHECK(forms_of("de", one) == "msgstr[0] \"ONE FILE\"\nmsgstr[1] \"%d FILES\"\n");
  // 0 has the form of 1 in French; 21 in Russian.
  CHECK(forms_of("fr", one) == "msgstr[0] \"%d FILES\"\nmsgstr[1] \"%d FILES\"\n");
  CHECK(forms_of("ru", one) ==
        "msgstr[0] \"%d FILES\"\nmsgstr[1] \"%d FILES\"\nmsgstr[2] \"%d FILES\"\n");
  CHECK(forms_of("ru", kFiles) ==
        "msgstr[0] \"%d FILE\"\nmsgstr[1] \"%d FILES\"\nmsgstr[2] \"%d FILES\"\n");
  // Arabic has a form for nothing before that for one.
  CHECK(forms_of("ar", one) ==
        "msgstr[0] \"%d FILES\"\nmsgstr[1] \"ONE FILE\"\nmsgstr[2] \"%d FILES\"\n"
        "msgstr[3] \"%d FILES\"\nmsgstr[4] \"%d FILES\"\nmsgstr[5] \"%d FILES\"\n");
}

TEST_CASE("gettext accepts translations into languages of all numbers of forms", "[markup]") {
  if (std::system("msgfmt --version > /dev/null 2>&1") != 0) SKIP("no msgfmt; install gettext");
  const TemporaryFolder folder;
  const std::string entries =
      "#, c-format\nmsgid \"one file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"\"\nmsgstr[1] "
      "\"\"\n\n"
      "#, fuzzy, c-format\nmsgid \"%d of one word\\n\"\nmsgid_plural \"%d of many words\\n\"\n"
      "msgstr[0] \"x\"\nmsgstr[1] \"\"\n";
  const auto head = "#, fuzzy\n" + header(
                                       "\"Language: \\n\"\n\"Content-Type: text/plain; "
                                       "charset=CHARSET\\n\"\n\"Plural-Forms: "
                                       "nplurals=INTEGER; plural=EXPRESSION;\\n\"\n");
  for (const char* language : {"ko", "de", "fr", "pt-BR", "pl", "ru", "lv", "sl", "ga", "ar"}) {
    INFO(language);
    folder.write("made.po", upper_po_for(language, head + entries));
    const auto file = (folder / "made.po").string();
    REQUIRE(std::system(
                ("msgfmt --check -o /dev/null '" + file + "' 2> '" + file + ".log'").c_str()) == 0);
  }
}

TEST_CASE("A translation has the lines and spaces of its message", "[markup]") {
  const std::string list = "\"\"\n\"Options:\\n\"\n\"  -h\\thelp \"\n\"me \\n\"\n\"\\n\"";
  REQUIRE(po_sentences(entry(list, "\"\"")) ==
          std::vector<std::string>{"Options:", "-h", "help me"});
  REQUIRE(upper_po(entry(list, "\"\"")) ==
          entry(list, "\"\"\n\"OPTIONS:\\n\"\n\"  -H\\tHELP ME \\n\"\n\"\\n\""));
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
  // As gettext reads them: up to three octal digits, all hexadecimal ones.
  const std::string numbers = R"("o\156e\x20t\303\251n \1011")";
  REQUIRE(po_sentences(entry(numbers, "\"\"")) == std::vector<std::string>{"one tén A1"});
  REQUIRE(upper_po(entry(numbers, "\"\"")) == entry(numbers, R"("ONE TéN A1")"));
  const std::string others = R"("\033two\0 \xfe\x \377")";  // no text
  REQUIRE(po_sentences(entry(others, "\"\"")) == std::vector<std::string>{"two"});
  REQUIRE(upper_po(entry(others, "\"\"")) == entry(others, R"("\033TWO\0 \xfe\x \377")"));
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
  REQUIRE(translate_made(entry(R"("a %s b {c}")", "\"\""), DocumentFormat::kGettext, nothing) ==
          entry(R"("a %s b {c}")", "\"\""));
}

TEST_CASE("Escaped tags are tags, and references to letters are letters", "[markup]") {
  CHECK(turned(entry(R"("one &lt;b&gt;two&lt;/b&gt; three")", "\"\"")) ==
        entry(R"("one &lt;b&gt;two&lt;/b&gt; three")", R"("three &lt;b&gt;two&lt;/b&gt; one")"));
  CHECK(turned(entry(R"("one &lt;code&gt;x y&lt;/code&gt; two")", "\"\"")) ==
        entry(R"("one &lt;code&gt;x y&lt;/code&gt; two")",
              R"("two &lt;code&gt;x y&lt;/code&gt; one")"));
  const auto kept = entry(R"("one &lt;span class=\"x\"&gt;two&lt;/span&gt;")", "\"\"");
  CHECK(turned(kept).find(R"(msgstr "&lt;span class=\"x\"&gt;two&lt;/span&gt; one")") !=
        std::string::npos);
  CHECK(turned(entry(R"("M&auml;dchen&nbsp;&#223; a &amp; b &lt; c")", "\"\"")) ==
        entry(R"("M&auml;dchen&nbsp;&#223; a &amp; b &lt; c")", R"("c &lt; b &amp; a ß Mädchen")"));
  CHECK(
      turned(entry(R"("one <bpt id='1'>&lt;b&gt;</bpt>two")", "\"\"")) ==
      entry(R"("one <bpt id='1'>&lt;b&gt;</bpt>two")", R"("<bpt id='1'>&lt;b&gt;</bpt>two one")"));
}

TEST_CASE("Comparison signs are no tags, and codes may be empty", "[markup]") {
  CHECK(contains(upper_po(entry(R"("one x &lt; y two y &gt; 0")", "\"\"")),
                 R"(msgstr "ONE X &lt; Y TWO Y &gt; 0")"));
  CHECK(contains(upper_po(entry(R"("one x&lt;y two y&gt;0")", "\"\"")), "Y TWO Y"));
  CHECK(turned(entry(R"("one <ph id='0'/>&lt;b&gt;two&lt;/b&gt;")", "\"\"")) ==
        entry(R"("one <ph id='0'/>&lt;b&gt;two&lt;/b&gt;")",
              R"("<ph id='0'/>&lt;b&gt;two&lt;/b&gt; one")"));
}

TEST_CASE("A message stays empty if one of its sentences gets no translation", "[markup]") {
  const auto partly = [](const std::string& sentence) {
    return sentence == "b" ? made_translation(sentence, "", {}) : in_upper_case(sentence);
  };
  const auto translated = [&](const std::string& po) {
    return translate_made(po, DocumentFormat::kGettext, partly);
  };
  const std::string lines = "\"\"\n\" a\\n\"\n\"\\n\"\n\" b \\n\"\n";
  CHECK(translated(entry("\"a\"", "\"\"") + entry(lines, "\"\"") + entry("\"c\"", "\"\"")) ==
        entry("\"a\"", "\"A\"") + entry(lines, "\"\"") + entry("\"c\"", "\"C\""));
  CHECK(translated(entry("\"b\"", "\"\"") + "\n#, fuzzy\n" + entry("\"b\"", "\"x\"") + "# end\n") ==
        entry("\"b\"", "\"\"") + "\n" + entry("\"b\"", "\"\"") + "# end\n");
  const std::string ids = "msgid \"a\"\nmsgid_plural \"b\"\n";
  CHECK(translated(ids + "msgstr[0] \"\"\nmsgstr[1] \"\"\n") ==
        ids + "msgstr[0] \"A\"\nmsgstr[1] \"\"\n");
}

TEST_CASE("A percentage within a word has no directive unless the message is marked", "[markup]") {
  for (const std::string word :
       {"100%ige", "20%-ige", "10%s\u00E4tze", "50 %iger", "50\u00A0%iger", "50\u202F%iger"}) {
    const auto texts = po_sentences(entry('"' + word + " one\"", "\"\""));
    REQUIRE(texts.size() == 1);
    CHECK(contains(upper_po(entry('"' + word + " one\"", "\"\"")),
                   in_upper_case(texts.front()).text));
  }
  const auto translation_of = [](const std::string& po) {
    const auto result = upper_po(po);
    return result.substr(result.find("\nmsgstr "));
  };
  CHECK(contains(translation_of("#, c-format\n" + entry("\"100%ige one\"", "\"\"")), "%i"));
  CHECK(contains(translation_of("#, c-format\n" + entry("\"50 %iger one\"", "\"\"")), "%i"));
  CHECK(contains(translation_of(entry("\"one 10%s two\"", "\"\"")), "%s"));
  CHECK(contains(translation_of(entry("\"one 10 %s two\"", "\"\"")), "%s"));
}

TEST_CASE("Directives of all formats are kept", "[markup]") {
  const auto kept = [](const std::string& format, const std::string& directive) {
    const auto po = "#, " + format + "\n" + entry("\"a " + directive + " b\"", "\"\"");
    const auto result = translate_made(po, DocumentFormat::kGettext, [](const auto& sentence) {
      return made_translation(sentence, "x y z", {0, 1, 2});
    });
    return contains(result, "msgstr \"x " + directive + " z\"");
  };
  for (const auto& [format, directives] :
       std::initializer_list<std::pair<std::string, std::vector<std::string>>>{
           {"c-format", {"%I64d", "%5<PRIu64>", "%td", "%%"}},
           {"ruby-format", {"%<count>d", "%<price>.2f", "%-10<name>s", "%{name}"}},
           {"boost-format", {"%|1$d|", "%2%", "%|-5s|", "%s"}},
           {"java-printf-format", {"%tY", "%1$tB", "%,d", "%<s", "%X"}},
           {"object-pascal-format", {"%0:s", "%-8.2f"}},
           {"lua-format", {"%q", "%s"}},
           {"go-format", {"%v", "%T", "%+v"}},
           {"scheme-format", {"~a", "~s", "~10a", "~%"}},
           {"lisp-format", {"~,2f", "~:d"}},
           {"qt-format", {"%1", "%L2", "%n"}},
           {"no-c-format",
            {"%street", "%user_name", "@user", "!name", ":name", "--help", "--file=BUCH",
             "--dry-run"}}}) {
    for (const auto& directive : directives) {
      INFO(format << " " << directive);
      CHECK(kept(format, directive));
    }
  }
  CHECK_FALSE(kept("no-c-format", "~a"));
  CHECK_FALSE(kept("qt-format", "a@user"));
  CHECK_FALSE(kept("c-format", "a::name"));
  // Of a format with directives of printf, the %s of %street is one.
  CHECK_FALSE(kept("c-format", "%street"));
}

TEST_CASE("A message of an unknown format stays as it is", "[markup]") {
  const auto message = "#, fuzzy, cobol-format\n" + entry("\"a\"", "\"x\"") + "#, cobol-format\n" +
                       kFiles + "msgstr[0] \"\"\nmsgstr[1] \"\"\nmsgstr[2] \"\"\n";
  CHECK(upper_po(message + entry("\"a\"", "\"\"")) == message + entry("\"a\"", "\"A\""));
}

TEST_CASE("Tags may be numbered") {
  const auto message = R"("a <0>man</0> <3 and <1/> b")";
  CHECK(translate_made(entry(message, "\"\""), DocumentFormat::kGettext, in_upper_case) ==
        entry(message, R"("A <0>MAN</0> <3 AND <1/> B")"));
}

TEST_CASE("Directives in another order than in the source get numbers or change places",
          "[markup]") {
  const auto turned_as = [](const std::string& format, const std::string& id) {
    const auto result = turned("#, " + format + "\n" + entry('"' + id + '"', "\"\""));
    return result.substr(result.find("\nmsgstr ") + 8);
  };
  CHECK(turned_as("c-format", "%s a %-5d b") == "\"b %2$-5d a %1$s\"\n");
  CHECK(turned_as("c-format", "a %s %s") == "\"%2$s %1$s a\"\n");
  CHECK(turned_as("c-format", "a %s b") == "\"b %s a\"\n");
  CHECK(turned_as("c-format", "%2$s a %1$d") == "\"%1$d a %2$s\"\n");
  CHECK(turned_as("c-format", "%s a %d%%.") == "\"%2$d%%. a %1$s\"\n");
  CHECK(turned_as("python-format", "%s a %d") == "\"%s a %d\"\n");
  CHECK(turned_as("python-format", "%(b)s a %(c)d") == "\"%(c)d a %(b)s\"\n");
  CHECK(turned_as("python-brace-format", "{} a {:>5} {x}") == "\"{x} {} a {:>5}\"\n");
  CHECK(turned_as("python-brace-format", "{} a {{ {:>5}") == "\"{1:>5} {{ a {0}\"\n");
  CHECK(turned_as("python-brace-format", "{{{}}} a {}") == "\"{1} a {{{0}}}\"\n");
  CHECK(turned_as("python-brace-format", "{:{}} a {}") == "\"{:{}} a {}\"\n");
  // Of another kind than the format's, and where others take arguments too or none.
  CHECK(turned_as("python-brace-format", "%s {} a {} %d") == "\"%d {1} a {0} %s\"\n");
  CHECK(turned_as("c-format", "{} %s a %d {x}") == "\"{x} %2$d a %1$s {}\"\n");
  CHECK(turned_as("c-format", "%s a %d %m") == "\"%m %s a %d\"\n");
  CHECK(turned_as("c-format", "%s a %d % 5d") == "\"5d % %s a %d\"\n");
  CHECK(turned_as("php-format", "%s a %b") == "\"%2$b a %1$s\"\n");
  CHECK(turned_as("php-format", "%s a %'*9d") == turned_as("javascript-format", "%s a %'*9d"));
  CHECK(turned_as("fuzzy, c-format, python-format", "%s a %d") == "\"%s a %d\"\n");
  CHECK(turned_as("c-format, python-brace-format", "%s {} a {} %d") == "\"%s {} a {} %d\"\n");
  CHECK(turned_as("perl-format", "%s a %d") == "\"%s a %d\"\n");
  CHECK(turned_as("c++-format", "{} a {:d}") == "\"{} a {:d}\"\n");
  CHECK(turned_as("scheme-format", "~a a ~s ~%") == "\"~% ~a a ~s\"\n");
  CHECK(turned_as("ruby-format", "%<x>s a %<y>d") == "\"%<y>d a %<x>s\"\n");
  CHECK(turned_as("boost-format", "%1% a %|2$d|") == "\"%|2$d| a %1%\"\n");
  CHECK(turned_as("c-format", "%I64d a %<PRIu64>") == "\"%2$<PRIu64> a %1$I64d\"\n");
  // Without a format of these.
  for (const std::string format :
       {"no-c-format", "impossible-c-format", "fuzzy", "qt-format", "java-format", "no-wrap"}) {
    CHECK(turned_as(format, "%s a %d {} {:d}") == "\"{:d} {} %d a %s\"\n");
  }
  CHECK(turned_as("c-format", "%*d a %s") == "\"%*d a %s\"\n");
  CHECK(turned_as("c-format", "%s:\\n%d a %s b") == "\"%s:\\nb %d a %s\"\n");
  // Within tags and code, whose attributes occur once.
  CHECK(turned_as("php-format", "<a href='%s'>a %s</a> <code>%d</code>") ==
        "\"<code>%3$d</code> <a href='%1$s'>%2$s a</a>\"\n");
  CHECK(turned_as("php-format", "c <b class='%s'>a</b> <b class='%d'>b</b>") ==
        "\"<b class='%2$d'>b</b> <b class='%1$s'>a</b> c\"\n");
}

TEST_CASE("A long message with many directives is read in time that grows with it", "[markup]") {
  std::string id = "\"\"\n";
  for (int i = 0; i < 20000; ++i) id += "\"a %s b.\\n\"\n";
  const auto result = turned("#, c-format\n" + entry(id, "\"\""));
  CHECK(contains(result, "b. %s a"));
}

TEST_CASE("A message of very many short words is read", "[markup]") {
  std::string id = "\"";
  for (int i = 0; i < 1000000; ++i) id += "1 ";
  id += "\"";
  CHECK(upper_po(entry(id, "\"\"")) == entry(id, id));
}

TEST_CASE("Each directive of a message occurs once whatever the model does", "[markup]") {
  const auto doubled = [](const std::string& target) {
    return translate_made("#, c-format\n" + entry(R"("a %s b {c}")", "\"\""),
                          DocumentFormat::kGettext, [&](const std::string& sentence) {
                            return made_translation(sentence, target, {1, 0, 1, 3});
                          });
  };
  CHECK(contains(doubled("%s x %s {c}"), "msgstr \"%s x {c}\""));
  CHECK(contains(doubled("%s x y%s. {c}{c}"), "msgstr \"%s x y. {c}\""));
  // Nor is a space left of what was left out.
  const auto of_links = [](const std::string& id, const std::string& target,
                           const std::vector<int64_t>& links) {
    return translate_made(
        "#, c-format\n" + entry('"' + id + '"', "\"\""), DocumentFormat::kGettext,
        [&](const std::string& sentence) { return made_translation(sentence, target, links); });
  };
  CHECK(contains(of_links("a %s", "%s x %s", {0, 0, 1}), "msgstr \"x %s\""));
  CHECK(contains(of_links("a %s", "%s x %s. y", {1, 0, 0, 0}), "msgstr \"%s x. y\""));
  CHECK(contains(of_links("<b>a</b> %s b", "%s x y", {0, 0, 2}), "msgstr \"<b>x</b> %s y\""));
  CHECK(contains(of_links("<b>a</b> %s b", "y %s %s z", {2, 0, 1, 2}), "<b></b> %s z\""));
  CHECK(contains(of_links("a %%s b", "x %s y %%", {0, 0, 2, 1}), "\"x %s y %%\""));
  Random random(11, 0);
  const std::vector<std::string> parts = {"%s",   "%d", "<b>",   "</b>", "<a href='%s'>",
                                          "</a>", "x",  "y %s.", "%%",   "<code>%d</code>"};
  for (int trial = 0; trial < 3000; ++trial) {
    std::string id = "w";
    const auto length = random.below(12);
    for (uint64_t i = 0; i < length; ++i) {
      id += (random.below(4) == 0 ? "" : " ") + parts[random.below(parts.size())];
    }
    const bool numbers = random.below(2) == 0;
    INFO(id);
    auto result = translate_made(
        (numbers ? "#, c-format\n" : "#, python-format\n") + entry('"' + id + '"', "\"\""),
        DocumentFormat::kGettext, [&](const std::string& sentence) {
          const auto words = words_of_line(sentence);
          std::string target;
          std::vector<int64_t> links(1 + random.below(9));
          for (auto& link : links) {
            link = static_cast<int64_t>(random.below(words.size()));
            // Without a word of its own the translation might be none, and the message stay empty.
            const bool copies = !target.empty() && random.below(2) == 0;
            target +=
                (target.empty() ? "" : " ") + (copies ? words[random.below(words.size())] : "t");
          }
          return made_translation(sentence, target, links);
        });
    result = result.substr(result.find("\nmsgstr ") + 8);
    INFO(result);
    const auto arguments = [](const std::string& text) {
      std::vector<std::string> found;
      for (const auto one : next_arguments(text, '%').directives) found.emplace_back(one);
      return found;
    };
    const auto expected = arguments(id);
    if (result.find('$') == std::string::npos) {
      REQUIRE(arguments(result) == expected);
    } else {
      REQUIRE(numbers);
      REQUIRE(arguments(result).empty());
      for (size_t i = 0; i < expected.size(); ++i) {
        const auto one = with_argument(expected[i], i + 1);
        const size_t at = result.find(one);
        REQUIRE(at != std::string::npos);
        REQUIRE(result.find(one, at + 1) == std::string::npos);
      }
    }
  }
}

TEST_CASE("Placeholders are distinguished from text", "[markup]") {
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
  for (const std::string text :
       {"",     "s",  "% d",    "%",   "%-", "%(a", "{a b}", "{",  "{{", "}",  "$",   "$5",
        "& b;", "&b", "{a\nb}", "@ 5", ":5", ":)",  "!",     "--", "-h", "~a", "%,d", "%<b>"}) {
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
      contains(message("msgid \"a\"\n\nmsgid \"b\"\nmsgstr \"\"\n"), "line 1: a message without"));
  CHECK(
      contains(message("msgid \"a\"\nmsgctxt \"b\"\nmsgstr \"\"\n"), "line 1: a message without"));
  CHECK(contains(message("msgid \"a\"\n"), "line 1: a message without msgstr"));
  CHECK(contains(message("msgid \"a\"\nmsgstr\n"), "a message without msgstr"));
  CHECK(contains(message("msgid\nmsgstr \"\"\n"), "line 2: a string is missing"));
  CHECK(contains(message("msgid \"a\"\n# c\nmsgstr \"\"\n"), "line 2: a comment within"));
  const auto korean =
      header("\"X: y\\n\"\n\"Content-Type: text/plain; charset=EUC-KR\\n\"\n") + "# \u00E9\n";
  CHECK(message(korean) ==
        "po: line 4: charset euc-kr of a file that is in UTF-8; change the charset here to UTF-8");
  CHECK(message("msgid \"\xFF\"\n") ==
        "po: byte 8 is not valid UTF-8; convert the document with msgconv --to-code=UTF-8");
  CHECK(message(kFiles + "msgstr \"\"\n") == "po: line 3: msgstr instead of msgstr[0]; correct it");
  CHECK(contains(message(kFiles + "msgstr[1] \"\"\n"), "line 3: msgstr[1] instead of msgstr[0]"));
  CHECK(contains(message("msgid \"a\"\nmsgstr[0] \"\"\n"), "line 2: msgstr[0] instead of msgstr"));
}

}  // namespace nmt
