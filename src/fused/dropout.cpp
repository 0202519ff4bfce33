#include "fused/dropout.h"

#include <cstddef>
#include <vector>

#include "fused/packed_batch.h"
#include "kernels/elementwise.h"
#include "numbers/mix_bits.h"

namespace nmt {
namespace {

/// SplitMix64 (Steele, Lea and Flood 2014): seeds that differ in one bit become unrelated.
uint64_t mixed(uint64_t x) { return mix_bits(x + 0x9E3779B97F4A7C15ULL); }

uint64_t seed_of(uint64_t seed, DropoutSite site, int64_t layer) {
  constexpr uint64_t kMaxLayers = 1024;
  const uint64_t place = static_cast<uint64_t>(site) * kMaxLayers + static_cast<uint64_t>(layer);
  return mixed(seed ^ mixed(place));
}

}  // namespace

Dropout Dropout::of(const ModelConfig& model, uint64_t seed) {
  return {dropout_rates(model), seed, model.word_dropout, model.layer_dropout,
          model.variational_dropout};
}

Dropout Dropout::of(const PackedBatch& its_batch) const {
  auto own = *this;
  own.batch = &its_batch;
  return own;
}

double Dropout::rate(DropoutSite site) const {
  switch (site) {
    case DropoutSite::kSourceEmbedding:
    case DropoutSite::kTargetEmbedding:
      return rates.embedding;
    case DropoutSite::kEncoder:
    case DropoutSite::kDecoder:
      return rates.recurrent;
    case DropoutSite::kAttentional:
      return rates.output;
    case DropoutSite::kEncoderState:
    case DropoutSite::kDecoderState:
      break;
  }
  return rates.state;
}

void Dropout::apply(DropoutSite site, int64_t layer, int64_t first, Matrix values) const {
  const auto probability = static_cast<float>(rate(site));
  if (probability == 0) return;
  const auto own_seed = seed_of(seed, site, layer);
  const bool of_state = site == DropoutSite::kEncoderState || site == DropoutSite::kDecoderState;
  if (!variational && !of_state) {
    drop_out(own_seed, probability, first, values);
    return;
  }
  const bool of_source = site == DropoutSite::kSourceEmbedding || site == DropoutSite::kEncoder ||
                         site == DropoutSite::kEncoderState;
  const auto& places = of_source ? batch->places : batch->source_places;
  for (int64_t row = 0; row < values.rows; ++row) {
    drop_out(own_seed, probability, places[static_cast<size_t>(first + row)],
             values.row_range(row, 1));
  }
}

bool Dropout::skips_layer(DropoutSite site, int64_t layer) const {
  if (layer_probability == 0) return false;
  constexpr int64_t kWholeLayers = 512;  // above the layer numbers of unit dropout
  float kept = 1.0F;
  drop_out(seed_of(seed, site, kWholeLayers + layer), static_cast<float>(layer_probability), 0,
           {&kept, 1, 1});
  return kept == 0.0F;
}

void Dropout::apply_to_words(DropoutSite site, int64_t first, Matrix embedded) const {
  if (word_probability == 0) return;
  constexpr int64_t kWords = 1;  // an embedding has no layers: 0 is that of its units
  std::vector<float> factors(static_cast<size_t>(embedded.rows), 1.0F);
  drop_out(seed_of(seed, site, kWords), static_cast<float>(word_probability), first,
           {factors.data(), embedded.rows, 1});
  for (int64_t row = 0; row < embedded.rows; ++row) {
    float* values = embedded.row(row);
    const float factor = factors[static_cast<size_t>(row)];
    for (int64_t i = 0; i < embedded.columns; ++i) values[i] *= factor;
  }
}

}  // namespace nmt
