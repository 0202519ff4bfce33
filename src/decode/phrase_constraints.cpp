#include "decode/phrase_constraints.h"

#include <algorithm>
#include <deque>
#include <map>

namespace nmt {
namespace {

using Phrase = std::vector<int32_t>;

bool holds(const std::vector<int32_t>& tokens, const Phrase& phrase) {
  return std::search(tokens.begin(), tokens.end(), phrase.begin(), phrase.end()) != tokens.end();
}

/// How many of the phrase's tokens, short of all, the tokens end with.
size_t length_begun(const std::vector<int32_t>& tokens, const Phrase& phrase) {
  for (size_t length = std::min(phrase.size() - 1, tokens.size()); length > 0; --length) {
    if (std::equal(tokens.end() - static_cast<int64_t>(length), tokens.end(), phrase.begin())) {
      return length;
    }
  }
  return 0;
}

}  // namespace

PhraseProgress phrase_progress(const std::vector<int32_t>& tokens, const Phrases& phrases) {
  PhraseProgress progress;
  size_t furthest = 0;
  for (const auto& phrase : phrases) {
    if (holds(tokens, phrase)) continue;
    progress.missing += static_cast<int64_t>(phrase.size());
    const size_t begun = length_begun(tokens, phrase);
    if (begun < furthest) continue;
    if (begun > furthest) progress.wanted.clear();
    furthest = begun;
    progress.wanted.push_back(phrase[begun]);
  }
  // One phrase at a time: the next token can continue only one of those begun.
  progress.missing -= static_cast<int64_t>(furthest);
  return progress;
}

void share_among_banks(const std::vector<int64_t>& missing, int64_t beam_size,
                       std::vector<Candidate>& candidates) {
  std::map<int64_t, std::deque<Candidate>> banks;
  for (size_t i = 0; i < candidates.size(); ++i) banks[missing[i]].push_back(candidates[i]);
  for (auto& [missed, bank] : banks) {
    std::stable_sort(bank.begin(), bank.end(),
                     [](const Candidate& a, const Candidate& b) { return a.total > b.total; });
  }
  candidates.clear();
  for (int64_t room = beam_size; room > 0 && !banks.empty();) {
    for (auto bank = banks.begin(); bank != banks.end() && room > 0;) {
      candidates.push_back(bank->second.front());
      bank->second.pop_front();
      if (candidates.back().token != kEosId) --room;
      bank = bank->second.empty() ? banks.erase(bank) : std::next(bank);
    }
  }
}

}  // namespace nmt
