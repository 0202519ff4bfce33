#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/seq2seq_options.h"

namespace nmt {

struct ParameterShape {
  std::string name;  // in the state_dict
  std::vector<int64_t> shape;
};

/// The parameters of the network that these options describe, without building it, so that a file
/// can be compared with them before a damaged configuration allocates memory. The options must be
/// validated (config/validate.h), since an absurd number of layers would fill the memory.
std::vector<ParameterShape> parameter_shapes(const Seq2SeqOptions& options);

/// "[2, 3]"
std::string shape_text(const std::vector<int64_t>& shape);

/// Whether `name` is a further name of a tied matrix, which is stored under another one. A language
/// model has no source embedding to tie to.
bool is_tied_copy(const std::string& name, const ModelConfig& model);

}  // namespace nmt
