#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "markup/segment.h"
#include "text/sentence_splitter.h"
#include "translate/translator.h"

namespace nmt {

/// Bytes or words from `begin` to before `end`.
struct Extent {
  size_t begin = 0;
  size_t end = 0;

  size_t size() const { return end - begin; }
};

/// A segment's words and those of its translation, of all its sentences in order.
struct AlignedWords {
  struct Sentence {
    Extent source;  // words
    Extent target;
  };

  struct InnerBreak {
    size_t word = 0;
    size_t at = 0;  // in its bytes
    std::string bytes;
  };

  std::vector<Extent> source;            // each word's bytes in Segment::text
  std::vector<std::string> target;       // each word
  std::vector<std::string> gaps;         // before each target word, in the syntax of the document
  std::vector<InnerBreak> inner_breaks;  // in order; of scripts without spaces
  std::vector<size_t> source_of;         // of each target word: the aligned source word
  std::vector<Sentence> sentences;

  // Of the weights between words, by sentence: a row for each target word; may be empty.
  std::vector<const std::vector<std::vector<float>>*> attention;
};

/// Where each of the words is in the text: in order, without overlaps.
std::vector<Extent> find_words(std::string_view text, const std::vector<std::string>& words);

/// `translations`: of each sentence; their candidates of that rank, or their last, which must
/// outlive the result. Without alignments, words are aligned by their places.
AlignedWords align_words(const Segment& segment, const TextPieces& pieces,
                         const std::vector<const Translation*>& translations, size_t rank);

}  // namespace nmt
