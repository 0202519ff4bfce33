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
#include "translate/source_measures.h"
#include "translate/translator.h"
#include "translate/unknown_words.h"
#include "translate/words.h"

namespace nmt {

/// What is translated by itself: a sentence, or part of one that is too long. Or text that is taken
/// over and has no tokens.
struct SourcePart {
  std::vector<int32_t> tokens;
  std::string before = {};  // joins its translation to the one before
  int64_t limit = 0;        // of its translation, in tokens
  std::string verbatim = {};
  std::vector<Replacement> replacements = {};
  size_t first_word = 0;   // of the line
  bool all_caps = false;   // its translation is to be, too
  GivenTokens given = {};  // of its translation; make_source_line leaves it empty
};

/// A line made ready for translation.
struct SourceLine {
  std::vector<int32_t> tokens;  // of all parts
  Words words;  // of all parts, where options ask for them, a part has replacements, or unknown
                // words may be copied
  std::vector<SourcePart> parts;   // at least one, possibly empty; without limits
  std::vector<UnknownName> names;  // to be copied; make_source_line leaves it empty
  std::string before;              // white space around it, if it has a tab: empty cells
  std::string after;
};

/// Whether a sentence is taken over: without letters, unless it has a term of the user's, or in the
/// target language already.
using PassThrough = std::function<bool(const std::string& sentence, bool has_term)>;

/// Splits as the options say, whose `split` is not kModel. Lines of more than
/// options.max_source_length tokens, or sentences if these are split, are split after each sentence
/// mark, else before the last word that fits, else anywhere; with LineSplit::kNone those of more
/// than 2000. With a recaser and options.recase, tokens are those of ordinary case, and words stay
/// as written. `keeps_list_marks`: the model does not read those that sentences begin with, nor
/// footnotes that they end with.
SourceLine make_source_line(const std::string& text, const TranslationOptions& options,
                            const SentenceStarters& starters, const Protection& protection,
                            const Tokenizer& tokenizer, const PassThrough& pass_through = {},
                            const Recaser* recaser = nullptr, bool keeps_list_marks = true);

/// The sentences of a line that make_source_line() reads, split or not, in valid UTF-8.
TextPieces line_pieces(std::string_view text, LineSplit split, const SentenceStarters& starters);

/// What joins a part that the model does not read to the translation before it: a space also where
/// the source, in a script without spaces, has none, but not before an emoji.
std::string gap_before_verbatim(const std::string& translation, const SourceLine& line,
                                size_t part);

}  // namespace nmt
