#include "office/office_file.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "markup/document.h"
#include "markup/model_splitter.h"
#include "markup/word_parser.h"
#include "markup/xml_parser.h"
#include "office/zip_archive.h"

namespace nmt {
namespace {

using PartParser = std::function<ParsedDocument(std::string_view)>;

bool begins_with(const std::string& text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

bool has(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// How a part with text is read; nothing for others.
PartParser parser_of(const std::string& part) {
  if (part == "content.xml" || part == "styles.xml") return parse_open_document;
  const bool word = part == "word/document.xml" || part == "word/footnotes.xml" ||
                    part == "word/endnotes.xml" || begins_with(part, "word/header") ||
                    begins_with(part, "word/footer");
  return word ? PartParser(parse_word_part) : nullptr;
}

}  // namespace

bool is_office_file(const std::filesystem::path& file) {
  return file.extension() == ".docx" || file.extension() == ".odt";
}

std::string translate_office_file(const Translator& translator, const std::string& bytes,
                                  const TranslationOptions& options) {
  ZipArchive archive(bytes);
  const auto names = archive.names();
  if (!has(names, "word/document.xml") && !has(names, "content.xml")) {
    throw MarkupError("neither a .docx nor an .odt file; save it as one of them");
  }
  const auto split = make_splitter(translator, options);
  for (const auto& name : names) {
    const auto parse = parser_of(name);
    if (!parse) continue;
    try {
      archive.replace(name, translate(translator, {parse(archive.read(name)), split}, options));
    } catch (const MarkupError& error) {
      throw MarkupError(name + ": " + error.what());
    }
  }
  return archive.write();
}

}  // namespace nmt
