#pragma once

#include <torch/utils.h>

#include "config/settings.h"
#include "data/batch.h"
#include "nn/seq2seq.h"
#include "support/test_device.h"

namespace nmt {

/// Where an engine trains in the tests: the fused engine computes on the CPU alone.
inline torch::Device device_of(TrainingEngine engine) {
  return engine == TrainingEngine::kFused ? torch::Device(torch::kCPU) : test_device();
}

/// A network of odd, different sizes, the same every time, on the CPU.
inline Seq2Seq small_model(double dropout = 0.0, TiedEmbeddings tied = TiedEmbeddings::kNone,
                           Architecture architecture = Architecture::kRecurrent) {
  torch::manual_seed(61);
  Seq2SeqOptions options;
  options.source_vocabulary_size = 32;
  options.target_vocabulary_size = tied == TiedEmbeddings::kAll ? 32 : 40;
  options.embedding_size = tied == TiedEmbeddings::kNone ? 18 : 20;
  options.hidden_size = 20;
  options.dropout = dropout;
  options.tied_embeddings = tied;
  options.architecture = architecture;
  if (architecture == Architecture::kTransformer) options.embedding_size = options.hidden_size;
  return make_seq2seq(options);
}

/// Sentences of all lengths, an empty target among them.
inline Batch odd_batch() {
  return make_batch({{4, 5, 6, 7, 8}, {9}, {5, 5}, {6, 7, 8}, {11, 4, 4, 4}},
                    {{4}, {5, 6, 7, 8, 9, 10}, {11}, {}, {7, 7}});
}

}  // namespace nmt
