#include "text/unigram_sampling.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace nmt {
namespace {

// A piece that ends before a given atom, from atom `begin` on.
struct Edge {
  size_t begin = 0;
  double log_weight = 0.0;  // log Σ P(x)^power over the segmentations that end with it
};

// The place before an atom.
struct LatticeNode {
  std::vector<Edge> edges;  // pieces that end there
  double log_sum = 0.0;     // log of the sum of their weights
};

double log_sum(const std::vector<Edge>& edges) {
  double highest = edges.front().log_weight;
  for (const auto& edge : edges) highest = std::max(highest, edge.log_weight);
  double sum = 0.0;
  for (const auto& edge : edges) sum += std::exp(edge.log_weight - highest);
  return highest + std::log(sum);
}

void add_edges(const Atoms& atoms, const PieceTable& pieces, double power, size_t begin,
               std::vector<LatticeNode>& lattice) {
  const double before = lattice[begin].log_sum;
  if (atoms.is_symbol[begin]) {
    lattice[begin + 1].edges.push_back({begin, before});
    return;
  }
  const double single =
      pieces.score(atoms.range(begin, begin + 1)).value_or(pieces.unknown_score());
  lattice[begin + 1].edges.push_back({begin, before + power * single});
  for (size_t end = begin + 2; end <= atoms.size() && !atoms.is_symbol[end - 1]; ++end) {
    const auto text = atoms.range(begin, end);
    if (text.size() > pieces.longest_piece()) return;
    if (const auto score = pieces.score(text))
      lattice[end].edges.push_back({begin, before + power * *score});
  }
}

size_t draw_begin(const LatticeNode& node, Random& random) {
  double left = random.uniform();
  for (const auto& edge : node.edges) {
    left -= std::exp(edge.log_weight - node.log_sum);
    if (left < 0) return edge.begin;
  }
  return node.edges.back().begin;  // rounding: the probabilities may sum to slightly less than 1
}

}  // namespace

std::vector<std::string_view> sample_unigram(const Atoms& atoms, const PieceTable& pieces,
                                             double power, Random& random) {
  std::vector<LatticeNode> lattice(atoms.size() + 1);
  for (size_t begin = 0; begin < atoms.size(); ++begin) {
    add_edges(atoms, pieces, power, begin, lattice);
    lattice[begin + 1].log_sum = log_sum(lattice[begin + 1].edges);
  }
  std::vector<std::string_view> segmentation;
  for (size_t end = atoms.size(); end > 0;) {
    const size_t begin = draw_begin(lattice[end], random);
    segmentation.push_back(atoms.range(begin, end));
    end = begin;
  }
  std::reverse(segmentation.begin(), segmentation.end());
  return segmentation;
}

}  // namespace nmt
