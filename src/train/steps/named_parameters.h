#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checkpoint/safetensors.h"
#include "config/settings.h"
#include "nn/seq2seq.h"

namespace nmt {

/// The model's parameters with their state_dict names, detached but sharing memory. Tied parameters
/// occur once, under their first name.
std::vector<NamedTensor> unique_named_parameters(const Seq2Seq& model);

/// The parameters of all models in the same order; tied ones once.
std::vector<torch::Tensor> unique_parameters_of(const std::vector<Seq2Seq>& models);

/// The learning rate of each of unique_named_parameters(), relative to the schedule's:
/// AttentionImpl::learning_scales() for Adam, whose step size does not depend on the scale of the
/// gradient; 1 for sgd.
std::vector<double> learning_rate_factors(const Seq2Seq& model, OptimizerKind optimizer);

/// Whether each name matches a pattern of train.freeze. Throws Error for a pattern that matches no
/// name, and if no name is left to train.
std::vector<bool> frozen_parameters(const std::vector<std::string>& names,
                                    const std::vector<std::string>& patterns);

/// Adds the tensors as PREFIX.NAME, without copying them.
void add_tensors(TensorFile& file, const std::string& prefix,
                 const std::vector<NamedTensor>& tensors);

/// Copies the file's tensors PREFIX.NAME into the given ones. Throws Error if one is missing or of
/// another shape.
void read_tensors(const TensorFile& file, const std::string& prefix,
                  const std::vector<NamedTensor>& into);

/// An integer from the metadata. Throws Error if it is missing or malformed.
int64_t read_count(const TensorFile& file, const std::string& key);

}  // namespace nmt
