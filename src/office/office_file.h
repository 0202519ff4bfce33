#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "markup/document.h"
#include "office/zip_archive.h"
#include "translate/translator.h"

namespace nmt {

/// Whether the file's extension is .docx or .odt, in any case.
bool is_office_file(const std::filesystem::path& file);

/// The text of a .docx (ECMA-376) or .odt (OASIS OpenDocument) file: paragraphs, tables, headers,
/// footers, notes and text boxes. Formatting is kept on the words that correspond to the formatted
/// ones; pictures, styles and everything else stay unchanged.
class OfficeFile {
 public:
  /// Throws MarkupError if the bytes are neither, or if the parts with text exceed `max_bytes` when
  /// unpacked.
  OfficeFile(const std::string& bytes, const Splitter& split, size_t max_bytes = kMaxUnpacked);

  /// One document for each part with text.
  const std::vector<Document>& documents() const { return documents_; }

  /// The file with translations of the documents' sentences. Call last and at most once.
  std::string render(const std::vector<std::vector<Translation>>& translations);

 private:
  ZipArchive archive_;
  std::vector<std::string> parts_;
  std::vector<Document> documents_;
};

}  // namespace nmt
