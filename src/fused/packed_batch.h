#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fused/packed_sequences.h"
#include "kernels/attention_row.h"
#include "kernels/token_loss_row.h"

namespace nmt {

/// The attention that a pair's word alignment prescribes; see guided_alignment_loss() in nn/loss.h.
struct GuidedAlignment {
  const float* rows = nullptr;  // of each target token, source_length numbers; null: none
  int64_t stride = 0;           // from row to row
  float weight = 0.0F;          // of the loss
};

/// Token ids of a sentence pair as training sees it; all at least one token long.
struct TokenPairView {
  const int64_t* source = nullptr;
  int64_t source_length = 0;
  const int64_t* target_input = nullptr;   // BOS y_1 … y_n
  const int64_t* target_output = nullptr;  // y_1 … y_n EOS
  int64_t target_length = 0;               // n + 1
  TokenWeights weights = {};               // of the loss of its tokens
  // The source is that of the previous pair, and is encoded once, with one dropout mask; this pair
  // is a further target of it, which the reported loss does not count.
  bool shares_source = false;
  GuidedAlignment alignment = {};
};

/// How targets are packed.
enum class TargetLayout {
  kSequences,
  kPrefixTrees,  // targets of one source share the rows of their common prefixes
};

/// Sentence pairs without any padding; source and target are each packed in their own order. A
/// source with several targets is packed once. Pairs of equal lengths stay in their order. Places
/// (PackedSequences) are those of `source` throughout, also for target rows, whose own order
/// differs.
struct PackedBatch {
  /// One more target of a row of a prefix tree.
  struct FurtherTarget {
    int64_t row;
    size_t pair;
    int64_t token;
  };

  PackedSequences source;
  PackedSequences target;              // kPrefixTrees: only step_begin is set
  std::vector<int64_t> source_ids;     // [source rows]
  std::vector<int64_t> places;         // [source rows] the place of the row's sentence
  std::vector<int64_t> target_input;   // [target rows]
  std::vector<int64_t> target_output;  // [target rows]
  std::vector<int64_t> parents;        // [target rows] the row of the step before; −1 at step 0
  std::vector<int64_t> source_places;  // [target rows] the place of the row's source
  std::vector<size_t> pairs;           // [target rows] the first pair that the row belongs to
  std::vector<FurtherTarget> further_targets;  // by row

  std::vector<TokenWeights> weights;        // [B] of each pair's loss
  std::vector<GuidedAlignment> alignments;  // [B]
  std::vector<const float*> guides;         // [target rows] of the alignment, or null
  std::vector<bool> is_counted;             // [B] whether the reported loss counts the pair

  /// Target rows, ascending and after the first step, that are fed the model's own likeliest token
  /// in place of target_input: scheduled sampling.
  std::vector<int64_t> own_inputs;

  std::vector<size_t> source_of;     // [B] the source of each pair
  std::vector<int32_t> source_rows;  // of the source at each place, one after the other
  std::vector<int64_t> rows_begin;   // [sources + 1] into source_rows

  /// The source rows that a target row attends to.
  AttendedRows attended(int64_t target_row) const {
    const auto place = static_cast<size_t>(source_places[static_cast<size_t>(target_row)]);
    return {source_rows.data() + rows_begin[place], rows_begin[place + 1] - rows_begin[place]};
  }
};

PackedBatch pack_batch(const std::vector<TokenPairView>& pairs,
                       TargetLayout layout = TargetLayout::kSequences);

}  // namespace nmt
