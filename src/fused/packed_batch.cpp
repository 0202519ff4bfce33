#include "fused/packed_batch.h"

namespace nmt {
namespace {

/// Ids in packed order; `sequence(i)` is the first id of the i-th sequence.
template <typename Sequence>
std::vector<int64_t> pack_ids(const PackedSequences& packed, Sequence&& sequence) {
  std::vector<int64_t> ids(static_cast<size_t>(packed.num_rows()));
  for (int64_t step = 0; step < packed.num_steps(); ++step) {
    for (int64_t place = 0; place < packed.rows_at(step); ++place) {
      const auto* tokens = sequence(static_cast<size_t>(packed.order[static_cast<size_t>(place)]));
      ids[static_cast<size_t>(packed.first_row(step) + place)] = tokens[step];
    }
  }
  return ids;
}

void link_target_to_source(PackedBatch& batch) {
  const auto num_sources = batch.source.order.size();
  std::vector<int64_t> place_of(num_sources);
  for (size_t place = 0; place < num_sources; ++place) {
    place_of[static_cast<size_t>(batch.source.order[place])] = static_cast<int64_t>(place);
  }
  batch.rows_begin.push_back(0);
  for (const int64_t pair : batch.target.order) {
    const int64_t place = place_of[batch.source_of[static_cast<size_t>(pair)]];
    batch.source_place.push_back(place);
    for (int64_t step = 0; step < batch.source.lengths[static_cast<size_t>(place)]; ++step) {
      batch.source_rows.push_back(static_cast<int32_t>(batch.source.first_row(step) + place));
    }
    batch.rows_begin.push_back(static_cast<int64_t>(batch.source_rows.size()));
  }
}

}  // namespace

PackedBatch pack_batch(const std::vector<TokenPairView>& pairs) {
  std::vector<const int64_t*> sources;
  std::vector<int64_t> source_lengths;
  std::vector<int64_t> target_lengths;
  PackedBatch batch;
  for (const auto& pair : pairs) {
    if (!pair.shares_source) {
      sources.push_back(pair.source);
      source_lengths.push_back(pair.source_length);
    }
    batch.source_of.push_back(sources.size() - 1);
    target_lengths.push_back(pair.target_length);
    batch.weights.push_back(pair.weights);
    batch.is_counted.push_back(!pair.shares_source);
  }
  batch.source = pack_sequences(source_lengths);
  batch.target = pack_sequences(target_lengths);
  batch.source_ids = pack_ids(batch.source, [&](size_t i) { return sources[i]; });
  batch.target_input = pack_ids(batch.target, [&](size_t i) { return pairs[i].target_input; });
  batch.target_output = pack_ids(batch.target, [&](size_t i) { return pairs[i].target_output; });
  link_target_to_source(batch);
  return batch;
}

}  // namespace nmt
