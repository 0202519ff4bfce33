#pragma once

#include <cstdint>
#include <vector>

#include "fused/buffer.h"
#include "fused/inference_model.h"
#include "kernels/attention_row.h"

namespace nmt {

/// Floats of padding per row of keys and values: rows a multiple of 4 KiB apart would share few
/// sets of the processor's cache.
constexpr int64_t kRowGap = 16;

/// Keys and values of the target positions decoded so far, in every layer. A hypothesis is a list
/// of slots, one for each position; hypotheses with common ancestors share slots, so reordering a
/// beam copies lists of integers but no keys.
class KeyValueCache {
 public:
  KeyValueCache(int64_t layers, int64_t size);

  /// Appends a position to the hypothesis of each row's parent, or to an empty one, and frees the
  /// slots that no row uses any more.
  void advance(const std::vector<DecoderRow>& rows);

  /// The position that the last advance() has appended, from 0.
  int64_t position(size_t row) const { return slots(row).size - 1; }

  /// Where key and value [H] of that position go.
  float* key(size_t layer, size_t row) { return keys(layer).row(newest(row)); }
  float* value(size_t layer, size_t row) { return values(layer).row(newest(row)); }

  /// [slots, H]
  Matrix keys(size_t layer) const { return layers_[layer].matrix().column_range(0, size_); }
  Matrix values(size_t layer) const { return layers_[layer].matrix().column_range(size_, size_); }

  /// All positions of a row's hypothesis, the newest last.
  AttendedRows slots(size_t row) const {
    return {slots_.data() + begin_[row], begin_[row + 1] - begin_[row]};
  }

 private:
  int32_t newest(size_t row) const { return slots_[static_cast<size_t>(begin_[row + 1] - 1)]; }
  void copy_histories(const std::vector<DecoderRow>& rows);
  void find_free_slots(size_t count);

  int64_t size_;                // H
  std::vector<Buffer> layers_;  // [slots, 2H and a gap]
  std::vector<int32_t> slots_;  // of all rows, one after the other
  std::vector<int64_t> begin_;  // [N + 1] into slots_
  std::vector<int32_t> parent_slots_;
  std::vector<int64_t> parent_begin_;
  std::vector<bool> is_used_;  // [slots]
  std::vector<int32_t> free_;
};

}  // namespace nmt
