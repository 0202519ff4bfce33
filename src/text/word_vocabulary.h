#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace nmt {

/// How space-separated tokens mark which spaces belong to the text.
enum class SpaceMarks {
  kNone,         // all of them
  kSpace,        // "▁the ▁cat s": U+2581 is a space, as in SentencePiece
  kDoubleSpace,  // "▁▁the ▁▁cat ▁s": two are a space, one is none (simple-nmt's preprocessing)
  kJoiner,       // "cat ￭s": none on the side of U+FFED (OpenNMT's Tokenizer)
  kContinued  // "ca@@ ts": none after "@@" (subword-nmt)
};

/// The kind of marks that at least one in 200 words has. kNone if there are none, or if text cannot
/// be restored reliably because there are several kinds or case markers.
SpaceMarks find_space_marks(const std::vector<std::string>& words);

/// Whether any of the space-separated tokens has a mark.
bool have_space_marks(std::string_view tokens);

/// Whether a line of text seems to be split into subwords: its words have marks of one kind. An
/// "@@" at its end does not count.
bool is_split_into_subwords(const std::string& line);

/// A text with a larger share of such lines counts as split; a few may have a mark by chance.
constexpr double kSplitShare = 0.1;

/// Text of warnings about such lines.
constexpr char kSplitIntoSubwords[] =
    "split into subwords (@@, ▁ or ￭), but nmt reads raw text; join them first, for example with "
    "sed -E 's/@@( |$)//g' or spm_decode";

/// A SentencePiece model that splits text only at spaces: the special tokens, then these words in
/// this order. Decoding removes the marks and the spaces that do not belong to the text. U+2581 in
/// a word, which SentencePiece uses for spaces, is U+2423 in its piece, but not in text. Throws
/// Error, beginning with `name`, for an empty word, a word with a space or a duplicate.
std::string word_vocabulary(const std::vector<std::string>& words, SpaceMarks marks,
                            const std::string& name);

/// The text that lines of tokens stand for, as such a vocabulary decodes them, but with unknown
/// words unchanged. Lines without marks, and those for other tokenizers, are returned as they are.
std::vector<std::string> text_of_tokens(std::vector<std::string> lines, const Tokenizer& tokenizer);

/// Whether the lines are text as such a vocabulary decodes it, but not the tokens that it encodes:
/// none has a mark, and some words are unknown.
bool misreads_text(const Tokenizer& tokenizer, const std::vector<std::string>& lines);

}  // namespace nmt
