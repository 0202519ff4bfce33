#pragma once

#include <cstdint>

#include "config/dropout_rates.h"
#include "kernels/matrix.h"

namespace nmt {

struct PackedBatch;

/// The places of dropout in the model (nn/recurrent_seq2seq.h); layers count from 0 within a site.
enum class DropoutSite {
  kSourceEmbedding,
  kTargetEmbedding,
  kEncoder,
  kDecoder,
  kAttentional,
  kEncoderState,  // h_{t−1}; each direction counts as a layer
  kDecoderState
};

/// Dropout of one batch. The mask is a function of the seed, the site and the row in packed order,
/// so the backward pass recomputes it. Variational dropout (nn/dropout.h) and dropout of states use
/// the place of the row's source sentence instead of the row: targets that share a source share
/// their masks.
struct Dropout {
  DropoutRates rates;
  uint64_t seed = 0;
  double word_probability = 0.0;   // of whole tokens
  double layer_probability = 0.0;  // of whole layers of a Transformer
  bool variational = false;
  const PackedBatch* batch = nullptr;  // gives the places; must outlive this

  /// The dropout of a model's settings, with this seed.
  static Dropout of(const ModelConfig& model, uint64_t seed);

  /// A copy with this batch.
  Dropout of(const PackedBatch& its_batch) const;

  /// Drops units of `values`, which are rows [first, first + values.rows) of all rows at that site.
  void apply(DropoutSite site, int64_t layer, int64_t first, Matrix values) const;

  /// Drops whole tokens (nn/dropout.h) of `embedded`, which are rows [first, first +
  /// embedded.rows).
  void apply_to_words(DropoutSite site, int64_t first, Matrix embedded) const;

  /// Whether a layer is skipped (Fan, Grave and Joulin 2020).
  bool skips_layer(DropoutSite site, int64_t layer) const;

 private:
  double rate(DropoutSite site) const;
};

/// Dropout of h_{t−1} where a layer's W_hh reads it (nn/recurrent.h).
struct StateDropout {
  Dropout dropout;
  DropoutSite site = DropoutSite::kDecoderState;
  int64_t layer = 0;

  bool acts() const { return dropout.rates.state > 0; }
  void apply(int64_t first, Matrix states) const { dropout.apply(site, layer, first, states); }
};

}  // namespace nmt
