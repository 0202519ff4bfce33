#include "markup/tag_placement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

// Elements moved into one sibling; without a limit, each could go into the one before.
constexpr size_t kMaxMoved = 50;
constexpr size_t kDivided = kNoElement - 1;  // owner of a word with elements around parts of it
constexpr double kMinAttention = 0.2;
constexpr double kFreeWord = 0.2;  // attention that a word without a tag may lack

size_t overlap(const Extent& a, const Extent& b) {
  const size_t begin = std::max(a.begin, b.begin);
  const size_t end = std::min(a.end, b.end);
  return end > begin ? end - begin : 0;
}

/// Whether a character is punctuation between words, not part of one.
bool is_mark(char32_t code) {
  return is_punctuation(code) && !is_one_of(code, U"#%&'*-/@\\_\u2019\u2030");
}

/// Whether no letter or digit precedes or follows these bytes.
bool stands_alone(std::string_view text, size_t begin, size_t size) {
  return !is_alphanumeric(last_code(text.substr(0, begin))) &&
         !is_alphanumeric(first_code(text.substr(begin + size)));
}

size_t leading_marks(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && is_mark(first_code(text.substr(length)))) {
    length += character_length(text, length);
  }
  return length;
}

size_t trailing_marks(std::string_view text) {
  auto rest = text;
  while (is_mark(last_code(rest))) rest.remove_suffix(last_character_length(rest));
  return text.size() - rest.size();
}

class TagPlacement {
 public:
  TagPlacement(const Segment& segment, const AlignedWords& words)
      : segment_(segment),
        words_(words),
        targets_of_(words.source.size()),
        owner_(words.target.size(), kNoElement),
        children_(segment.elements.size() + 1),
        runs_(segment.elements.size() + 1),
        items_(segment.elements.size() + 1) {
    cores_.reserve(words.source.size());
    for (const auto& word : words.source) cores_.push_back(core_of(word));
    for (size_t t = 0; t < words.target.size(); ++t) targets_of_[words.source_of[t]].push_back(t);
    for (size_t e = 0; e < segment.elements.size(); ++e) {
      const size_t parent = segment.elements[e].parent;
      children_[parent == kNoElement ? root() : parent].push_back(e);
    }
  }

  std::vector<std::vector<TagRun>> place() {
    runs_[root()] = {{root(), 0, words_.target.size(), 0, 0, false}};
    std::vector<size_t> parents = {root()};  // not recursive: tags may be nested deeply
    while (!parents.empty()) {
      const size_t parent = parents.back();
      parents.pop_back();
      place_children(parent);
      for (const size_t child : children_[parent]) {
        if (!is_point(child)) parents.push_back(child);
      }
    }
    return std::move(items_);
  }

 private:
  size_t root() const { return segment_.elements.size(); }
  const InlineElement& element(size_t e) const { return segment_.elements[e]; }
  bool is_point(size_t e) const { return element(e).placement == Placement::kPoint; }

  /// Whether a child came from the parent's siblings because it had no words.
  bool is_moved(size_t parent, size_t e) const { return element(e).parent != as_owner(parent); }

  /// The owner of an element's words that no child has.
  size_t as_owner(size_t e) const { return e == root() ? kNoElement : e; }

