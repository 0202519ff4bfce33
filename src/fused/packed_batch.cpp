#include "fused/packed_batch.h"

#include <utility>

namespace nmt {
namespace {

void list_source_rows(PackedBatch& batch) {
  batch.rows_begin.push_back(0);
  batch.places.resize(static_cast<size_t>(batch.source.num_rows()));
  for (size_t place = 0; place < batch.source.order.size(); ++place) {
    for (int64_t step = 0; step < batch.source.lengths[place]; ++step) {
      const int64_t row = batch.source.first_row(step) + static_cast<int64_t>(place);
      batch.source_rows.push_back(static_cast<int32_t>(row));
      batch.places[static_cast<size_t>(row)] = static_cast<int64_t>(place);
    }
    batch.rows_begin.push_back(static_cast<int64_t>(batch.source_rows.size()));
  }
}

/// Appends the targets' rows to a batch.
class TargetRows {
 public:
  TargetRows(const std::vector<TokenPairView>& pairs, PackedBatch& batch)
      : pairs_(pairs), batch_(batch), place_of_(batch.source.places()) {}

  void add_sequences() {
    std::vector<int64_t> lengths;
    for (const auto& pair : pairs_) lengths.push_back(pair.target_length);
    batch_.target = pack_sequences(lengths);
    const auto& target = batch_.target;
    target.for_each_row([&](size_t pair, int64_t step, int64_t place) {
      add(pair, step, step == 0 ? -1 : target.first_row(step - 1) + place);
    });
  }

  /// Adds step by step: a step's rows are the children of the previous step's rows, in the same
  /// order.
  void add_prefix_trees() {
    std::vector<Node> nodes;
    for (size_t pair = 0; pair < pairs_.size(); ++pair) {
      if (!pairs_[pair].shares_source) nodes.push_back({-1, {}});
      nodes.back().pairs.push_back(pair);
    }
    batch_.target.step_begin.push_back(0);
    for (int64_t step = 0; !nodes.empty(); ++step) {
      std::vector<Node> children;
      for (const auto& node : nodes) {
        const int64_t row = num_rows();
        add(node.pairs.front(), step, node.parent);
        for (size_t i = 1; i < node.pairs.size(); ++i) {
          const size_t pair = node.pairs[i];
          batch_.further_targets.push_back({row, pair, pairs_[pair].target_output[step]});
        }
        add_children(node, row, step + 1, children);
      }
      batch_.target.step_begin.push_back(num_rows());
      nodes = std::move(children);
    }
  }

 private:
  struct Node {
    int64_t parent;             // its row
    std::vector<size_t> pairs;  // whose targets have this prefix
  };

  int64_t num_rows() const { return static_cast<int64_t>(batch_.parents.size()); }

  void add(size_t pair, int64_t step, int64_t parent) {
    batch_.target_input.push_back(pairs_[pair].target_input[step]);
    batch_.target_output.push_back(pairs_[pair].target_output[step]);
    batch_.parents.push_back(parent);
    batch_.source_places.push_back(place_of_[batch_.source_of[pair]]);
    batch_.pairs.push_back(pair);
    const auto& alignment = pairs_[pair].alignment;
    batch_.guides.push_back(alignment.rows == nullptr ? nullptr
                                                      : alignment.rows + step * alignment.stride);
  }

  void add_children(const Node& node, int64_t row, int64_t step,
                    std::vector<Node>& children) const {
    const size_t first = children.size();
    for (const size_t pair : node.pairs) {
      if (pairs_[pair].target_length <= step) continue;
      const auto input = [&](size_t of) { return pairs_[of].target_input[step]; };
      size_t child = first;
      while (child < children.size() && input(children[child].pairs.front()) != input(pair)) {
        ++child;
      }
      if (child == children.size()) children.push_back({row, {}});
      children[child].pairs.push_back(pair);
    }
  }

  const std::vector<TokenPairView>& pairs_;
  PackedBatch& batch_;
  std::vector<int64_t> place_of_;  // of each source
};

}  // namespace

PackedBatch pack_batch(const std::vector<TokenPairView>& pairs, TargetLayout layout) {
  std::vector<const int64_t*> sources;
  std::vector<int64_t> source_lengths;
  PackedBatch batch;
  for (const auto& pair : pairs) {
    if (!pair.shares_source) {
      sources.push_back(pair.source);
      source_lengths.push_back(pair.source_length);
    }
    batch.source_of.push_back(sources.size() - 1);
    batch.weights.push_back(pair.weights);
    batch.alignments.push_back(pair.alignment);
    batch.is_counted.push_back(!pair.shares_source);
  }
  batch.source = pack_sequences(source_lengths);
  batch.source.for_each_row([&](size_t source, int64_t step, int64_t) {
    batch.source_ids.push_back(sources[source][step]);
  });
  list_source_rows(batch);
  TargetRows rows(pairs, batch);
  layout == TargetLayout::kSequences ? rows.add_sequences() : rows.add_prefix_trees();
  return batch;
}

}  // namespace nmt
