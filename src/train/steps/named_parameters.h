#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checkpoint/safetensors.h"
#include "config/settings.h"
#include "nn/seq2seq.h"

namespace nmt {

/// The model's parameters with their state_dict names, detached but in the same memory; tied ones
/// once, under their first name.
std::vector<NamedTensor> unique_named_parameters(const Seq2Seq& model);

/// The parameters of all models, tied ones once, in the same order.
std::vector<torch::Tensor> unique_parameters_of(const std::vector<Seq2Seq>& models);

/// The learning rate of each of unique_named_parameters(), in their order, as a factor of the
/// schedule's: AttentionImpl::learning_scales() under Adam, Adagrad and Adafactor, whose steps have
/// the same size whatever the gradient's; 1 with sgd.
std::vector<double> learning_rate_factors(const Seq2Seq& model, OptimizerKind optimizer);

/// Which of the names a pattern of train.freeze matches. Throws Error for a pattern without a name,
/// and when no name is left to train.
std::vector<bool> frozen_parameters(const std::vector<std::string>& names,
                                    const std::vector<std::string>& patterns);

/// Adds the tensors under PREFIX.NAME, without copying them.
void add_tensors(TensorFile& file, const std::string& prefix,
                 const std::vector<NamedTensor>& tensors);

/// Fills the tensors from those under PREFIX.NAME. Throws Error when one is missing or of another
/// shape.
void read_tensors(const TensorFile& file, const std::string& prefix,
                  const std::vector<NamedTensor>& into);

/// The whole number in the metadata. Throws Error when there is none.
int64_t read_count(const TensorFile& file, const std::string& key);

}  // namespace nmt
