#include "markup/xliff_parser.h"

#include <string>

#include "errors/error.h"
#include "markup/document.h"
#include "markup/made_translation.h"
#include "support/catch.h"
#include "support/expect_error.h"

using namespace nmt;

namespace {

constexpr auto kXliff = DocumentFormat::kXliff;
const std::string kState = " state=\"needs-review-translation\" state-qualifier=\"leveraged-mt\"";

std::string upper_xliff(const std::string& xml) {
  return translate_made(xml, kXliff, in_upper_case);
}

/// A document of XLIFF 1.2 and its translation.
std::string file_of(const std::string& units) {
  return "<xliff version=\"1.2\"><file source-language=\"de\"><body>" + units +
         "</body></file></xliff>";
}

std::string translated_unit(const std::string& unit) {
  const auto whole = upper_xliff(file_of(unit));
  const size_t begin = file_of("").find("</body>");
  REQUIRE(whole.substr(0, begin) == file_of("").substr(0, begin));
  return whole.substr(begin, whole.size() - file_of("").size());
}

std::string source_unit(const std::string& content, const std::string& attributes = "") {
  return "<trans-unit id=\"1\"" + attributes + ">" + content + "</trans-unit>";
}

}  // namespace

TEST_CASE("A unit of XLIFF 1.2 without a translation gets one", "[markup]") {
  const std::string source = "<source>a <g id=\"1\">b</g> &amp; <x id=\"2\"/>c</source>";
  const std::string target =
      "<target" + kState + ">A <g id=\"1\">B</g> &amp; <x id=\"2\"/>C</target>";
  CHECK(translated_unit(source_unit(source)) == source_unit(source + target));
  CHECK(translated_unit(source_unit(source + "<target/>")) == source_unit(source + target));
  CHECK(translated_unit(source_unit(source + "<target><mrk mtype='seg'/></target>")) ==
        source_unit(source + target));
  CHECK(translated_unit(source_unit("<source>a %lld {n} 100% %@</source>")) ==
        source_unit("<source>a %lld {n} 100% %@</source><target" + kState +
                    ">A %lld {n} 100% %@</target>"));
  CHECK(translated_unit(source_unit("<source>a</source><target comment='state=x b'/>")) ==
        source_unit("<source>a</source><target comment='state=x b'" + kState + ">A</target>"));
  CHECK(translated_unit(source_unit("<source>a</source><x:target/>")) ==
        source_unit("<source>a</source><x:target" + kState + ">A</x:target>"));
  CHECK(translated_unit("<group translate='no'>" +
                        source_unit("<source>a</source>", " translate='yes'") + "</group>") ==
        "<group translate='no'>" +
            source_unit("<source>a</source><target" + kState + ">A</target>", " translate='yes'") +
            "</group>");
  CHECK(translated_unit(source_unit(source + "<target> </target>")) ==
        source_unit(source + target));
  CHECK(translated_unit(source_unit(source + "<target xml:lang='en' state=\"new\">a</target>")) ==
        source_unit(source + "<target xml:lang='en'" + kState + target.substr(7 + kState.size())));
  // Indented as the source.
  CHECK(translated_unit(source_unit("\n  <source>a</source>\n  <note>b</note>\n")) ==
        source_unit("\n  <source>a</source>\n  <target" + kState +
                    ">A</target>\n  <note>b</note>\n"));
}

TEST_CASE("Escaped tags and placeholders of XLIFF stay", "[markup]") {
  const auto translated = [](const std::string& source) {
    const auto unit = translated_unit(source_unit("<source>" + source + "</source>"));
    const std::string before = "<target" + kState + ">";
    const size_t begin = unit.find(before) + before.size();
    return unit.substr(begin, unit.find("</target>") - begin);
  };
  CHECK(translated("a &lt;b&gt;bold&lt;/b&gt; &lt;a href=&quot;#x&quot;&gt;c&lt;/a&gt;") ==
        "A &lt;b&gt;BOLD&lt;/b&gt; &lt;a href=&quot;#x&quot;&gt;C&lt;/a&gt;");
  CHECK(translated("a &lt; b &gt; c&lt;br /&gt; &lt;name&gt;") ==
        "A &lt; B &gt; C&lt;br /&gt; &lt;NAME&gt;");
  const std::string code = "&lt;code&gt;x &lt;i&gt;y&lt;/i&gt;&lt;/code&gt;";
  CHECK(translated("a " + code + " &lt;i&gt;b&lt;/i&gt;") == "A " + code + " &lt;i&gt;B&lt;/i&gt;");
  CHECK(translated("a %s 100%ig 5 % d") == "A %s 100%IG 5 % D");
  CHECK(translated("a &amp;amp; b&amp;nbsp;c d&amp;#39;s &amp;copy; &amp; e &amp;lt;") ==
        "A &amp;amp; B C D'S \u00A9 &amp; E &amp;lt;");
  CHECK(translated("a {0}% b <x id=\"1\"/>/<x id=\"2\"/> c") ==
        "A {0}% B <x id=\"1\"/>/<x id=\"2\"/> C");
  CHECK(translated("a <mrk mtype=\"protected\">b</mrk> c") ==
        "A <mrk mtype=\"protected\">b</mrk> C");
}

