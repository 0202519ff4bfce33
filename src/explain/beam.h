#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "decode/search_options.h"

namespace nmt {

/// A continuation that the search considered; the first node of a tree is the beginning of the
/// sentence.
struct BeamNode {
  size_t parent = 0;  // index in the tree's nodes
  size_t step = 0;    // its length in tokens
  std::string token;
  double token_log_probability = 0.0;  // log p(token | source, tokens before)
  double log_probability = 0.0;        // of all tokens
  double score = 0.0;                  // normalized for length
  Fate fate = Fate::kOpen;
};

struct RankedTranslation {
  std::string text;
  size_t node = 0;  // its end-of-sentence token, in the tree's nodes
  double log_probability = 0.0;
  double score = 0.0;
};

/// All that a beam search considered, and what it found. Logarithms are natural.
struct BeamTree {
  std::string source;
  std::vector<std::string> source_tokens;
  int64_t beam_size = 0;
  double length_penalty = 1.0;
  std::vector<BeamNode> nodes;             // step by step, each step's best first
  std::vector<RankedTranslation> ranking;  // best first, at most beam_size

  /// The nodes of this step, best first.
  std::vector<size_t> step(size_t number) const;
  size_t num_steps() const { return nodes.back().step; }

  /// Whether the search or the result continued from the node.
  bool is_kept(size_t node) const { return nodes[node].fate != Fate::kPruned; }
};

/// Translates the sentence as a whole as `nmt translate --beam-size B --n-best B` does, and records
/// the search. Hypotheses with the same text are all ranked. Throws Error for a sentence without
/// tokens or of more than 64, for a language model, and if the model cannot be read; UsageError for
/// a beam size outside 1 to 10.
BeamTree grow_beam_tree(const std::filesystem::path& model_dir, const std::string& sentence,
                        int64_t beam_size, double length_penalty);

}  // namespace nmt
