#include "office/office_file.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "markup/word_parser.h"
#include "markup/xml_parser.h"
#include "unicode/begins_with.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

using PartParser = std::function<ParsedDocument(std::string_view)>;

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
  const auto extension = to_lower(file.extension().string());
  return extension == ".docx" || extension == ".odt";
}

OfficeFile::OfficeFile(const std::string& bytes, const Splitter& split, size_t max_bytes)
    : archive_(bytes) {
  const auto names = archive_.names();
  if (!has(names, "word/document.xml") && !has(names, "content.xml")) {
    throw MarkupError("neither a .docx nor an .odt file; save it as one of them");
  }
  for (const auto& name : names) {
    const auto parse = parser_of(name);
    if (!parse) continue;
    const auto xml = archive_.read(name, max_bytes);
    max_bytes -= xml.size();
    try {
      documents_.emplace_back(parse(xml), split);
    } catch (const MarkupError& error) {
      throw MarkupError(name + ": " + error.what());
    }
    parts_.push_back(name);
  }
}

std::string OfficeFile::render(const std::vector<std::vector<Translation>>& translations) {
  for (size_t i = 0; i < parts_.size(); ++i) {
    archive_.replace(parts_[i], documents_[i].render(translations[i]));
  }
  return archive_.write();
}

}  // namespace nmt