TEST_CASE("Units that are translated, or not to be, stay as they are", "[markup]") {
  for (const auto& unit :
       {source_unit("<source>a</source><target state=\"translated\">b</target>"),
        source_unit("<source>a</source><target>b</target>", " approved=\"yes\""),
        source_unit("<source>a</source>", " translate=\"no\""),
        "<group translate=\"no\">" + source_unit("<source>a</source>") + "</group>",
        source_unit("<source>{VAR, plural, =1 {a dog} other {<x id=\"N\"/> dogs}}</source>"),
        source_unit("<note>a</note>"), std::string("<header><note>a</note></header>")}) {
    CAPTURE(unit);
    CHECK(translated_unit(unit) == unit);
  }
  const auto with_other =
      source_unit("<source>a</source><alt-trans><target>b</target></alt-trans>");
  CHECK(translated_unit(with_other) ==
        source_unit("<source>a</source><target" + kState +
                    ">A</target><alt-trans><target>b</target></alt-trans>"));
}

TEST_CASE("A divided source is translated sentence by sentence", "[markup]") {
  const std::string divided =
      "<mrk mtype=\"seg\" mid=\"1\">a b.</mrk> <mrk mtype=\"seg\" mid=\"2\">c <mrk "
      "mtype=\"term\">d</mrk></mrk>";
  const auto sources = "<source>a b. c d</source><seg-source>" + divided + "</seg-source>";
  CHECK(translated_unit(source_unit(sources)) ==
        source_unit(sources + "<target" + kState +
                    "><mrk mtype=\"seg\" mid=\"1\">A B.</mrk> <mrk mtype=\"seg\" mid=\"2\">C <mrk "
                    "mtype=\"term\">D</mrk></mrk></target>"));
}

TEST_CASE("Empty sentences of a divided target are filled", "[markup]") {
  const auto unit = [](const std::string& second) {
    return source_unit(
        "<source>a b. c d.</source><seg-source><mrk mtype=\"seg\" mid=\"1\">a b.</mrk> <mrk "
        "mtype=\"seg\" mid=\"2\">c d.</mrk></seg-source><target><mrk mtype=\"seg\" mid=\"1\">x "
        "y.</mrk> " +
        second + "</target>");
  };
  const std::string filled = "<mrk mtype=\"seg\" mid=\"2\">C D.</mrk>";
  CHECK(translated_unit(unit("<mrk mtype=\"seg\" mid=\"2\"/>")) == unit(filled));
  CHECK(translated_unit(unit("<mrk mtype=\"seg\" mid=\"2\"></mrk>")) == unit(filled));
  CHECK(translated_unit(unit(filled)) == unit(filled));
}

TEST_CASE("Native codes of XLIFF are no text", "[markup]") {
  const std::string begin = "<bpt id=\"1\">&lt;b&gt;</bpt>";
  const std::string end = "<ept id=\"1\">&lt;/b&gt;</ept>";
  const auto source = "<source>a " + begin + "b" + end + " <ph id=\"2\">c</ph>d</source>";
  CHECK(translated_unit(source_unit(source)) ==
        source_unit(source + "<target" + kState + ">A " + begin + "B" + end +
                    " <ph id=\"2\">c</ph>D</target>"));
  // CDATA is text or, with tags, HTML.
  const std::string cdata = "<source><![CDATA[a & c ]]></source>";
  CHECK(translated_unit(source_unit(cdata)) ==
        source_unit(cdata + "<target" + kState + "><![CDATA[A & C ]]></target>"));
  const std::string html = "<source><![CDATA[a <b>c</b>]]></source>";
  CHECK(translated_unit(source_unit(html)) ==
        source_unit(html + "<target" + kState + "><![CDATA[A <b>C</b>]]></target>"));
  const std::string kept = "<source>a <mrk translate=\"no\"><![CDATA[b]]></mrk> c</source>";
  CHECK(translated_unit(source_unit(kept)) ==
        source_unit(kept + "<target" + kState +
                    ">A <mrk translate=\"no\"><![CDATA[b]]></mrk> C</target>"));
}

