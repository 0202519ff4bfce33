#include "decode/phrase_constraints.h"

#include <algorithm>
#include <deque>
#include <map>

namespace nmt {
namespace {

using Phrase = std::vector<int32_t>;

bool joined(const TokenJoints* joints, int32_t token, int32_t next) {
  return joints != nullptr && joints->join(token, next);
}

/// The length of the longest proper prefix of the phrase that the tokens end with, and whose next
/// token joins the last one as `next_joins` says.
size_t length_begun(const std::vector<int32_t>& tokens, const Phrase& phrase,
                    const TokenJoints* joints, bool next_joins) {
  for (size_t length = std::min(phrase.size() - 1, tokens.size()); length > 0; --length) {
    if (joined(joints, phrase[length - 1], phrase[length]) == next_joins &&
        std::equal(tokens.end() - static_cast<int64_t>(length), tokens.end(), phrase.begin())) {
      return length;
    }
  }
  return 0;
}

/// The progress if the next token joins the last one, or if it does not.
PhraseProgress progress_if(bool next_joins, const std::vector<int32_t>& tokens,
                           const DecodingConstraints& constraints) {
  PhraseProgress progress;
  size_t furthest = 0;
  for (const auto& phrase : constraints.phrases) {
    if (find_phrase(tokens, phrase, constraints.joints, next_joins) != tokens.end()) continue;
    progress.missing += static_cast<int64_t>(phrase.size());
    const size_t begun = length_begun(tokens, phrase, constraints.joints, next_joins);
    if (begun < furthest || (begun == 0 && next_joins)) continue;
    if (begun > furthest) progress.wanted.clear();
    furthest = begun;
    progress.wanted.push_back(phrase[begun]);
  }
  // One phrase at a time: the next token can continue only one of those begun.
  progress.missing -= static_cast<int64_t>(furthest);
  progress.begun = furthest > 0;
  return progress;
}

}  // namespace

std::vector<int32_t>::const_iterator find_phrase(const std::vector<int32_t>& tokens,
                                                 const Phrase& phrase, const TokenJoints* joints,
                                                 bool next_joins) {
  auto begin = std::search(tokens.begin(), tokens.end(), phrase.begin(), phrase.end());
  while (begin != tokens.end()) {
    const auto next = begin + static_cast<int64_t>(phrase.size());
    const bool joins = next == tokens.end() ? next_joins : joined(joints, phrase.back(), *next);
    if (!joins) break;
    begin = std::search(begin + 1, tokens.end(), phrase.begin(), phrase.end());
  }
  return begin;
}

/// The better of two prospects: a token that joins the last one advances "dogs" but not "dog".
PhraseProgress phrase_progress(const std::vector<int32_t>& tokens,
                               const DecodingConstraints& constraints) {
  auto progress = progress_if(false, tokens, constraints);
  const auto* joints = constraints.joints;
  if (joints == nullptr || tokens.empty() ||
      !joints->end_in_word[static_cast<size_t>(tokens.back())]) {
    return progress;
  }
  auto joining = progress_if(true, tokens, constraints);
  if (joining.missing < progress.missing) return joining;
  if (joining.missing == progress.missing) {
    progress.wanted.insert(progress.wanted.end(), joining.wanted.begin(), joining.wanted.end());
    progress.begun = progress.begun || joining.begun;
  }
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
