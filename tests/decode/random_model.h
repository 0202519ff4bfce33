#pragma once

#include <torch/utils.h>

#include "nn/seq2seq.h"
#include "support/test_device.h"

namespace nmt {

/// A tiny network, the same for a seed every time, ready for search.
inline Seq2Seq random_model(uint64_t seed, int64_t source_vocabulary_size,
                            int64_t target_vocabulary_size) {
  torch::manual_seed(seed);
  Seq2SeqOptions options;
  options.dropout = 0.0;
  options.source_vocabulary_size = source_vocabulary_size;
  options.target_vocabulary_size = target_vocabulary_size;
  options.embedding_size = 5;
  options.hidden_size = 6;
  Seq2Seq model = make_seq2seq(options);
  model->to(test_device());
  model->eval();
  return model;
}

}  // namespace nmt
