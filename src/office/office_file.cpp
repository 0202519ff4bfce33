#include "office/office_file.h"

#include "markup/word_parser.h"
#include "markup/xml_parser.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

using PartParser = ParsedDocument (*)(std::string_view xml, size_t& copied);

/// The parser of a part with text; null for other parts. Any part's name may end in a number, as
/// word/document2.xml of Word Online.
PartParser parser_of(const std::string& part) {
  if (part == "content.xml" || part == "styles.xml") {
    return [](std::string_view xml, size_t&) { return parse_open_document(xml); };
  }
  if (std::filesystem::path(part).extension() != ".xml") return nullptr;
  for (const char* name : {"document", "footnotes", "endnotes", "header", "footer"}) {
    if (begins_with(part, std::string("word/") + name)) return parse_word_part;
  }
  return nullptr;
}

}  // namespace

bool is_office_file(const std::filesystem::path& file) {
  const auto extension = to_lower(file.extension().string());
  return extension == ".docx" || extension == ".odt";
}

OfficeFile::OfficeFile(const std::string& bytes, const Splitter& split, size_t max_bytes)
    : archive_(bytes) {
  size_t copied = 0;
  for (const auto& name : archive_.names()) {
    const auto parse = parser_of(name);
    if (parse == nullptr) continue;
    const auto xml = archive_.read(name, max_bytes);
    max_bytes -= xml.size();
    try {
      documents_.emplace_back(parse(xml, copied), split);
    } catch (const MarkupError& error) {
      throw MarkupError(name + ": " + error.what());
    }
    parts_.push_back(name);
  }
  if (parts_.empty()) {
    throw MarkupError("neither a .docx nor an .odt file; save it as one of them");
  }
}

std::string OfficeFile::render(const std::vector<std::vector<Translation>>& translations) {
  for (size_t i = 0; i < parts_.size(); ++i) {
    archive_.replace(parts_[i], documents_[i].render(translations[i]));
  }
  return archive_.write();
}

}  // namespace nmt
