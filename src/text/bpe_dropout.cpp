#include "text/bpe_dropout.h"

#include <cstddef>
#include <queue>
#include <tuple>

namespace nmt {
namespace {

// A merge of the piece of atoms [left, middle) with the piece [middle, right).
struct Merge {
  double score = 0.0;
  size_t left = 0;
  size_t middle = 0;
  size_t right = 0;

  // The best merge has the highest score; among equal scores the leftmost one.
  bool operator<(const Merge& other) const {
    return std::tie(score, other.left) < std::tie(other.score, left);
  }
};

}  // namespace

std::vector<std::string_view> bpe_dropout(const Atoms& atoms, const PieceTable& pieces,
                                          double dropout, Random& random) {
  const size_t size = atoms.size();
  std::vector<size_t> end(size);        // end of the piece that begins at an atom; 0: none does
  std::vector<size_t> begin(size + 1);  // beginning of the piece that ends before an atom
  for (size_t i = 0; i < size; ++i) {
    end[i] = i + 1;
    begin[i + 1] = i;
  }

  std::priority_queue<Merge> merges;
  const auto propose = [&](size_t left, size_t middle) {
    if (atoms.is_symbol[left] || atoms.is_symbol[middle]) return;
    const auto score = pieces.score(atoms.range(left, end[middle]));
    if (score) merges.push({*score, left, middle, end[middle]});
  };
  for (size_t i = 0; i + 1 < size; ++i) propose(i, i + 1);

  while (!merges.empty()) {
    const auto [score, left, middle, right] = merges.top();
    merges.pop();
    const bool outdated = end[left] != middle || end[middle] != right;
    if (outdated || random.uniform() < dropout) continue;
    end[left] = right;
    end[middle] = 0;
    begin[right] = left;
    if (left > 0) propose(begin[left], left);
    if (right < size) propose(left, right);
  }

  std::vector<std::string_view> segmentation;
  for (size_t i = 0; i < size; i = end[i]) segmentation.push_back(atoms.range(i, end[i]));
  return segmentation;
}

}  // namespace nmt
