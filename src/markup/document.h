#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/choice.h"
#include "markup/segment.h"
#include "markup/translate_document.h"
#include "text/sentence_splitter.h"
#include "translate/translator.h"

namespace nmt {

template <>
struct ChoiceNames<DocumentFormat> {
  static constexpr const char* kNames[] = {"text", "html", "xml", "markdown", "srt", "po"};
};

/// By the end of the file's name; kText for most.
DocumentFormat format_of_file(const std::filesystem::path& file);

/// Divides text into what is translated by itself.
using Splitter = std::function<TextPieces(std::string_view)>;

/// A document's sentences, and their translations with its markup.
class Document {
 public:
  /// Throws Error when the text is not UTF-8, not well-formed XML, or nested too deeply.
  Document(std::string_view text, DocumentFormat format, const Splitter& split);

  Document(ParsedDocument parsed, const Splitter& split);

  /// Without markup.
  const std::vector<std::string>& sentences() const { return sentences_; }

  /// Before each sentence and after the last, in plain text; empty in others.
  std::vector<std::string> between() const;

  /// Whether render() needs TranslationOptions::words.
  bool needs_words() const;

  /// The document with the candidates of that rank, or their last, in place of its sentences.
  std::string render(const std::vector<Translation>& translations, size_t rank = 0) const;

 private:
  ParsedDocument parsed_;
  std::vector<TextPieces> pieces_;  // of each segment
  std::vector<std::string> sentences_;
};

/// The document with its sentences translated, with markup.
std::string translate(const Translator& translator, const Document& document,
                      const TranslationOptions& options);

}  // namespace nmt
