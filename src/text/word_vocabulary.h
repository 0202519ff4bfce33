#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// How tokens separated by spaces show which of the spaces belong to the text.
enum class SpaceMarks {
  kNone,         // all of them
  kSpace,        // "▁the ▁cat s": U+2581 is a space, as in SentencePiece
  kDoubleSpace,  // "▁▁the ▁▁cat ▁s": two are a space, one is none (simple-nmt's preprocessing)
  kJoiner,       // "cat ￭s": none on the side of U+FFED (OpenNMT's Tokenizer)
  kContinued  // "ca@@ ts": none after "@@" (subword-nmt)
};

/// Of one kind in a share of the words that chance does not explain; kNone without any, and where
/// text cannot be restored with certainty: with several kinds, or markers of case.
SpaceMarks find_space_marks(const std::vector<std::string>& words);

/// Whether tokens separated by spaces have marks of any kind.
bool have_space_marks(std::string_view tokens);

/// A SentencePiece model that splits text at spaces only, of the special tokens and then these
/// words, in this order. What it decodes has only the spaces that `marks` leave. A word's U+2581,
/// which SentencePiece has for spaces, is U+2423 in its piece; text has U+2581. Throws Error,
/// beginning with `name`, on an empty word, one with a space or one that occurs twice.
std::string word_vocabulary(const std::vector<std::string>& words, SpaceMarks marks,
                            const std::string& name);

/// Whether a serialized model is such a vocabulary, so that its text is tokens.
bool reads_tokens(std::string_view model);

}  // namespace nmt
