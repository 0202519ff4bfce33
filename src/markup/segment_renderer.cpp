#include "markup/segment_renderer.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "markup/markup_escapes.h"
#include "markup/tag_placement.h"

namespace nmt {
namespace {

class SegmentRenderer {
 public:
  SegmentRenderer(const Segment& segment, const AlignedWords& words)
      : segment_(segment), words_(words), items_(place_tags(segment, words)) {
    for (const auto& word : words.target) rest_.push_back({0, word.size()});
  }

  std::string render() {
    write_run(segment_.elements.size(), 0, words_.target.size());
    return std::move(out_);
  }

 private:
  /// Writes the words from `begin` to `end` with the tags in this element.
  void write_run(size_t parent, size_t begin, size_t end) {
    const auto& items = items_[parent];
    auto item = std::partition_point(items.begin(), items.end(),
                                     [&](const TagRun& run) { return run.begin < begin; });
    for (size_t t = begin;; ++t) {
      const bool within = t > begin && t < end;
      write_points(items, item, t, within);
      if (t == end) return;
      for (; item != items.end() && item->begin == t; ++item) {
        write_element(*item);
        t = item->end - 1;
      }
      write_word(t, rest_[t].end);
    }
  }

  /// Writes the points before a word and, within a run, the white space there.
  void write_points(const std::vector<TagRun>& items, std::vector<TagRun>::const_iterator& item,
                    size_t t, bool within) {
    const auto is_here = [&] { return item != items.end() && item->begin == t && item->end == t; };
    std::string gap = within ? words_.gaps[t] : "";
    for (; is_here(); ++item) {
      const auto& element = segment_.elements[item->element];
      // A line break stands for the space.
      const bool replaces = element.breaks_line && gap == " ";
      if (item->after_gap || replaces) write_gap(replaces ? "" : gap);
      if (item->after_gap || replaces) gap.clear();
      write_empty(item->element, within);
    }
    write_gap(gap);
  }

  void write_gap(const std::string& gap) {
    if (gap.find('\n') != std::string::npos) begins_line_ = true;
    out_ += gap;
  }

  /// An element without words.
  void write_empty(size_t e, bool within) {
    const auto& element = segment_.elements[e];
    const bool markdown = segment_.syntax == MarkupSyntax::kMarkdown ||
                          segment_.syntax == MarkupSyntax::kMarkdownTable;
    // Emphasis of nothing would be read as text.
    const bool shown = element.placement != Placement::kRepeated || !markdown;
    const bool is_word = element.placement == Placement::kVerbatim;
    if (is_word && !out_.empty() && out_.back() != ' ' && out_.back() != '\n') out_ += ' ';
    if (shown) out_ += element.opening;
    if (is_word && within) out_ += ' ';
    for (const auto& item : items_[e]) write_empty(item.element, false);
    if (shown) out_ += element.closing;
    if (element.breaks_line) begins_line_ = true;
  }

  void write_element(const TagRun& run) {
    const auto& element = segment_.elements[run.element];
    const size_t last = run.end - 1;
    write_word(run.begin, run.lead);
    auto& rest = rest_[last];
    const size_t end =
        std::max(rest.begin, std::min(rest.end, words_.target[last].size() - run.trail));
    const size_t whole_end = rest.end;
    rest.end = end;
    out_ += element.opening;
    if (element.placement != Placement::kVerbatim) write_run(run.element, run.begin, run.end);
    out_ += element.closing;
    rest = {end, whole_end};
  }

  /// Writes what is left of a word before that byte.
  void write_word(size_t t, size_t end) {
    auto& rest = rest_[t];
    end = std::min(end, rest.end);
    if (end <= rest.begin) return;
    const auto text = std::string_view(words_.target[t]).substr(rest.begin, end - rest.begin);
    out_ += escape_text(text, segment_.syntax, begins_line_);
    begins_line_ = false;
    rest.begin = end;
  }

  const Segment& segment_;
  const AlignedWords& words_;
  std::vector<std::vector<TagRun>> items_;
  std::vector<Extent> rest_;  // of each target word: the bytes still to write
  std::string out_;
  bool begins_line_ = true;
};

}  // namespace

std::string render_segment(const Segment& segment, const AlignedWords& words) {
  return SegmentRenderer(segment, words).render();
}

}  // namespace nmt
