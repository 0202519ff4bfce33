#pragma once

#include <filesystem>
#include <string>

namespace nmt {

struct StatesRequest {
  std::filesystem::path model_dir;
  std::filesystem::path source;
  std::filesystem::path target;  // translations of it, line by line; empty: the model's own
  std::filesystem::path output;
  bool overwrite = false;
};

/// Writes the states of a translation model, teacher-forced on the targets, to a safetensors file:
/// for each line i, from 0, S source tokens and T target tokens, the end of sentence included,
///
///   encoder.i      [S, H]  h_src
///   decoder.i      [T, H]  h_t, from which token t is predicted
///   attentional.i  [T, H]  h̃_t; recurrent: a Transformer's decoder.i is what predicts
///   attention.i    [T, S]  a_t; with attention. Of several heads the mean
///
/// as float32, and as metadata `sentences`, a JSON array with the tokens and words of each line. H
/// is model.hidden_size. One batch at a time is in memory; the file gets its name when it is
/// complete. Returns a line that describes it. Throws Error for a language model, a model with
/// several target languages, an empty source, a line without tokens, a text of over 2000 tokens,
/// and more lines than the header of a file can list (some 100,000).
std::string write_states(const StatesRequest& request);

}  // namespace nmt
