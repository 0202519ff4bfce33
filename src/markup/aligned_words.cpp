#include "markup/aligned_words.h"

#include <algorithm>

namespace nmt {
namespace {

/// The document's white space between two sentences.
std::string space_between(const Segment& segment, size_t begin, size_t end) {
  std::string bytes;
  const auto& spaces = segment.spaces;
  auto space = std::partition_point(spaces.begin(), spaces.end(),
                                    [&](const SourceSpace& one) { return one.at < begin; });
  for (; space != spaces.end() && space->at < end; ++space) {
    bytes += space->kind == BreakKind::kNone ? space->bytes : " ";
  }
  return bytes;
}

/// Whether there is a line break of the document, which needs no white space.
bool has_line_break(const Segment& segment, size_t begin, size_t end) {
  const auto& elements = segment.elements;
  auto element = std::partition_point(elements.begin(), elements.end(),
                                      [&](const auto& one) { return one.begin < begin; });
  while (element != elements.end() && element->begin <= end && !element->breaks_line) ++element;
  return element != elements.end() && element->begin <= end;
}

/// The position of each word in the text: in order, without overlaps.
std::vector<Extent> find_words(std::string_view text, const std::vector<std::string>& words) {
  auto written = word_extents(text);
  if (written.size() == words.size()) return written;
  std::vector<Extent> found;
  const auto end_last = [&](size_t end) {
    auto& last = found.back();
    while (end > last.begin && is_between_words(text[end - 1])) --end;
    last.end = end;
  };
  size_t at = 0;
  for (const auto& word : words) {
    while (at < text.size() && is_between_words(text[at])) ++at;
    const size_t begin = word.empty() ? std::string_view::npos : text.find(word, at);
    if (begin == std::string_view::npos) {
      found.push_back({at, at});
      continue;
    }
    // The text skipped belongs to words that do not occur literally.
    if (begin > at && !found.empty()) end_last(begin);
    const size_t first = found.empty() ? at : begin;
    at = begin + word.size();
    found.push_back({first, at});
  }
  if (found.empty()) found.push_back({0, 0});
  end_last(text.size());
  return found;
}

}  // namespace

AlignedWords align_words(const Segment& segment, const TextPieces& pieces,
                         const std::vector<const Translation*>& translations, size_t rank) {
  AlignedWords words;
  size_t at = pieces.between.front().size();
  size_t last_end = 0;
  for (size_t i = 0; i < pieces.sentences.size(); ++i) {
    const auto& sentence = pieces.sentences[i];
    const auto& translation = *translations[i];
    const auto& candidate = candidate_of(translation, rank);
    const size_t first_source = words.source.size();
    for (const auto& word : find_words(sentence, translation.source_words)) {
      words.source.push_back({at + word.begin, at + word.end});
    }
    const auto targets = find_words(candidate.text, candidate.words);
    const size_t num_source = words.source.size() - first_source;
    const size_t first_target = words.target.size();
    for (size_t t = 0; t < targets.size(); ++t) {
      const auto text = std::string_view(candidate.text);
      const size_t before = t == 0 ? 0 : targets[t - 1].end;
      std::string gap(text.substr(before, targets[t].begin - before));
      if (t == 0 && i > 0) {
        gap = space_between(segment, last_end, at);
        const bool needs_space =
            gap.empty() && !words.target.empty() && !has_line_break(segment, last_end, at);
        if (needs_space) gap = joint(words.target.back(), gap);
      }
      words.gaps.push_back(std::move(gap));
      words.target.emplace_back(text.substr(targets[t].begin, targets[t].size()));
      words.source_of.push_back(first_source + t * num_source / targets.size());
    }
    for (const auto& link : candidate.alignment) {
      const auto target = static_cast<size_t>(link.target);
      const auto source = static_cast<size_t>(link.source);
      if (target < targets.size() && source < num_source) {
        words.source_of[first_target + target] = first_source + source;
      }
    }
    words.sentences.push_back(
        {{first_source, words.source.size()}, {first_target, words.target.size()}});
    const bool fits = candidate.word_attention.size() == targets.size();
    words.attention.push_back(fits ? &candidate.word_attention : nullptr);
    last_end = at + sentence.size();
    at = last_end + pieces.between[i + 1].size();
  }
  return words;
}

}  // namespace nmt
