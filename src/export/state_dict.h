#pragma once

#include <map>
#include <string>

#include "checkpoint/model.h"
#include "checkpoint/safetensors.h"
#include "nn/seq2seq.h"

namespace nmt {

/// Metadata of a weights file: settings, vocabulary sizes, nmt version.
std::map<std::string, std::string> describe_export(const Model& model);

/// A network with these options, filled from floating-point tensors of any width. A tied matrix may
/// be stored under just one of its names. `expected_by`, for messages, says where the options are
/// from. Before it allocates the network, throws Error in one line that lists the first few tensors
/// that are missing, unexpected, of another shape, not floating-point or not finite.
Seq2Seq load_state_dict(const TensorFile& file, const Seq2SeqOptions& options,
                        const std::string& expected_by);

/// Makes a network with the same options from `file`. Throws Error if a number differs from that of
/// `network`, or if a tensor is missing or unexpected.
Seq2Seq reload_same_weights(const TensorFile& file, const Seq2Seq& network);

}  // namespace nmt
