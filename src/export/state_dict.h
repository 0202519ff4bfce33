#pragma once

#include <map>
#include <string>

#include "checkpoint/model.h"
#include "checkpoint/safetensors.h"
#include "nn/seq2seq.h"

namespace nmt {

/// What a weights file says of its model: settings, sizes of the vocabularies, version.
std::map<std::string, std::string> describe_export(const Model& model);

/// Fills the network from floating-point tensors of any width. A matrix that the network ties may
/// stand under one of its names only. `expected_by` names what the network was made from. Throws
/// Error in one line that lists the first few tensors that are missing, unexpected, of another
/// shape, not floating-point or not finite.
void load_state_dict(const TensorFile& file, const Seq2Seq& network,
                     const std::string& expected_by);

/// A network of the same options filled from `file`. Throws Error when a number differs from
/// `network`'s, or a tensor is missing or too many.
Seq2Seq reload_same_weights(const TensorFile& file, const Seq2Seq& network);

}  // namespace nmt
