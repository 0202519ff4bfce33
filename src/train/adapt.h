#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace nmt {

struct AdaptRequest {
  std::filesystem::path model;   // directory or packed file
  std::filesystem::path output;  // a folder
  bool overwrite = false;
  std::filesystem::path source;  // sentences
  std::filesystem::path target;  // reference translations
  int64_t steps = 20;            // at most
  double learning_rate = 1e-3;
  std::string device = "cpu";
  int threads = 0;
  int64_t new_pieces = 0;  // at most so many for each vocabulary
};

/// Fine-tunes a copy of a model on a few corrections: clipped steps of Adam on all of them at once,
/// without dropout, until a mean loss below 0.05 nats per token or the last step. New
/// pieces of the vocabularies (text/vocabulary_growth.h) begin with the mean of the parameters of
/// those that spelled them before. Returns one line about the result. Throws Error, also where the
/// loss rises, and then writes nothing.
std::string adapt_model(const AdaptRequest& request);

}  // namespace nmt
