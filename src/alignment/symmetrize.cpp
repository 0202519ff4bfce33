#include "alignment/symmetrize.h"

#include <algorithm>
#include <iterator>

namespace nmt {
namespace {

/// The links so far, and which words have one.
class GrowingAlignment {
 public:
  explicit GrowingAlignment(const LinkSet& links) {
    for (const auto& link : links) add(link);
  }

  void add(const LinkSet::value_type& link) {
    links_.insert(link);
    sources_.insert(link.first);
    targets_.insert(link.second);
  }

  bool has_source(int64_t word) const { return sources_.count(word) > 0; }
  bool has_target(int64_t word) const { return targets_.count(word) > 0; }
  const LinkSet& links() const { return links_; }

 private:
  LinkSet links_;
  std::set<int64_t> sources_;
  std::set<int64_t> targets_;
};

/// Visits links in order of source and target words until nothing is added. A pass also visits
/// links that it adds further on.
void grow_diagonally(const LinkSet& either, GrowingAlignment& alignment) {
  static constexpr std::pair<int64_t, int64_t> kNeighbors[] = {{-1, 0},  {0, -1}, {1, 0},  {0, 1},
                                                               {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [source, target] : alignment.links()) {
      for (const auto& [right, down] : kNeighbors) {
        const auto link = std::make_pair(source + right, target + down);
        if (either.count(link) == 0) continue;
        if (alignment.has_source(link.first) && alignment.has_target(link.second)) continue;
        alignment.add(link);
        grew = true;
      }
    }
  }
}

void add_between_unaligned(const LinkSet& links, GrowingAlignment& alignment) {
  for (const auto& link : links) {
    if (alignment.has_source(link.first) || alignment.has_target(link.second)) continue;
    alignment.add(link);
  }
}

}  // namespace

LinkSet symmetrize(const LinkSet& forward, const LinkSet& backward, Symmetrization method) {
  LinkSet both;
  std::set_intersection(forward.begin(), forward.end(), backward.begin(), backward.end(),
                        std::inserter(both, both.end()));
  if (method == Symmetrization::kIntersection) return both;
  auto either = forward;
  either.insert(backward.begin(), backward.end());
  if (method == Symmetrization::kUnion) return either;
  GrowingAlignment alignment(both);
  grow_diagonally(either, alignment);
  add_between_unaligned(forward, alignment);
  add_between_unaligned(backward, alignment);
  return alignment.links();
}

}  // namespace nmt
