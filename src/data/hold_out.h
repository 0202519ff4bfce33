#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "text/placeholders.h"
#include "text/sentence_key.h"

namespace nmt {

/// Pairs that each held-out set gets from a corpus with so many different source sentences: 5 % up
/// to 10,000, then 5·√n, at most 2,000; 0 below 200, which are too few to divide.
int64_t held_out_size(int64_t source_sentences);

struct HoldOutRequest {
  std::vector<std::string> sources;  // the corpora, plain text or .gz
  std::vector<std::string> targets;
  std::vector<std::string> languages = {};  // of the targets, which sources then begin with
  int64_t pairs = -1;                       // in each set; negative: held_out_size
  bool validation = true;
  bool test = true;
  HeldOutSentences taken;  // sentences of sets that exist already, never chosen

  /// Called now and then while lines are read. What it throws is thrown on.
  std::function<void()> progress = nullptr;
};

struct HeldOutPairs {
  std::vector<SentencePair> validation;
  std::vector<SentencePair> test;
  int64_t source_sentences = 0;  // different ones in the corpora; over 16,000 an estimate
  int64_t possible = 0;          // pairs that were chosen, also where they are too few for the sets
};

/// Why so few pairs can be held out of a corpus with enough source sentences.
std::string few_possible(const HeldOutPairs& pairs);

/// Chooses pairs for a validation and a test set, no two of which share a sentence, by the keys of
/// their source sentences: whatever the order of the lines, and so that more text does not move a
/// sentence from one set to the other. Of pairs with one source sentence one is chosen. Sentences
/// stay in training that are much more frequent than others, have no letter or digit, or are longer
/// than 1,000 bytes.
/// The sets are empty where the corpora are too small. Reads the corpora twice; memory use does not
/// depend on their size. Throws Error as PairReader does, and when fewer than request.pairs can be
/// held out.
HeldOutPairs hold_out(const HoldOutRequest& request);

}  // namespace nmt
