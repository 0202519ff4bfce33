#pragma once

#include <optional>
#include <string>
#include <vector>

#include "markup/document.h"
#include "office/office_file.h"
#include "serve/api_request.h"

namespace nmt {

/// The ends of the names of files that can be translated, such as ".txt".
const std::vector<std::string>& file_endings();

/// The end of a file's name, in lower case.
std::string ending_of(const std::string& name);

/// The texts of a file in the format that its name says.
class FileDocuments {
 public:
  /// Throws MarkupError when the file is not of that format. The text of a word processor's file
  /// may unpack to 16 times `max_bytes`.
  FileDocuments(const NamedFile& file, const Splitter& split, size_t max_bytes);

  const std::vector<Document>& all() const { return office_ ? office_->documents() : documents_; }

  /// The file with translations of the documents' sentences; it cannot be used after this.
  std::string render(const std::vector<std::vector<Translation>>& translations);

 private:
  std::optional<OfficeFile> office_;
  std::vector<Document> documents_;  // one, of other files
};

}  // namespace nmt
