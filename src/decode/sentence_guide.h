#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nmt {

/// The beginning of a word as a text that tokens may spell in many ways; the last of them may say
/// more than the text. Search knows ids alone, so whoever knows the texts of the tokens lists them.
struct OpenWord {
  struct Piece {
    int32_t token = 0;
    size_t end = 0;  // the place in the text that it leads to
  };

  /// For each place in the text the tokens that may come there, some only where a token can begin.
  /// Those that lead beyond the last place spell the text to its end. Empty: there is no text.
  std::vector<std::vector<Piece>> pieces;

  bool is_spelled(size_t place) const { return place >= pieces.size(); }

  /// Behind `token`, which is one of those that may come at `place`.
  size_t place_after(size_t place, int32_t token) const {
    for (const Piece& piece : pieces[place]) {
      if (piece.token == token) return piece.end;
    }
    return pieces.size();
  }

  /// Tokens that any spelling has at most.
  int64_t most_tokens() const {
    int64_t places = 0;
    for (const auto& place : pieces) places += place.empty() ? 0 : 1;
    return places;
  }
};

/// What the translation of one sentence has to keep to, as token ids.
struct SentenceGuide {
  std::vector<int32_t> prefix;                    // it begins with these; empty: free
  std::vector<std::vector<int32_t>> constraints;  // phrases that it holds, none of them empty
  OpenWord open_word = {};                        // goes on with this behind the prefix

  bool empty() const { return prefix.empty() && constraints.empty() && open_word.pieces.empty(); }
};

/// None at all, or one for each sentence.
using SentenceGuides = std::vector<SentenceGuide>;

/// The guide of a sentence, or null where there are none.
inline const SentenceGuide* guide_of(const SentenceGuides& guides, size_t sentence) {
  return guides.empty() ? nullptr : &guides[sentence];
}

}  // namespace nmt
