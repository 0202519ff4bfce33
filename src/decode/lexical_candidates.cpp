#include "decode/lexical_candidates.h"

namespace nmt {

std::vector<int32_t> lexical_candidates(const LexicalShortlist& shortlist,
                                        const std::vector<int32_t>& source,
                                        const DecodingConstraints* constraints) {
  std::vector<int32_t> required;
  if (constraints != nullptr) {
    required = constraints->prefix;
    for (const auto& phrase : constraints->phrases) {
      required.insert(required.end(), phrase.begin(), phrase.end());
    }
    for (const auto& place : constraints->partial_word.pieces) {
      for (const auto& piece : place) required.push_back(piece.token);
    }
  }
  return shortlist.candidates(source, required);
}

}  // namespace nmt