TEST_CASE("Segments of XLIFF 2 without a translation get one", "[markup]") {
  const auto document = [](const std::string& target, const std::string& empty) {
    return "<x:xliff xmlns:x=\"urn:oasis:names:tc:xliff:document:2.0\" version=\"2.0\" "
           "srcLang=\"de\"><x:file id=\"f\"><x:unit id=\"u\"><x:segment><x:source>a <x:pc "
           "id=\"1\">b</x:pc></x:source>" +
           target +
           "</x:segment><x:ignorable><x:source>  </x:source></x:ignorable><x:segment><x:source>c"
           "</x:source><x:target>d</x:target></x:segment></x:unit><x:unit id=\"v\" "
           "translate=\"no\"><x:segment><x:source>e</x:source>" +
           empty + "</x:segment></x:unit></x:file></x:xliff>";
  };
  CHECK(upper_xliff(document("", "")) ==
        document("<x:target>A <x:pc id=\"1\">B</x:pc></x:target>", ""));
  CHECK(upper_xliff(document("<x:target/>", "<x:target/>")) ==
        document("<x:target>A <x:pc id=\"1\">B</x:pc></x:target>", "<x:target/>"));
}

TEST_CASE("XLIFF names the language of its targets", "[markup]") {
  const auto translated = [](const std::string& xml, const std::string& language) {
    return translate_made(Document(xml, kXliff, Splitter(whole_text, language)), in_upper_case);
  };
  CHECK(translated("<xliff><file source-language='de'/></xliff>", "en") ==
        "<xliff><file source-language='de' target-language=\"en\"/></xliff>");
  const std::string unit = "<trans-unit><source>a</source>";
  const std::string target = "<target" + kState + ">A</target>";
  const auto two = [](const std::string& language, const std::string& content) {
    const auto file =
        "<file source-language='de'" + language + ">" + content + "</trans-unit></file>";
    return "<xliff>" + file + file + "</xliff>";
  };
  CHECK(translated(two("", unit), "en") == two(" target-language=\"en\"", unit + target));
  CHECK(translated("<xliff srcLang='de'><file id='f'/></xliff>", "en") ==
        "<xliff srcLang='de' trgLang=\"en\"><file id='f'/></xliff>");
  for (const std::string own : {"en", "en-GB"}) {
    const auto kept = "<xliff><file source-language='de' target-language='" + own + "'/></xliff>";
    CHECK(translated(kept, "en") == kept);
  }
  CHECK(error_of([&] { translated("<xliff srcLang='de' trgLang='fr'/>", "en"); }) ==
        "XLIFF: its trgLang is fr, but the model translates into en");
  CHECK(contains(error_of([&] { translated("<xliff><file></xliff>", "en"); }), "XML: line 1, "));
}

TEST_CASE("Units of XLIFF within units are refused", "[markup]") {
  for (const std::string name : {"trans-unit", "segment"}) {
    std::string begin;
    std::string end;
    for (int i = 0; i < 50000; ++i) {
      begin += "<" + name + "><source>a ";
      end += "</source></" + name + ">";
    }
    CHECK(error_of([&] { upper_xliff(file_of(begin + end)); }) ==
          "XLIFF: a unit within another; correct the document");
  }
}

TEST_CASE("Elements of other namespaces are no units of XLIFF", "[markup]") {
  const std::string foreign = "<my:segment xmlns:my=\"urn:my\"/>";
  CHECK(translated_unit(source_unit(foreign + "<source>a</source>")) ==
        source_unit(foreign + "<source>a</source><target" + kState + ">A</target>"));
}

TEST_CASE("Very many divided units of XLIFF are read", "[markup]") {
  std::string units;
  for (int i = 0; i < 80000; ++i) {
    units += source_unit("<source>a</source><seg-source/><target>b</target>");
  }
  CHECK(translated_unit(units) == units);
}
