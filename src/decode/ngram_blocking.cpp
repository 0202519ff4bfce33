#include "decode/ngram_blocking.h"

#include <algorithm>

namespace nmt {

std::vector<int32_t> repeating_tokens(const std::vector<int32_t>& tokens, int64_t n) {
  std::vector<int32_t> found;
  const int64_t context = n - 1;
  if (static_cast<int64_t>(tokens.size()) < n) return found;
  const auto last = tokens.end() - context;
  for (auto begin = tokens.begin(); begin + context != tokens.end(); ++begin) {
    if (std::equal(last, tokens.end(), begin)) found.push_back(*(begin + context));
  }
  return found;
}

}  // namespace nmt
