#include "nn/seq2seq.h"

#include <ATen/ATen.h>
#include <torch/nn/init.h>

#include <cmath>
#include <memory>
#include <unordered_set>

#include "nn/cuda/device_operations.h"
#include "nn/cuda/logit_loss.h"
#include "nn/dropout.h"
#include "nn/language_model.h"
#include "nn/recurrent_seq2seq.h"
#include "nn/transformer.h"

namespace nmt {
namespace {

/// With initial values. A matrix that is also the output layer starts with rows whose norm is about
/// 1, so that logits have that magnitude; a Transformer's, too, which multiplies them by √H, to the
/// magnitude of the positions.
torch::nn::Embedding make_embedding(int64_t vocabulary_size, const Seq2SeqOptions& options,
                                    bool is_output_layer) {
  torch::nn::Embedding embedding(vocabulary_size, options.embedding_size);
  const bool unit_norm = is_output_layer || options.architecture == Architecture::kTransformer;
  const double deviation = unit_norm ? 1.0 / std::sqrt(static_cast<double>(options.embedding_size))
                                     : options.embedding_init_std;
  torch::nn::init::normal_(embedding->weight, 0.0, deviation);
  return embedding;
}

}  // namespace

void DecoderState::select(const torch::Tensor& rows) {
  const auto choose = [&](torch::Tensor& tensor, int64_t dimension) {
    if (tensor.defined()) tensor = tensor.index_select(dimension, rows);
  };
  choose(recurrent.hidden, 1);
  choose(recurrent.cell, 1);
  for (auto& mask : recurrent.masks) choose(mask, 0);
  choose(recurrent.state_mask, 1);
  choose(attentional_hidden, 0);
  choose(coverage, 0);
  choose(input_mask, 0);
  choose(output_mask, 0);
  for (auto& layer : self_attention_cache) layer = layer.select(rows);
}

Seq2SeqImpl::Seq2SeqImpl(const Seq2SeqOptions& options) : options_(options) {
  const bool tied = options.tied_embeddings != TiedEmbeddings::kNone;
  const bool three_way = options.tied_embeddings == TiedEmbeddings::kAll;
  TORCH_CHECK(!tied || options.embedding_size == options.hidden_size,
              "tied embeddings need embedding_size == hidden_size");
  TORCH_CHECK(!three_way || options.source_vocabulary_size == options.target_vocabulary_size,
              "three-way tied embeddings need one vocabulary");
  TORCH_CHECK(!options.copy || options.source_vocabulary_size == options.target_vocabulary_size,
              "copying needs one vocabulary");
  const bool translates = options.architecture != Architecture::kLanguageModel;
  if (translates) {
    emb_src_ = register_module("emb_src",
                               make_embedding(options.source_vocabulary_size, options, three_way));
  }
  emb_dec_ = register_module("emb_dec",
                             translates && three_way
                                 ? emb_src_
                                 : make_embedding(options.target_vocabulary_size, options, tied));
}

void Seq2SeqImpl::add_generator() {
  const bool tied = options_.tied_embeddings != TiedEmbeddings::kNone;
  const auto tied_weight = tied ? emb_dec_->weight : torch::Tensor();
  generator_ = register_module(
      "generator",
      Generator(options_.hidden_size, options_.target_vocabulary_size, tied_weight, options_.copy));
}

torch::Tensor Seq2SeqImpl::drop(const torch::Tensor& x, double rate, torch::Tensor& mask) const {
  if (!is_training()) return x;
  return drop_units(x, rate, options_.variational_dropout ? &mask : nullptr);
}

torch::Tensor Seq2SeqImpl::log_probabilities(const torch::Tensor& attentional_hidden,
                                             const torch::Tensor& attention,
                                             const torch::Tensor& source) {
  return generator_(attentional_hidden, attention, source);
}

TokenLoss Seq2SeqImpl::loss(const torch::Tensor& attentional_hidden, const torch::Tensor& targets,
                            double label_smoothing, const torch::Tensor& weights,
                            const torch::Tensor& attention, const torch::Tensor& source) {
  if (!options_.copy && has_step_operations(attentional_hidden)) {
    const auto sums =
        logit_loss(generator_->logits(attentional_hidden), targets, label_smoothing, weights);
    return {sums.objective, sums.negative_log_likelihood};
  }
  return token_loss(log_probabilities(attentional_hidden, attention, source), targets,
                    label_smoothing, weights);
}

Seq2Seq make_seq2seq(const Seq2SeqOptions& options) {
  std::shared_ptr<Seq2SeqImpl> model;
  switch (options.architecture) {
    case Architecture::kRecurrent:
      model = std::make_shared<RecurrentSeq2SeqImpl>(options);
      break;
    case Architecture::kTransformer:
      model = std::make_shared<TransformerImpl>(options);
      break;
    case Architecture::kLanguageModel:
      model = std::make_shared<LanguageModelImpl>(options);
      break;
  }
  return Seq2Seq(model);
}

std::vector<torch::Tensor> unique_parameters(const torch::nn::Module& model) {
  std::vector<torch::Tensor> parameters;
  std::unordered_set<const void*> seen;
  for (const auto& parameter : model.parameters()) {
    if (seen.insert(parameter.unsafeGetTensorImpl()).second) parameters.push_back(parameter);
  }
  return parameters;
}

int64_t count_parameters(const torch::nn::Module& model) {
  int64_t count = 0;
  for (const auto& parameter : unique_parameters(model)) count += parameter.numel();
  return count;
}

}  // namespace nmt
