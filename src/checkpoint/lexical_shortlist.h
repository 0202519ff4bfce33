#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace nmt {

/// The target tokens that may translate each source token (nmt shortlist). Translating with it
/// considers only the candidates of the sentence, so that most of the output layer is not computed.
struct LexicalShortlist {
  std::vector<int64_t> ends;      // [source vocabulary]  end of each token's part of `tokens`
  std::vector<int32_t> tokens;    // of all source tokens in turn
  std::vector<int32_t> frequent;  // candidates in every sentence
  int64_t target_vocabulary_size = 0;

  /// The candidates of a sentence, ascending and each once: the translations of its tokens, the
  /// frequent ones, `required` ones, the unknown token and EOS.
  std::vector<int32_t> candidates(const std::vector<int32_t>& source,
                                  const std::vector<int32_t>& required) const;
};

/// Writes the file atomically (docs/model-format.md). Throws Error.
void write_lexical_shortlist(const std::filesystem::path& path, const LexicalShortlist& shortlist,
                             const Tokenizers& vocabularies);

/// Throws Error for a damaged file and for one made for other vocabularies.
LexicalShortlist read_lexical_shortlist(const std::filesystem::path& path,
                                        const Tokenizers& vocabularies);

}  // namespace nmt
