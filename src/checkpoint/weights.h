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

/// The parameters under their state_dict names. Throws Error if a value is not finite in
/// `precision`; kF32 is not checked.
std::vector<NamedTensor> pack_weights(const Seq2Seq& network, Precision precision);

/// Fills the network from a file that holds exactly its parameters (checkpoint/stored_weights.h).
/// Throws Error.
void fill_weights(const Seq2Seq& network, const StoredTensors& file);

}  // namespace nmt
