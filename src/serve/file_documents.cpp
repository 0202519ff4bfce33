#include "serve/file_documents.h"

#include <filesystem>

#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr size_t kMaxRatio = 16;  // XML text rarely compresses better; a hostile file may

}  // namespace

const std::vector<std::string>& file_endings() {
  static const std::vector<std::string> endings = {".docx",  ".htm", ".html",  ".markdown", ".md",
                                                   ".odt",   ".po",  ".pot",   ".srt",      ".txt",
                                                   ".xhtml", ".xlf", ".xliff", ".xml"};
  return endings;
}

std::string ending_of(const std::string& name) {
  return to_lower(std::filesystem::path(name).extension().string());
}

FileDocuments::FileDocuments(const NamedFile& file, const Splitter& split, size_t max_bytes) {
  if (is_office_file(file.name)) {
    office_.emplace(file.content, split, kMaxRatio * max_bytes);
  } else {
    documents_.emplace_back(file.content, format_of_file(file.name), split);
  }
}

std::string FileDocuments::render(const std::vector<std::vector<Translation>>& translations) {
  return office_ ? office_->render(translations) : documents_.front().render(translations.front());
}

}  // namespace nmt
