#include "translate/alternatives.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace nmt {
namespace {

/// Restricts the partial word to spellings by a single token; otherwise several byte pieces could
/// spell it.
DecodingConstraints with_one_token(DecodingConstraints constraints) {
  auto& places = constraints.partial_word.pieces;
  if (places.empty()) return constraints;
  const size_t end = places.size();
  auto& pieces = places.front();
  pieces.erase(std::remove_if(pieces.begin(), pieces.end(),
                              [&](const PartialWord::Piece& piece) { return piece.end < end; }),
               pieces.end());
  places.resize(1);
  return constraints;
}

}  // namespace

ConstraintList likeliest_beginnings(Engine& engine, const std::vector<int32_t>& source,
                                    const DecodingConstraints& begun, int64_t count) {
  SearchOptions options;
  options.beam_size = count;
  options.n_best = count;
  options.min_length = static_cast<int64_t>(begun.prefix.size()) + 1;
  options.max_length = 1;  // tokens beyond the prefix
  ConstraintList constraint_list;
  const auto found = engine.search({source}, 1, options, {with_one_token(begun)});
  for (const auto& hypothesis : found.front()) {
    constraint_list.push_back({hypothesis.tokens, {}});
  }
  return constraint_list;
}

std::vector<Alternative> different_words(const std::vector<Translation>& translations, size_t place,
                                         size_t count) {
  std::vector<Alternative> found;
  for (const auto& translation : translations) {
    const auto& best = translation.candidates.front();
    if (place >= best.words.size() || best.words[place].empty()) continue;
    found.push_back({best.words[place], best.text, std::exp(best.word_log_probabilities[place])});
  }
  std::stable_sort(found.begin(), found.end(), [](const Alternative& a, const Alternative& b) {
    return a.probability > b.probability;
  });
  std::set<std::string> words;
  const auto is_known = [&](const Alternative& one) { return !words.insert(one.word).second; };
  found.erase(std::remove_if(found.begin(), found.end(), is_known), found.end());
  found.resize(std::min(found.size(), count));
  return found;
}

}  // namespace nmt
