#include "metrics/gleu.h"

#include <algorithm>
#include <cstdint>

#include "metrics/bleu.h"

namespace nmt {

double sentence_gleu(const std::string& hypothesis, const std::string& reference) {
  int64_t matches = 0;
  int64_t hypothesis_ngrams = 0;
  int64_t reference_ngrams = 0;
  for (const auto& order : count_bleu(hypothesis, {reference})) {
    matches += order.matches;
    hypothesis_ngrams += order.hypothesis;
    reference_ngrams += order.reference;
  }
  const int64_t most = std::max(hypothesis_ngrams, reference_ngrams);
  return most == 0 ? 0.0 : static_cast<double>(matches) / static_cast<double>(most);
}

}  // namespace nmt
