#include "fused/key_value_cache.h"

#include <algorithm>

namespace nmt {

KeyValueCache::KeyValueCache(int64_t layers, int64_t size)
    : size_(size), layers_(static_cast<size_t>(layers)), begin_(1) {
  for (auto& layer : layers_) layer.take(0, 2 * size + kRowGap);
}

void KeyValueCache::advance(const std::vector<DecoderRow>& rows) {
  copy_histories(rows);
  find_free_slots(rows.size());
  for (size_t row = 0; row < rows.size(); ++row) {
    slots_[static_cast<size_t>(begin_[row + 1] - 1)] = free_[row];
  }
}

/// Copies the slots of each row's parent and leaves a place for the row's new slot.
void KeyValueCache::copy_histories(const std::vector<DecoderRow>& rows) {
  slots_.swap(parent_slots_);
  begin_.swap(parent_begin_);
  slots_.clear();
  begin_.assign(1, 0);
  std::fill(is_used_.begin(), is_used_.end(), false);
  for (const auto& row : rows) {
    if (row.parent != DecoderRow::kBeginning) {
      const auto parent = static_cast<size_t>(row.parent);
      for (int64_t i = parent_begin_[parent]; i < parent_begin_[parent + 1]; ++i) {
        const int32_t slot = parent_slots_[static_cast<size_t>(i)];
        slots_.push_back(slot);
        is_used_[static_cast<size_t>(slot)] = true;
      }
    }
    slots_.push_back(-1);
    begin_.push_back(static_cast<int64_t>(slots_.size()));
  }
}

void KeyValueCache::find_free_slots(size_t count) {
  free_.clear();
  for (size_t slot = 0; slot < is_used_.size() && free_.size() < count; ++slot) {
    if (!is_used_[slot]) free_.push_back(static_cast<int32_t>(slot));
  }
  if (free_.size() == count) return;
  const size_t first = is_used_.size();
  const size_t size = std::max(2 * first, first + count);
  is_used_.resize(size);
  for (auto& layer : layers_) layer.extend(static_cast<int64_t>(size));
  for (size_t slot = first; free_.size() < count; ++slot) {
    free_.push_back(static_cast<int32_t>(slot));
  }
}

}  // namespace nmt
