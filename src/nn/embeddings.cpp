#include "nn/embeddings.h"

#include <ATen/ATen.h>
#include <torch/nn/init.h>

#include <cmath>

namespace nmt {

torch::nn::Embedding make_embedding(int64_t vocabulary_size, const Seq2SeqOptions& options,
                                    bool unit_norm) {
  torch::nn::Embedding embedding(vocabulary_size, options.embedding_size);
  const double deviation = unit_norm ? 1.0 / std::sqrt(static_cast<double>(options.embedding_size))
                                     : options.embedding_init_std;
  torch::nn::init::normal_(embedding->weight, 0.0, deviation);
  return embedding;
}

torch::Tensor drop_words(const torch::Tensor& embedded, double probability, bool is_training) {
  if (!is_training || probability == 0.0) return embedded;
  const auto ones = torch::ones({embedded.size(0), embedded.size(1), 1}, embedded.options());
  return embedded * torch::dropout(ones, probability, /*train=*/true);  // [B, T, E]
}

}  // namespace nmt