  void place_children(size_t parent) {
    auto& children = children_[parent];
    auto wanted = words_of(parent, children);
    std::vector<size_t> order;
    for (size_t i = 0; i < children.size(); ++i) {
      if (is_point(children[i])) continue;
      const bool placed = !is_moved(parent, children[i]) && place_within_word(parent, children[i]);
      if (!placed) order.push_back(i);
    }
    const auto is_single = [&](size_t i) {
      return element(children[i]).placement != Placement::kRepeated;
    };
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      if (is_single(a) != is_single(b)) return is_single(a);
      return is_single(a) && wanted[a].size() > wanted[b].size();
    });
    std::vector<size_t> without;
    for (const size_t i : order) {
      auto& targets = wanted[i];
      remove_taken(parent, targets);
      if (targets.empty()) {
        without.push_back(children[i]);
      } else if (is_single(i)) {
        add_run(parent, children[i], best_run(parent, children[i], targets));
      } else {
        add_runs(parent, children[i], targets);
      }
    }
    for (const size_t child : without) place_nearest(parent, child);
    for (const size_t child : children) {
      if (!is_point(child)) continue;
      const bool placed = !element(child).is_half && place_point_within_word(parent, child);
      if (!placed) place_point(parent, child);
    }
    const auto is_gone = [&](size_t child) {
      return std::count(gone_.begin(), gone_.end(), child) > 0;
    };
    children.erase(std::remove_if(children.begin(), children.end(), is_gone), children.end());
    gone_.clear();
    auto& items = items_[parent];
    std::stable_sort(items.begin(), items.end(), [](const TagRun& a, const TagRun& b) {
      return std::tuple(a.begin, a.end > a.begin, a.lead) <
             std::tuple(b.begin, b.end > b.begin, b.lead);
    });
  }

  /// The target words that are aligned to each child's source words, in order.
  std::vector<std::vector<size_t>> words_of(size_t parent, const std::vector<size_t>& children) {
    std::vector<Extent> sources(children.size());
    size_t previous = kNoElement;  // the last child with words
    for (size_t i = 0; i < children.size(); ++i) {
      if (is_point(children[i]) || is_moved(parent, children[i])) continue;
      auto& source = sources[i] = source_words(children[i]);
      if (previous != kNoElement && source.size() > 0 && sources[previous].end > source.begin) {
        const auto& word = words_.source[source.begin];
        const bool mine = shared_with(children[i], word) > shared_with(children[previous], word);
        if (mine) {
          --sources[previous].end;
        } else {
          ++source.begin;
        }
      }
      if (source.size() > 0) previous = i;
    }
    std::vector<std::vector<size_t>> targets(children.size());
    for (size_t i = 0; i < children.size(); ++i) {
      auto& all = targets[i];
      for (size_t s = sources[i].begin; s < sources[i].end; ++s) {
        all.insert(all.end(), targets_of_[s].begin(), targets_of_[s].end());
      }
      remove_taken(parent, all);
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    return targets;
  }

  /// Whether no child of the parent has the target word.
  bool is_free(size_t parent, size_t t) const { return owner_[t] == as_owner(parent); }

  void remove_taken(size_t parent, std::vector<size_t>& targets) const {
    const auto is_taken = [&](size_t t) { return !is_free(parent, t); };
    targets.erase(std::remove_if(targets.begin(), targets.end(), is_taken), targets.end());
  }

  size_t shared_with(size_t e, const Extent& word) const {
    return overlap(word, {element(e).begin, element(e).end});
  }

  /// The source words that an element covers at least in part.
  Extent source_words(size_t e) const {
    const auto& source = words_.source;
    const auto first = std::partition_point(source.begin(), source.end(), [&](const Extent& word) {
      return word.end <= element(e).begin;
    });
    const auto last = std::partition_point(
        first, source.end(), [&](const Extent& word) { return word.begin < element(e).end; });
    return {static_cast<size_t>(first - source.begin()),
            static_cast<size_t>(last - source.begin())};
  }

  /// The bytes of a source word without the marks at its ends.
  Extent core_of(const Extent& word) const {
    auto text = source_text(word.begin, word.end);
    text.remove_suffix(trailing_marks(text));
    const size_t begin = word.begin + leading_marks(text);
    return {begin, word.begin + text.size()};
  }

  std::string_view text_of(size_t e) const {
    return trimmed(source_text(element(e).begin, element(e).end));
  }

  /// Places a point in a word that came through unchanged, or before the marks at a word's end.
  bool place_point_within_word(size_t parent, size_t e) {
    const auto after =
        std::partition_point(words_.source.begin(), words_.source.end(),
                             [&](const Extent& word) { return word.end <= element(e).begin; });
    if (after == words_.source.end() || after->begin >= element(e).begin) return false;
    const auto whole = source_text(after->begin, after->end);
    const auto rest = source_text(element(e).begin, after->end);
    auto& items = items_[parent];
    const auto s = static_cast<size_t>(after - words_.source.begin());
    const bool rest_is_marks = element(e).begin >= cores_[s].end;
    const auto& sentence = words_.sentences[sentence_of(element(e).begin)];
    auto targets = targets_of_[s];
    // The marks of the last word go to the last.
    const bool is_last = s + 1 == sentence.source.end && sentence.target.size() > 0;
    if (is_last) targets.push_back(sentence.target.end - 1);
    for (const size_t t : targets) {
      const std::string_view word = words_.target[t];
      const bool ends_so =
          word.size() > rest.size() && word.substr(word.size() - rest.size()) == rest;
      const size_t trail = ends_so ? rest.size() : trailing_marks(word);
      const bool ends_with_marks = trail > 0 && trail < word.size() && rest_is_marks;
      if (word != whole && !ends_with_marks) continue;
      const bool follows = !items.empty() && is_point(items.back().element) &&
                           items.back().begin == t && items.back().trail == trail;
      if (!is_free(parent, t) && !follows) continue;
      items.push_back({e, t, t + 1, word.size() - trail, trail, false});
      owner_[t] = kDivided;
      return true;
    }
    return false;
  }

  /// Places an element around a part of a word that came through unchanged, as 2 of H2O.
  bool place_within_word(size_t parent, size_t e) {
    const auto sources = source_words(e);
    const auto text = text_of(e);
    if (sources.size() != 1 || text.empty() || !children_[e].empty()) return false;
    if (text.size() >= words_.source[sources.begin].size()) return false;
    const auto& core = cores_[sources.begin];
    const auto whole = source_text(core.begin, core.end);
    for (const size_t t : targets_of_[sources.begin]) {
      const std::string_view word = words_.target[t];
      const bool is_divided = owner_[t] == kDivided;  // by the siblings before
      if (!is_free(parent, t) && !is_divided) continue;
      auto& items = items_[parent];
      const bool follows = is_divided && !items.empty() && items.back().begin == t;
      const size_t from = follows ? word.size() - items.back().trail : 0;
      const size_t found = word.find(text, from);
      if (found == std::string_view::npos || (is_divided && !follows)) continue;
      const bool unchanged =
          whole.size() > text.size() && word.find(whole) != std::string_view::npos;
      if (!unchanged && !stands_alone(word, found, text.size())) continue;
      items.push_back({e, t, t + 1, found, word.size() - found - text.size(), false});
      owner_[t] = kDivided;
      return true;
    }
    return false;
  }

  /// The run with the most of these words minus other words; among equal ones the longest, and
  /// among these the one with the most attention to the element.
  Extent best_run(size_t parent, size_t e, const std::vector<size_t>& targets) const {
    const bool verbatim = element(e).placement == Placement::kVerbatim;
    const auto source = source_words(e);
    Extent best;
    Extent run;
    size_t best_score = 0;
    size_t score = 0;
    double most_attention = 0.0;
    double sum = 0.0;
    for (const size_t t : targets) {
      const size_t others = run.size() == 0 ? 0 : t - run.end;
      const bool joins = run.size() > 0 && score >= others && (others == 0 || !verbatim) &&
                         is_free(parent, run.end, t);
      if (joins) {
        score = score - others + 1;
        run.end = t + 1;
      } else {
        score = 1;
        run = {t, t + 1};
        sum = 0.0;
      }
      sum += attention(sentence_of_target(t), t, source);
      if (std::tuple(score, run.size(), sum) >
          std::tuple(best_score, best.size(), most_attention)) {
        best = run;
        best_score = score;
        most_attention = sum;
      }
    }
    return best;
  }

  bool is_free(size_t parent, size_t begin, size_t end) const {
    for (size_t t = begin; t < end; ++t) {
      if (!is_free(parent, t)) return false;
    }
    return true;
  }

  void add_runs(size_t parent, size_t e, const std::vector<size_t>& targets) {
    for (size_t i = 0; i < targets.size();) {
      size_t last = i + 1;
      while (last < targets.size() && targets[last] == targets[last - 1] + 1) ++last;
      add_run(parent, e, {targets[i], targets[last - 1] + 1});
      i = last;
    }
  }

  std::string_view source_text(size_t begin, size_t end) const {
    return std::string_view(segment_.text).substr(begin, end - begin);
  }

  /// How many bytes of the first target word of a run stay before the tag: in a word that came
  /// through unchanged, those that preceded the tag; otherwise punctuation, unless the element
  /// begins with some.
  size_t lead_of(size_t e, size_t t) const {
    const std::string_view target = words_.target[t];
    const auto& word = words_.source[words_.source_of[t]];
    const bool divided = word.begin < element(e).begin && element(e).begin < word.end;
    const auto outside = divided ? source_text(word.begin, element(e).begin) : std::string_view();
    if (divided && target == source_text(word.begin, word.end)) return outside.size();
    const size_t marks = leading_marks(target);
    return leading_marks(text_of(e)) == 0 ? marks : std::min(marks, leading_marks(outside));
  }

  /// Whether the element ends with a picture or other element without text. Punctuation that only
  /// the translation has stays next to the last word.
  bool ends_with_point(size_t e) const {
    const auto& children = children_[e];
    return !children.empty() && is_point(children.back()) &&
           element(children.back()).begin == element(e).end;
  }

  /// The same as lead_of() for the end of a run.
  size_t trail_of(size_t e, size_t t) const {
    const std::string_view target = words_.target[t];
    const auto& word = words_.source[words_.source_of[t]];
    const bool divided = word.begin < element(e).end && element(e).end < word.end;
    const auto outside = divided ? source_text(element(e).end, word.end) : std::string_view();
    if (divided && target == source_text(word.begin, word.end)) return outside.size();
    if (leading_marks(outside) == 0 && ends_with_point(e)) return 0;
    const size_t marks = trailing_marks(target);
    return trailing_marks(text_of(e)) == 0 ? marks : std::min(marks, trailing_marks(outside));
  }

  void add_run(size_t parent, size_t e, const Extent& run) {
    TagRun item = {e, run.begin, run.end, lead_of(e, run.begin), trail_of(e, run.end - 1), false};
    const size_t first = words_.target[run.begin].size();
    const size_t last = words_.target[run.end - 1].size();
    const bool nothing_left = item.lead == first || item.trail == last ||
                              (run.size() == 1 && item.lead + item.trail >= first);
    if (nothing_left) item.lead = item.trail = 0;
    std::fill(owner_.begin() + static_cast<std::ptrdiff_t>(run.begin),
              owner_.begin() + static_cast<std::ptrdiff_t>(run.end), e);
    items_[parent].push_back(item);
    runs_[e].push_back(item);
  }

  /// The sentence that contains that byte of the source or, between sentences, the one before it.
  size_t sentence_of(size_t at) const {
    return last_sentence([&](const AlignedWords::Sentence& sentence) {
      return words_.source[sentence.source.begin].begin <= at;
    });
  }

  size_t sentence_of_target(size_t t) const {
    return last_sentence(
        [&](const AlignedWords::Sentence& sentence) { return sentence.target.begin <= t; });
  }

  /// The last sentence that begins as `begins` says, or the first.
  template <typename Begins>
  size_t last_sentence(const Begins& begins) const {
    const auto& all = words_.sentences;
    const auto after = std::partition_point(all.begin() + 1, all.end(), begins);
    return static_cast<size_t>(after - all.begin()) - 1;
  }

  /// Places a kVerbatim element in place of equal text, which the translation would otherwise
  /// contain twice.
  bool place_equal(size_t parent, size_t e) {
    const auto text = text_of(e);
    if (text.empty()) return false;
    const auto& target = words_.sentences[sentence_of(element(e).begin)].target;
    const auto num_words = static_cast<size_t>(std::count(text.begin(), text.end(), ' ')) + 1;
    for (const auto& run : runs_[parent]) {
      const size_t end = std::min(run.end, target.end);
      for (size_t t = std::max(run.begin, target.begin); t + num_words <= end; ++t) {
        auto words = words_.target[t];
        const bool begins = words.find(text.substr(0, text.find(' '))) != std::string::npos;
        if (!begins || !is_free(parent, t, t + num_words)) continue;
        for (size_t next = t + 1; next < t + num_words; ++next) words += " " + words_.target[next];
        const size_t found = words.find(text);
        if (found == std::string::npos || !stands_alone(words, found, text.size())) continue;
        const size_t trail = words.size() - found - text.size();
        std::fill_n(owner_.begin() + static_cast<std::ptrdiff_t>(t), num_words, e);
        items_[parent].push_back({e, t, t + num_words, found, trail, false});
        return true;
      }
    }
    return false;
  }

  /// An element without aligned words takes the word with most attention to it, or goes into the
  /// sibling that has that word, except that no link goes into another. Formatting that receives
  /// hardly any attention stays empty, as does that of a part of the sibling's word.
  void place_nearest(size_t parent, size_t e) {
    if (element(e).placement == Placement::kVerbatim) {
      if (!place_equal(parent, e)) place_point(parent, e);
      return;
    }
    const auto nearest = nearest_word(parent, e);
    if (!nearest) return place_point(parent, e);
    const bool optional = element(e).placement == Placement::kRepeated;
    const size_t sentence = sentence_of(element(e).begin);
    if (optional && attention(sentence, *nearest, source_words(e)) < kMinAttention) {
      return place_point(parent, e);
    }
    const size_t owner = owner_[*nearest];
    if (is_free(parent, *nearest)) {
      add_run(parent, e, {*nearest, *nearest + 1});
    } else if (owner < root() && element(owner).placement != Placement::kVerbatim &&
               children_[owner].size() < kMaxMoved &&
               !(optional && overlap(source_words(owner), source_words(e)) > 0)) {
      children_[owner].push_back(e);
      gone_.push_back(e);
    } else {
      place_point(parent, e);
    }
  }

  /// Whether a child that is a link has the word.
  bool is_in_link(size_t parent, size_t t) const {
    const size_t owner = owner_[t];
    return !is_free(parent, t) && owner < root() && element(owner).placement == Placement::kLink;
  }

  std::optional<size_t> nearest_word(size_t parent, size_t e) const {
    const size_t index = sentence_of(element(e).begin);
    const auto& sentence = words_.sentences[index];
    const auto source = source_words(e);
    std::optional<size_t> nearest;
    double most = -std::numeric_limits<double>::infinity();
    for (const auto& run : runs_[parent]) {
      const size_t begin = std::max(run.begin, sentence.target.begin);
      for (size_t t = begin; t < std::min(run.end, sentence.target.end); ++t) {
        if (element(e).holds_link && is_in_link(parent, t)) continue;
        double weight = is_free(parent, t) ? kFreeWord : 0.0;
        weight += attention(index, t, source);
        if (weight <= most) continue;
        most = weight;
        nearest = t;
      }
    }
    return nearest;
  }

  /// Attention of a target word to the source words, from 0 to 1; without attention, higher for
  /// nearer words.
  double attention(size_t index, size_t t, const Extent& source) const {
    const auto& sentence = words_.sentences[index];
    if (words_.attention[index] == nullptr) {
      const auto aligned = static_cast<double>(words_.source_of[t]);
      return 1.0 / (1.0 + std::abs(aligned - static_cast<double>(source.begin)));
    }
    const auto& row = (*words_.attention[index])[t - sentence.target.begin];
    const size_t first = sentence.source.begin;
    double sum = 0.0;
    for (size_t s = std::max(source.begin, first); s < std::min(source.end, first + row.size());
         ++s) {
      sum += static_cast<double>(row[s - first]);
    }
    return sum;
  }

  /// A point goes where words before it attend most to source words before it, and words after it
  /// to words after it; with no space before it, rather after the word that it followed. At a
  /// sentence's end it goes to the end of the translation, whatever its last words attend to.
  void place_point(size_t parent, size_t e) {
    const size_t place = element(e).begin;
    const auto& source = words_.source;
    const auto after = std::partition_point(source.begin(), source.end(),
                                            [&](const Extent& word) { return word.begin < place; });
    const auto num_before = static_cast<size_t>(after - source.begin());
    TagRun item = {e, best_boundary(parent, place, num_before), 0, 0, 0, false};
    item.end = item.begin;
    const char before = place > 0 ? segment_.text[place - 1] : '\0';
    item.after_gap = before == ' ' || before == '\t';
    auto& items = items_[parent];
    // Points at the same place keep their order.
    const bool follows = !items.empty() && is_point(items.back().element) &&
                         items.back().begin == item.begin && items.back().after_gap;
    item.after_gap = item.after_gap || follows;
    items.push_back(item);
  }

  size_t best_boundary(size_t parent, size_t place, size_t num_before) const {
    if (runs_[parent].empty()) return 0;
    const size_t index = sentence_of(place);
    const auto& sentence = words_.sentences[index];
    const size_t source_end = sentence.source.end;
    const bool ends_sentence =
        num_before > 0 && num_before == source_end && words_.source[source_end - 1].end <= place;
    const bool follows_word = num_before > 0 && words_.source[num_before - 1].end == place;
    std::optional<size_t> best;
    double most = 0.0;
    double score = 0.0;  // of the boundary, relative to the first one
    for (const auto& run : runs_[parent]) {
      const size_t begin = std::max(run.begin, sentence.target.begin);
      const size_t end = std::min(run.end, sentence.target.end);
      if (begin > end) continue;
      for (size_t t = begin; t <= end; ++t) {
        if (t > begin) score += lean(index, t - 1, num_before);
        const bool inside =
            t > run.begin && t < run.end && owner_[t - 1] == owner_[t] && !is_free(parent, t);
        double total = score;
        if (follows_word && t > begin) {
          total += 2 * attention(index, t - 1, {num_before - 1, num_before});
        }
        if (inside || (best && total <= most && !ends_sentence)) continue;
        best = t;
        most = total;
      }
    }
    return best.value_or(runs_[parent].front().begin);
  }

  /// How much more attention of a target word goes to source words before the boundary than after
  /// it.
  double lean(size_t index, size_t t, size_t boundary) const {
    if (words_.attention[index] == nullptr) return words_.source_of[t] < boundary ? 1.0 : -1.0;
    const auto& source = words_.sentences[index].source;
    return attention(index, t, {source.begin, boundary}) -
           attention(index, t, {boundary, source.end});
  }

  const Segment& segment_;
  const AlignedWords& words_;
  std::vector<std::vector<size_t>> targets_of_;  // of each source word
  std::vector<Extent> cores_;                    // of each source word
  std::vector<size_t> owner_;                    // of each target word: the element
  std::vector<std::vector<size_t>> children_;
  std::vector<size_t> gone_;  // the children that were moved down just now
  std::vector<std::vector<TagRun>> runs_;
  std::vector<std::vector<TagRun>> items_;
};

}  // namespace

std::vector<std::vector<TagRun>> place_tags(const Segment& segment, const AlignedWords& words) {
  return TagPlacement(segment, words).place();
}

}  // namespace nmt
