#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "markup/segment.h"
#include "text/sentence_splitter.h"
#include "text/written_words.h"
#include "translate/translator.h"

namespace nmt {

/// The words of a segment and of its translation, over all its sentences in order.
struct AlignedWords {
  struct Sentence {
    Extent source;  // words
    Extent target;
  };

  struct InnerBreak {
    size_t word = 0;
    size_t at = 0;  // byte offset in it
    std::string bytes;
  };

  std::vector<Extent> source;            // each word's bytes in Segment::text
  std::vector<std::string> target;       // each word
  std::vector<std::string> gaps;         // before each target word, in the document's syntax
  std::vector<InnerBreak> inner_breaks;  // in order; for scripts without spaces
  std::vector<size_t> source_of;         // of each target word: the aligned source word
  std::vector<Sentence> sentences;

  // Attention between words, for each sentence: a row for each target word; may be empty.
  std::vector<const std::vector<std::vector<float>>*> attention;
};

/// The candidate of that rank, or the last.
inline const TranslationCandidate& candidate_of(const Translation& translation, size_t rank) {
  return rank < translation.candidates.size() ? translation.candidates[rank]
                                              : translation.candidates.back();
}

/// `translations`: one for each sentence; they must outlive the result. `rank`: as for
/// candidate_of(). Without alignments, words are aligned by their positions.
AlignedWords align_words(const Segment& segment, const TextPieces& pieces,
                         const std::vector<const Translation*>& translations, size_t rank);

}  // namespace nmt
