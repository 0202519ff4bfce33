#include "office/office_file.h"

#include <random>
#include <string>
#include <vector>

#include "markup/segment.h"
#include "office/made_archive.h"
#include "office/zip_archive.h"
#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

const Translator& sample() {
  static const Translator translator({{NMT_SOURCE_DIR "/models/sample"}, "cpu", 1});
  return translator;
}

std::string translated(const Translator& translator, const std::string& bytes,
                       const TranslationOptions& options) {
  OfficeFile file(bytes, make_splitter(translator, options));
  std::vector<std::vector<Translation>> translations;
  for (const auto& document : file.documents()) {
    translations.push_back(translations_of(translator, document, options));
  }
  return file.render(translations);
}

std::string error(const std::string& bytes) {
  return error_of([&] { translated(sample(), bytes, {}); });
}

std::string word(const std::string& text) {
  return "<w:document xmlns:w=\"urn:w\"><w:p><w:r><w:t>" + text + "</w:t></w:r></w:p></w:document>";
}

}  // namespace

TEST_CASE("Documents are translated, everything else in the archive stays", "[office]") {
  const Entries docx = {{"[Content_Types].xml", "<x>책</x>"},
                        {"word/document.xml", word("저는 책을 읽어요.")},
                        {"word/header2.xml", word("저는 물을 마셔요.")},
                        {"word/media/a.png", std::string("\0\xFF", 2)}};
  ZipArchive result(translated(sample(), zipped(docx), {}));
  REQUIRE(result.names() == std::vector<std::string>{"[Content_Types].xml", "word/document.xml",
                                                     "word/header2.xml", "word/media/a.png"});
  CHECK(contains(result.read("word/document.xml"), ">I read a book.</w:t>"));
  CHECK(contains(result.read("word/header2.xml"), ">I drink water.</w:t>"));
  CHECK(result.read("[Content_Types].xml") == "<x>책</x>");
  CHECK(result.read("word/media/a.png") == std::string("\0\xFF", 2));

  // The type of an OpenDocument is readable without unpacking: the first entry, not compressed.
  const Entries odt = {{"mimetype", "application/vnd.oasis.opendocument.text"},
                       {"content.xml", "<t:x xmlns:t=\"u\"><t:p>저는 책을 읽어요.</t:p></t:x>"}};
  const auto bytes = translated(sample(), zipped(odt), {});
  CHECK(bytes.substr(30, 47) == "mimetypeapplication/vnd.oasis.opendocument.text");
  CHECK(ZipArchive(bytes).read("content.xml") ==
        "<t:x xmlns:t=\"u\"><t:p>I read a book.</t:p></t:x>");
}

TEST_CASE("Parts of a Word document may have numbers", "[office]") {
  const Entries docx = {{"word/document2.xml", word("저는 책을 읽어요.")},
                        {"word/footnotes3.xml", word("저는 물을 마셔요.")},
                        {"word/_rels/document2.xml.rels", "<x>책</x>"}};
  ZipArchive result(translated(sample(), zipped(docx), {}));
  CHECK(contains(result.read("word/document2.xml"), ">I read a book.</w:t>"));
  CHECK(contains(result.read("word/footnotes3.xml"), ">I drink water.</w:t>"));
  CHECK(result.read("word/_rels/document2.xml.rels") == "<x>책</x>");
}

TEST_CASE("A large entry before the text stays as it is", "[office]") {
  std::string picture(5000, '\0');
  std::minstd_rand random;  // cannot be compressed
  for (auto& byte : picture) byte = static_cast<char>(random() >> 8);
  const Entries docx = {{"word/media/a.png", picture},
                        {"word/document.xml", word("저는 책을 읽어요.")}};
  ZipArchive result(translated(sample(), zipped(docx), {}));
  CHECK(result.read("word/media/a.png") == picture);
  CHECK(contains(result.read("word/document.xml"), ">I read a book.</w:t>"));
}

TEST_CASE("A document that unpacks to more than is allowed is refused", "[office]") {
  const auto docx = zipped({{"word/document.xml", word("a")}, {"word/footer1.xml", word("b")}});
  const size_t size = word("a").size();
  OfficeFile(docx, whole_text, 2 * size);
  CHECK(contains(error_of([&] { OfficeFile(docx, whole_text, 2 * size - 1); }),
                 "footer1.xml: unpacked"));
}

TEST_CASE("An archive whose entries overlap is refused", "[office]") {
  std::string picture(5000, '\0');
  std::minstd_rand random;  // cannot be compressed
  for (auto& byte : picture) byte = static_cast<char>(random() >> 8);
  const auto inner = zipped({{"a.png", picture}});
  auto outer = zipped({{"mimetype", inner}});  // not compressed
  CHECK(ZipArchive(outer).names().size() == 1);
  // Lists the inner entry, too.
  const auto number = [](size_t value, size_t size) {
    std::string bytes;
    for (; bytes.size() < size; value >>= 8) bytes += static_cast<char>(value & 0xFF);
    return bytes;
  };
  constexpr size_t kEndSize = 22;
  const size_t directory = outer.rfind("PK\1\2");
  const size_t of_inner = inner.rfind("PK\1\2");
  auto listed = inner.substr(of_inner, inner.size() - kEndSize - of_inner);
  listed.replace(42, 4, number(outer.find(inner), 4));  // where the entry begins
  outer.insert(outer.size() - kEndSize, listed);
  const size_t end = outer.size() - kEndSize;
  outer.replace(end + 8, 8, number(2, 2) + number(2, 2) + number(end - directory, 4));
  CHECK(error_of([&] { ZipArchive archive(outer); }) ==
        "ZIP archive: its entries overlap; save the document again");
}

TEST_CASE("An entry with a wrong checksum is refused", "[office]") {
  auto bytes = zipped({{"mimetype", "text"}, {"content.xml", ""}});
  CHECK(ZipArchive(bytes).read("mimetype") == "text");
  CHECK(ZipArchive(bytes).read("content.xml").empty());
  bytes[bytes.find("text")] = 'T';  // stored, not compressed
  CHECK(contains(error_of([&] { ZipArchive(bytes).read("mimetype"); }), "mimetype: damaged"));
}

TEST_CASE("What is no document of these kinds is refused in one line", "[office]") {
  CHECK(contains(error("text"), "Not a zip archive"));
  CHECK_FALSE(error("").empty());
  CHECK(contains(error(zipped({{"a.txt", "text"}})), "neither a .docx nor an .odt file"));
  CHECK(
      contains(error(zipped({{"word/document.xml", "<w:p>"}})), "word/document.xml: XML: line 1"));
  std::string tags;
  for (int i = 0; i < 1100000; ++i) tags += "<a/>";
  CHECK(contains(error(zipped({{"word/document.xml", "<w>" + tags + "</w>"}})),
                 "word/document.xml: XML: more than 2,000,000 tags and lines"));
  const auto whole = zipped({{"word/document.xml", word(std::string(5000, 'a'))}});
  for (size_t size = 0; size < whole.size(); size += 7)
    CHECK_FALSE(error(whole.substr(0, size)).empty());
  CHECK(is_office_file("a/b.docx"));
  CHECK(is_office_file("b.odt"));
  CHECK(is_office_file("B.DOCX"));
  CHECK(is_office_file("b.Odt"));
  CHECK_FALSE(is_office_file("docx"));
}

}  // namespace nmt
