#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "text/recaser.h"
#include "text/sentence_splitter.h"
#include "text/tokenizer.h"
#include "translate/protection.h"
#include "translate/translator.h"
#include "translate/unknown_words.h"
#include "translate/words.h"

namespace nmt {

/// A unit of translation: a sentence, or part of one that is too long. Or verbatim text, which has
/// no tokens.
struct SourcePart {
  std::vector<int32_t> tokens;
  std::string before = {};  // separator before its translation
  int64_t limit = 0;        // maximum tokens of its translation
  std::string verbatim = {};
  std::vector<Replacement> replacements = {};
  size_t first_word = 0;   // index in the line
  bool all_caps = false;   // upper-case its translation
  GivenTokens given = {};  // given parts of its translation; not set by make_source_line
  std::string text = {};   // as written, if the part is a whole sentence that the model reads
  std::vector<UnknownName> names = {};  // to copy; see set_names()
};

/// A line prepared for translation.
struct SourceLine {
  std::vector<int32_t> tokens;  // of all parts
  Words words;  // of all parts; set if requested by the options, or needed for replacements or
                // copying unknown words
  std::vector<SourcePart> parts;  // at least one, possibly empty; limits are not set
  std::string before;             // white space around the line if it has a tab: empty cells
  std::string after;
};

/// Whether a sentence is copied unchanged: it is in the target language already, or has no letters
/// and no user's term.
using PassThrough = std::function<bool(const std::string& sentence, bool has_term)>;

/// Splits the line according to options.split, which must not be kModel. Sentences of more than
/// options.max_source_length tokens, or lines of more than 2000 with LineSplit::kNone, are split
/// into sentences, and longer sentences into as few parts as possible, near equal lengths: after a
/// semicolon or colon, else a comma, a word, or anywhere. Soft hyphens are left out. With a recaser
/// and options.recase, tokens are in ordinary case but words stay as written. `choice`: with the
/// bytes of the whole text to copy.
SourceLine make_source_line(const std::string& text, const TranslationOptions& options,
                            const SentenceHints& hints, const Protection& protection,
                            const Tokenizer& tokenizer, const PassThrough& pass_through = {},
                            const Recaser* recaser = nullptr, ProtectionChoice choice = {});

/// The sentences into which make_source_line() divides a line, in valid UTF-8.
TextPieces line_pieces(std::string_view text, LineSplit split, const SentenceHints& hints);

/// Sets the names to copy of each part: those of the line, in order, that are words of the part.
void set_names(const std::vector<UnknownName>& names, SourceLine& line);

/// The separator between a verbatim part and the translation before it: a space even if the source,
/// in a script without spaces, has none, but not before an emoji.
std::string gap_before_verbatim(const std::string& translation, const SourceLine& line,
                                size_t part);

}  // namespace nmt
