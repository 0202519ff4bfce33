#pragma once

#include <cstdint>

namespace nmt {

// The shape of a model. Apart from the model (nn/seq2seq.h), for its files are read, and the fused
// engine translates, without LibTorch.

enum class Cell { kGru, kLstm };

enum class TiedEmbeddings {
  kNone,
  kTarget,  // target embedding and output layer are one matrix
  kAll,     // the source embedding too; needs one vocabulary for both languages
};

struct Seq2SeqOptions {
  int64_t source_vocabulary_size = 0;
  int64_t target_vocabulary_size = 0;
  Cell cell = Cell::kGru;
  int64_t embedding_size = 256;
  int64_t hidden_size = 512;
  int64_t num_layers = 1;
  double embedding_deviation = 1.0;  // of initial embeddings that are not the output layer too
  double dropout = 0.0;
  bool input_feeding = true;
  TiedEmbeddings tied_embeddings = TiedEmbeddings::kNone;  // need embedding_size == hidden_size
};

}  // namespace nmt
