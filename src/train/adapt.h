#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace nmt {

struct AdaptRequest {
  std::filesystem::path model;   // directory or packed file
  std::filesystem::path output;  // model directory to write
  bool overwrite = false;
  std::filesystem::path source;  // one sentence per line
  std::filesystem::path target;  // reference translations; empty: source is a suggestions file
  int64_t steps = 60;            // maximum
  double learning_rate = 3e-4;
  std::string device = "cpu";
  int threads = 0;
  int64_t new_pieces = 0;  // maximum new pieces per vocabulary
};

/// Fine-tunes a copy of a model on a few corrections: Adam steps with clipping on all of them in
/// one batch, without dropout, until the mean loss is below 0.15 nats per token or `steps` are
/// done. Skips corrections that the model cannot learn, with a warning. New vocabulary pieces
/// (text/vocabulary_growth.h) are initialized to the mean of the parameters of the pieces that
/// spelled them before. Returns one line about the result. Throws Error, also if the loss rises,
/// and then writes nothing.
std::string adapt_model(const AdaptRequest& request);

}  // namespace nmt
