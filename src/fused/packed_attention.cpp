#include "fused/packed_attention.h"

#include <algorithm>
#include <utility>

#include "fused/local_window.h"
#include "kernels/elementwise.h"
#include "kernels/matrix_product.h"

namespace nmt {
namespace {

/// a b, or whichever of the two has data.
ConstMatrix compose(ConstMatrix a, ConstMatrix b, Buffer& buffer) {
  if (a.data == nullptr || b.data == nullptr) return a.data == nullptr ? b : a;
  const auto product = buffer.take(a.rows, b.columns);
  multiply(a, b, product, WriteMode::kOverwrite);
  return product;
}

ConstMatrix transposed(ConstMatrix matrix, Buffer& buffer) {
  if (matrix.data == nullptr) return matrix;
  const auto result = buffer.take(matrix.columns, matrix.rows);
  transpose(matrix, result);
  return result;
}

void pack(ConstMatrix weight, WeightType type, std::optional<PackedWeight>& packed) {
  if (weight.data != nullptr) packed.emplace(weight, type);
}

}  // namespace

PackedAttention::PackedAttention(const AttentionForm& form, ConstMatrix context_weight,
                                 WeightType type)
    : attends_(form.attends),
      monotonic_(form.monotonic),
      score_{form.heads, form.scale, form.energy.value.data},
      location_(form.location.value) {
  if (!attends_) return;
  score_.coverage = compose(form.coverage.value,
                            form.coverage.exists() ? form.folded.value : ConstMatrix(), coverage_)
                        .data;
  Buffer transpose_buffer, product_buffer;
  pack(form.query.value, type, query_);
  pack(form.position.value, type, position_);
  center_ = form.center.value;
  pack(compose(transposed(form.folded.value, transpose_buffer), form.key.value, product_buffer),
       type, keys_);
  if (form.output.exists()) {
    pack(form.value.value, type, values_);
    pack(compose(context_weight, form.output.value, product_buffer), type, output_);
  } else {
    pack(compose(context_weight, form.value.value, product_buffer), type, values_);
  }
}

void PackedAttention::prepare(ConstMatrix states, Buffer& keys, Buffer& values) const {
  const auto project = [&](const std::optional<PackedWeight>& weight, Buffer& to) {
    const auto result = to.take(states.rows, states.columns);
    if (weight) {
      weight->multiply(states, result);
    } else {
      copy_rows(states, result);
    }
  };
  project(keys_, keys);
  project(values_, values);
}

/// The coverage of each row, from its parent's.
void PackedAttention::begin_coverage(const std::vector<Source>& sources, int64_t longest,
                                     Workspace& workspace) const {
  std::swap(workspace.attended_, workspace.attended_before_);
  const auto coverage =
      workspace.attended_.take_zeros(static_cast<int64_t>(sources.size()), longest);
  for (int64_t row = 0; row < coverage.rows; ++row) {
    const auto& source = sources[static_cast<size_t>(row)];
    if (source.parent < 0) continue;
    std::copy_n(workspace.attended_before_.matrix().row(source.parent), source.keys.rows,
                coverage.row(row));
  }
}

/// The positions of its source that a query sees.
AttendedRows PackedAttention::seen(int64_t row, AttendedRows source, Workspace& workspace) const {
  if (position_) {
    const float center = local_center(center_, workspace.positions_.matrix().row(row), source.size);
    return local_window(source, center, workspace.factors_.matrix().data);
  }
  if (monotonic_) return monotonic_window(source, workspace.steps_[static_cast<size_t>(row)]);
  if (location_.data != nullptr) source.size = std::min(source.size, location_.rows);
  return source;
}

void PackedAttention::attend(ConstMatrix decoder_states, const std::vector<Source>& sources,
                             Workspace& workspace, Matrix projected) const {
  const int64_t count = decoder_states.rows;
  const int64_t width = decoder_states.columns;
  int64_t longest = 0;
  workspace.steps_.swap(workspace.steps_before_);
  workspace.steps_.clear();
  for (const auto& source : sources) {
    longest = std::max(longest, source.keys.rows);
    const auto parent = static_cast<size_t>(source.parent);
    workspace.steps_.push_back(source.parent < 0 ? 0 : workspace.steps_before_[parent] + 1);
  }
  if (score_.coverage != nullptr) begin_coverage(sources, longest, workspace);
  auto queries = decoder_states;
  if (query_) {
    const auto own = workspace.queries_.take(count, width);
    query_->multiply(decoder_states, own);
    queries = own;
  }
  if (position_) position_->multiply(decoder_states, workspace.positions_.take(count, width));
  workspace.factors_.take(1, longest);
  const auto weights = workspace.weights_.take(count, longest);
  const auto contexts = workspace.contexts_.take(count, width);
  for (int64_t row = 0; row < count; ++row) {
    const auto& source = sources[static_cast<size_t>(row)];
    auto all = first_rows(source.keys.rows);
    if (score_.coverage != nullptr) all.coverage = workspace.attended_.matrix().row(row);
    const auto attended = seen(row, all, workspace);
    const bool one_head = score_.heads == 1;
    float* own_weights =
        one_head ? weights.row(row) : workspace.head_weights_.take(score_.heads, longest).data;
    if (attended.size < all.size) std::fill_n(own_weights, all.size, 0.0F);
    own_weights += attended.rows - all.rows;
    nmt::attend(score_, queries.row(row), location_.data == nullptr ? source.keys : location_,
                source.values, attended, own_weights, contexts.row(row));
    if (score_.coverage != nullptr) {
      float* so_far = workspace.attended_.matrix().row(row);
      for (int64_t i = 0; i < all.size; ++i) so_far[i] += own_weights[i];
    }
    if (!one_head) average_heads(score_.heads, attended.size, own_weights, weights.row(row));
  }
  if (output_) {
    const auto mixed = workspace.projected_.take(count, width);
    output_->multiply(contexts, mixed);
    add(mixed, projected);
  } else {
    add(contexts, projected);
  }
}

}  // namespace nmt
