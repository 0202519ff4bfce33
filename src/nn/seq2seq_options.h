#pragma once

#include <cstdint>
#include <string>

namespace nmt {

// The shape of a model. Apart from the model (nn/seq2seq.h), for its files are read, and the fused
// engine translates, without LibTorch.

enum class Architecture {
  kRecurrent,      // nn/recurrent_seq2seq.h
  kTransformer,    // nn/transformer.h
  kLanguageModel,  // nn/language_model.h: of the target alone
};

enum class Cell { kGru, kLstm };

enum class EncoderOutput { kConcatenated, kSummed };

enum class TiedEmbeddings {
  kNone,
  kTarget,  // target embedding and output layer are one matrix
  kAll,     // the source embedding too; needs one vocabulary for both languages
};

struct Seq2SeqOptions {
  Architecture architecture = Architecture::kRecurrent;
  int64_t source_vocabulary_size = 0;
  int64_t target_vocabulary_size = 0;
  int64_t embedding_size = 256;
  int64_t hidden_size = 512;
  int64_t num_layers = 1;
  int64_t heads = 4;                 // of multi-head attention; divide hidden_size
  double embedding_deviation = 1.0;  // of initial embeddings that are not the output layer too
  double dropout = 0.0;
  double word_dropout = 0.0;                               // of whole tokens
  double layer_dropout = 0.0;                              // of whole layers; of the Transformer
  TiedEmbeddings tied_embeddings = TiedEmbeddings::kNone;  // need embedding_size == hidden_size

  // Of the recurrent model.
  Cell cell = Cell::kGru;
  EncoderOutput encoder_output = EncoderOutput::kConcatenated;
  std::string attention = "general";  // nn/attention_kinds.h
  bool input_feeding = true;
  bool layer_norm = false;

  // Of the Transformer.
  int64_t feed_forward_size = 1024;
  bool pre_norm = true;
};

}  // namespace nmt
