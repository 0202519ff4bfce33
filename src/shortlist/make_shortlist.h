#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace nmt {

struct ShortlistRequest {
  std::filesystem::path model;   // directory or packed model, for its vocabularies
  std::filesystem::path source;  // a parallel corpus, one sentence a line; .gz too
  std::filesystem::path target;
  std::filesystem::path output;  // empty: shortlist.safetensors in the model's directory
  int64_t best = 100;            // target tokens for each source token
  int64_t frequent = 100;        // target tokens for every sentence
  int64_t max_pairs = 1000000;   // of the corpus, evenly spaced; 0: all
  int threads = 0;               // that tokenize
  bool overwrite = false;
};

/// nmt shortlist: the `best` translations of each source token by IBM Model 1, the target token of
/// the same text, and the most frequent target tokens. Returns a line about the result, whose
/// percentage is of the known tokens. Warns if more than a tenth of a text's tokens are unknown.
/// Throws Error and Interrupted.
std::string make_shortlist(const ShortlistRequest& request);

}  // namespace nmt
