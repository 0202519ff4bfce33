#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "markup/document.h"
#include "office/zip_archive.h"
#include "translate/translator.h"

namespace nmt {

/// Whether the name is that of a word processor's file: .docx or .odt, in either case.
bool is_office_file(const std::filesystem::path& file);

/// The text of a .docx (ECMA-376) or .odt (OASIS OpenDocument) file: paragraphs, tables, headers,
/// footers, notes and text boxes. Formatting returns to the words that had it; pictures, styles and
/// everything else stay as they are.
class OfficeFile {
 public:
  /// Throws MarkupError when the bytes are neither, or the parts with text are larger than
  /// `max_bytes` once they are unpacked.
  OfficeFile(const std::string& bytes, const Splitter& split, size_t max_bytes = kMaxUnpacked);

  /// Of the parts with text.
  const std::vector<Document>& documents() const { return documents_; }

  /// The file with translations of the documents' sentences; it cannot be used after this.
  std::string render(const std::vector<std::vector<Translation>>& translations);

 private:
  ZipArchive archive_;
  std::vector<std::string> parts_;
  std::vector<Document> documents_;
};

/// The file with its sentences translated; it cannot be used after this. Throws MarkupError.
std::string translate_office_file(const Translator& translator, OfficeFile& file,
                                  const TranslationOptions& options);

}  // namespace nmt
