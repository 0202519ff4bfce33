#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "config/settings.h"
#include "text/placeholders.h"
#include "text/sentence_key.h"

namespace nmt {

/// Pairs in each held-out set for a corpus with this many different source sentences: 5 % of up to
/// 10,000, then 5·√n, at most 2,000; 0 for fewer than 200.
int64_t held_out_size(int64_t source_sentences);

struct HoldOutRequest {
  std::vector<std::string> sources;  // the corpora, plain text or .gz
  std::vector<std::string> targets;
  std::vector<std::string> languages = {};  // of targets; sources get its marker
  int64_t pairs = -1;                       // in each set; negative: held_out_size
  bool validation = true;
  bool test = true;
  HeldOutSentences taken;  // sentences of sets that exist already, never chosen

  /// Called regularly while lines are read. May throw to stop.
  std::function<void()> progress = nullptr;
};

struct HeldOutPairs {
  std::vector<SentencePair> validation;
  std::vector<SentencePair> test;
  int64_t source_sentences = 0;  // different ones to choose from; above 16,000 an estimate
  int64_t possible = 0;          // pairs that could be held out, even if too few for the sets
};

/// Why so few pairs can be held out of a corpus with enough source sentences.
std::string few_possible(const HeldOutPairs& pairs);

/// Chooses pairs for a validation and a test set, no two of which share a sentence. The choice
/// depends on the keys of the source sentences, not on the order of lines, and more text does not
/// move a sentence from one set to the other. Of all pairs with one source sentence, at most one is
/// chosen. Sentences that are much more frequent than others, have no letter or digit, or are
/// longer than 1,000 bytes stay in training, and so do pairs of one word on each side, unless there
/// are hardly any others. The sets are empty if the corpora are too small. Reads the corpora two or
/// three times; memory does not depend on their size. Throws Error as PairReader does, and if fewer
/// than request.pairs can be held out.
HeldOutPairs hold_out(const HoldOutRequest& request);

/// The texts whose sentences a run leaves out of training, by name: data.exclude, and its own
/// validation and test sets where data.hold_out is above 0.
std::map<std::string, std::string> left_out_texts(const DataConfig& data);

/// Their sentences. Throws Error when one of the files cannot be read.
HeldOutSentences left_out_sentences(const DataConfig& data);

}  // namespace nmt
