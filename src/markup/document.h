#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/choice.h"
#include "markup/segment.h"
#include "markup/translate_document.h"
#include "text/sentence_splitter.h"
#include "translate/translator.h"

namespace nmt {

template <>
inline constexpr const char* kChoiceNames<DocumentFormat>[] = {
    "text", "html", "xml", "markdown", "srt", "po", "wrapped", "html-lines", "tsv", "xliff"};

/// The format of that name or file extension, such as "md".
template <>
std::optional<DocumentFormat> parse_choice(const std::string& name);

/// The sentence as its own translation, each word aligned with itself.
Translation own_translation(const std::string& sentence);

/// Whether the candidate of that rank, or the last, is empty, or has only what the model need not
/// read (a list mark, numbers, addresses) although the sentence has more. A document then keeps the
/// source sentence.
bool has_no_text(const std::string& sentence, const Translation& translation, size_t rank = 0);

/// By the file's extension; kText for unknown ones.
DocumentFormat format_of_file(const std::filesystem::path& file);

/// How a model reads documents.
struct Splitter {
  using Split = std::function<TextPieces(std::string_view)>;

  template <typename Function,
            typename = std::enable_if_t<std::is_invocable_v<Function, std::string_view>>>
  Splitter(Function&& function, std::string target = "",  // NOLINT(*-explicit-*): any function
           std::vector<std::string> sources = {})
      : split(std::forward<Function>(function)),
        target_language(std::move(target)),
        source_languages(std::move(sources)) {}

  Split split;                                // into sentences or lines
  std::string target_language;                // code; "" if unknown
  std::vector<std::string> source_languages;  // that the model reads; empty if unknown
};

/// Splits text as the translator does: into sentences or, with other values of
/// TranslationOptions::split, lines.
Splitter make_splitter(const Translator& translator, const TranslationOptions& options);

/// TranslationConstraints::copied of a sentence.
using CopiedParts = std::vector<std::pair<size_t, size_t>>;

/// A document's sentences, and their translations with its markup.
class Document {
 public:
  /// Throws Error when the text is not UTF-8, not well-formed XML, or nested too deeply.
  Document(std::string_view text, DocumentFormat format, const Splitter& split);

  Document(ParsedDocument parsed, const Splitter& split);

  /// The sentences without markup.
  const std::vector<std::string>& sentences() const { return sentences_; }

  /// For each sentence, the given constraints and the text of elements that are kept as written.
  std::vector<TranslationConstraints> constraints(const TranslationConstraints& guide = {}) const;

  /// Plurals and selections of ICU in it, which a person must translate.
  int64_t num_choices() const { return parsed_.choices; }

  /// For plain text, what is before each sentence and after the last; empty for other formats.
  std::vector<std::string> between() const;

  /// Whether render() needs TranslationOptions::words.
  bool needs_words() const;

  /// The document with each sentence replaced by its candidate of that rank, or by the last.
  std::string render(const std::vector<Translation>& translations, size_t rank = 0) const;

 private:
  std::string render(const Translation* translations, size_t rank) const;
  std::string render_own(const Translation* translations, size_t rank) const;

  ParsedDocument parsed_;
  std::vector<TextPieces> pieces_;       // of each segment
  std::vector<std::vector<bool>> kept_;  // for each sentence of these: whether it stays unchanged
  std::vector<Document> contents_;       // of ParsedDocument::contents
  std::vector<std::string> sentences_;   // its own, then those of contents_
  std::vector<CopiedParts> copied_;      // of each
};

/// Translations of the document's sentences, with words if render() needs them.
std::vector<Translation> translations_of(const Translator& translator, const Document& document,
                                         const TranslationOptions& options);

/// The document with its sentences translated, with markup.
std::string translate(const Translator& translator, const Document& document,
                      const TranslationOptions& options);

}  // namespace nmt
