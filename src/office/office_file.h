#pragma once

#include <filesystem>
#include <string>

#include "translate/translator.h"

namespace nmt {

/// Whether the name is that of a word processor's file: .docx or .odt.
bool is_office_file(const std::filesystem::path& file);

/// Translates the text of a .docx (ECMA-376) or .odt (OASIS OpenDocument) file: paragraphs, tables,
/// headers, footers, and notes of a .docx. Formatting returns to the words that had it; pictures,
/// styles and everything else stay as they are. Throws MarkupError when the bytes are neither.
std::string translate_office_file(const Translator& translator, const std::string& bytes,
                                  const TranslationOptions& options);

}  // namespace nmt
