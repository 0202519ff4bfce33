#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nmt {

/// The beginning of a word, as text that tokens can spell in many ways; the last token may extend
/// past it. Search knows only token ids, so the caller lists the tokens.
struct PartialWord {
  struct Piece {
    int32_t token = 0;
    size_t end = 0;  // position in the text after the token
  };

  /// The tokens that can follow at each position of the text; none at positions where no token can
  /// begin. A token that leads past the last position completes the text. Empty: no partial word.
  std::vector<std::vector<Piece>> pieces;

  bool is_spelled(size_t place) const { return place >= pieces.size(); }

  /// The position after `token`, one of those listed at `place`.
  size_t place_after(size_t place, int32_t token) const {
    for (const Piece& piece : pieces[place]) {
      if (piece.token == token) return piece.end;
    }
    return pieces.size();
  }

  /// Upper bound on the number of tokens of any spelling.
  int64_t max_tokens() const {
    return std::count_if(pieces.begin(), pieces.end(),
                         [](const auto& place) { return !place.empty(); });
  }
};

/// How the texts of a vocabulary's tokens join to words and sentences.
struct TokenJoints {
  std::vector<bool> continue_word = {};  // of each token: it may continue the word before it
  std::vector<bool> end_in_word = {};    // ends with a character that such a token continues
  std::vector<bool> end_sentence = {};   // ends with a mark after which a sentence may end

  bool join(int32_t token, int32_t next) const {
    return end_in_word[static_cast<size_t>(token)] && continue_word[static_cast<size_t>(next)];
  }
};

/// Constraints on the translation of one sentence, as token ids.
struct DecodingConstraints {
  std::vector<int32_t> prefix;                // of the translation; empty: free
  std::vector<std::vector<int32_t>> phrases;  // each must occur; none is empty
  PartialWord partial_word = {};              // follows the prefix
  bool ends = false;                          // the prefix is the whole translation
  const TokenJoints* joints = nullptr;        // null: phrases need not be whole words

  bool empty() const {
    return prefix.empty() && phrases.empty() && partial_word.pieces.empty() && !ends;
  }
};

/// Empty, or one for each sentence.
using ConstraintList = std::vector<DecodingConstraints>;

/// The constraints of a sentence, or null.
inline const DecodingConstraints* constraints_of(const ConstraintList& constraint_list,
                                                 size_t sentence) {
  return constraint_list.empty() ? nullptr : &constraint_list[sentence];
}

}  // namespace nmt
