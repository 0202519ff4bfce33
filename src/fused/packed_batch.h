#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fused/packed_sequences.h"
#include "kernels/attention_row.h"
#include "kernels/token_loss_row.h"

namespace nmt {

/// Token ids of a sentence pair as training sees it; all at least one token long.
struct TokenPairView {
  const int64_t* source = nullptr;
  int64_t source_length = 0;
  const int64_t* target_input = nullptr;   // BOS y_1 … y_n
  const int64_t* target_output = nullptr;  // y_1 … y_n EOS
  int64_t target_length = 0;               // n + 1
  TokenWeights weights = {};               // of the loss of its tokens
  // The source is that of the pair before, encoded once with one dropout; this is a further target,
  // which the reported loss does not count.
  bool shares_source = false;
};

/// Sentence pairs without any padding: source and target are packed each in its own order. Sources
/// with several targets are packed once. Pairs of equal lengths stay in their order.
struct PackedBatch {
  PackedSequences source;
  PackedSequences target;
  std::vector<int64_t> source_ids;     // [source rows]
  std::vector<int64_t> target_input;   // [target rows]
  std::vector<int64_t> target_output;  // [target rows]
  std::vector<TokenWeights> weights;   // [B] of each pair's loss
  std::vector<bool> is_counted;        // [B] whether the reported loss counts the pair

  /// Target rows, ascending and after the first step, that are fed the model's own likeliest token
  /// in place of target_input: scheduled sampling.
  std::vector<int64_t> own_inputs;

  std::vector<size_t> source_of;  // [B] the source of each pair

  // For the sentence at each place of the target: its place in the source, and its source rows.
  std::vector<int64_t> source_place;  // [B]
  std::vector<int32_t> source_rows;   // of all sentences, one after the other
  std::vector<int64_t> rows_begin;    // [B + 1] into source_rows

  AttendedRows attended(int64_t target_place) const {
    const int64_t begin = rows_begin[static_cast<size_t>(target_place)];
    return {source_rows.data() + begin, rows_begin[static_cast<size_t>(target_place) + 1] - begin};
  }
};

PackedBatch pack_batch(const std::vector<TokenPairView>& pairs);

}  // namespace nmt
