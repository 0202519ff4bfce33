#pragma once

#include <optional>
#include <string>
#include <vector>

#include "markup/document.h"
#include "office/office_file.h"
#include "serve/file_store.h"

namespace nmt {

/// File-name extensions of the files that can be translated, such as ".txt".
const std::vector<std::string>& file_endings();

/// The extension of a file's name, with its dot, in lower case.
std::string ending_of(const std::string& name);

/// The texts of a file in the format that its extension names.
class FileDocuments {
 public:
  /// Throws MarkupError when the file is not of that format. The text of a word processor's file
  /// may unpack to 16 times `max_bytes`.
  FileDocuments(const NamedFile& file, const Splitter& split, size_t max_bytes);

  const std::vector<Document>& all() const { return office_ ? office_->documents() : documents_; }

  /// The file with translations of the documents' sentences. Call last and at most once.
  std::string render(const std::vector<std::vector<Translation>>& translations);

 private:
  std::optional<OfficeFile> office_;
  std::vector<Document> documents_;  // one, unless office_ is set
};

}  // namespace nmt
