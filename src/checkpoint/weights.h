#pragma once

#include <string>
#include <vector>

#include "checkpoint/safetensors.h"
#include "nn/seq2seq.h"

namespace nmt {

/// How numbers are stored. Computation is float32 always.
enum class Precision {
  kF32,
  kF16,
  kInt8,  // matrices: 8-bit integers and one float32 scale a row, NAME.scale; vectors: float32
};

/// "f32", "f16" or "int8". Throws UsageError.
Precision parse_precision(const std::string& name);

/// The parameters under their state_dict names. Throws Error when a value is beyond the precision's
/// range or no number.
std::vector<NamedTensor> pack_weights(const Seq2Seq& network, Precision precision);

/// Throws Error unless the file holds exactly the parameters of that network, in a precision that
/// can be read. `file` is not changed and nothing large is allocated.
void require_weights_of(const Seq2SeqOptions& options, const TensorFile& file);

/// Fills the network from the file, which must fit as require_weights_of says.
void fill_weights(const Seq2Seq& network, const TensorFile& file);

}  // namespace nmt
