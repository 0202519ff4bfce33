#pragma once

#include <map>
#include <string>

#include "kernels/matrix.h"

namespace nmt {

/// A parameter and the place where its gradient is summed. A bias is a single row.
struct Parameter {
  ConstMatrix value;
  Matrix gradient;
};

/// By the names of the model's state_dict.
using ParameterTable = std::map<std::string, Parameter>;

}  // namespace nmt
