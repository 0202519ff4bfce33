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

/// The parameters of the network of these options, without building it: a file is compared with
/// them before memory is allocated for a damaged configuration. Of settings that are validated
/// (config/validate.h), since an absurd number of layers would fill the memory.
std::vector<ParameterShape> parameter_shapes(const Seq2SeqOptions& options);

/// "[2, 3]"
std::string shape_text(const std::vector<int64_t>& shape);

/// Whether a tied matrix has this name besides the one it is counted under.
bool is_tied_copy(const std::string& name, TiedEmbeddings tied);

}  // namespace nmt
