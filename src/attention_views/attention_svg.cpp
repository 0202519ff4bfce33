#include "attention_views/attention_svg.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "attention_views/attention_box.h"
#include "pages/html.h"
#include "pages/text_width.h"
#include "unicode/characters.h"
#include "unicode/scripts.h"

namespace nmt {
namespace {

constexpr double kCell = 34;
constexpr double kBetweenCells = 2;
constexpr double kGap = 8;
constexpr double kWordSize = 14;
constexpr double kNumberSize = 12;
constexpr double kUprightLine = 16;
constexpr size_t kMaxWordColumns = 40;  // columns of text
constexpr int kMinLabelled = 5;         // percent
constexpr double kLightest = 0.04;      // opacities, as in attention.css
constexpr double kDarkest = 0.65;

/// Whether a word's script is also written from top to bottom.
bool stands_upright(const std::vector<Character>& characters) {
  return std::any_of(characters.begin(), characters.end(),
                     [](const Character& character) { return character.width > 1; });
}

double label_height(const std::string& word) {
  const auto characters = split_characters(word);
  return stands_upright(characters) ? kUprightLine * static_cast<double>(characters.size())
                                    : text_width(word, kWordSize);
}

/// As HTML. Right-to-left text is isolated (U+2068, U+2069): within SVG, marks at its end would
/// otherwise be drawn on the wrong side.
std::string label_text(const std::string& text) {
  return escape_html(has_right_to_left(text) ? "\u2068" + text + "\u2069" : text);
}

/// A source word above its column, which ends at `bottom`.
std::string column_label(const std::string& word, double middle, double bottom) {
  const auto characters = split_characters(word);
  if (!stands_upright(characters)) {
    return fmt::format("<text transform=\"translate({:g} {:g}) rotate(-90)\">",
                       middle + kWordSize / 3, bottom) +
           label_text(word) + "</text>\n";
  }
  std::string svg = "<text text-anchor=\"middle\">";
  double y = bottom + 0.2 * kWordSize - label_height(word);
  for (const auto& character : characters) {
    y += kUprightLine;
    svg += fmt::format("<tspan x=\"{:g}\" y=\"{:g}\">", middle, y - 0.25 * kWordSize) +
           escape_html(character.bytes) + "</tspan>";
  }
  return svg + "</text>\n";
}

std::string right_aligned_text(double x, double y, const std::string& attributes,
                               const std::string& text) {
  return fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"end\"", x, y) + attributes + ">" +
         label_text(text) + "</text>\n";
}

std::vector<std::string> labels_of(const std::vector<std::string>& words) {
  std::vector<std::string> labels;
  for (const auto& word : printable_all(words)) labels.push_back(shortened(word, kMaxWordColumns));
  return labels;
}

class Drawing {
 public:
  Drawing(const AttentionMatrix& matrix, const AxisTitles& titles)
      : matrix_(matrix),
        titles_({titles.source + " →", titles.target + " ↓"}),
        source_(labels_of(matrix.source)),
        target_(labels_of(matrix.target)) {
    const double widest_title = text_width({titles_.source, titles_.target}, kNumberSize);
    left_ = std::ceil(std::max(text_width(target_, kWordSize), widest_title)) + 2 * kGap;
    double highest = 3 * kNumberSize;  // the titles, one above the other
    for (const auto& word : source_) highest = std::max(highest, label_height(word));
    top_ = std::ceil(highest) + 2 * kGap;
  }

  double width() const { return left_ + kCell * static_cast<double>(source_.size()) + kGap; }
  double height() const { return top_ + kCell * static_cast<double>(target_.size()) + kGap; }

  std::string svg() const { return cells() + labels(); }

 private:
  double x_of(size_t column) const { return left_ + kCell * static_cast<double>(column); }
  double y_of(size_t row) const { return top_ + kCell * static_cast<double>(row); }

  /// All cells of one shade form one path, so the file stays small.
  std::string cells() const {
    std::map<int, std::string> shades;
    std::string numbers;
    const double side = kCell - kBetweenCells;
    for (size_t row = 0; row < matrix_.weights.size(); ++row) {
      for (size_t column = 0; column < matrix_.weights[row].size(); ++column) {
        const int share = percent_of(matrix_.weights[row][column]);
        shades[share] +=
            fmt::format("M{:g} {:g}h{:g}v{:g}h-{:g}z", x_of(column), y_of(row), side, side, side);
        if (share < kMinLabelled) continue;
        numbers += fmt::format("<text x=\"{:g}\" y=\"{:g}\">{}</text>", x_of(column) + side / 2,
                               y_of(row) + side / 2 + kNumberSize / 3, share);
      }
    }
    std::string svg;
    for (const auto& [share, path] : shades) {
      svg += fmt::format("<path class=\"weight\" fill-opacity=\"{:.2f}\" d=\"",
                         kLightest + (kDarkest - kLightest) * share / 100) +
             path + "\"/>\n";
    }
    return svg + fmt::format("<g font-size=\"{:g}\" text-anchor=\"middle\">", kNumberSize) +
           numbers + "</g>\n";
  }

  std::string labels() const {
    std::string svg;
    const double side = kCell - kBetweenCells;
    for (size_t i = 0; i < source_.size(); ++i) {
      svg += column_label(source_[i], x_of(i) + side / 2, top_ - kGap);
    }
    for (size_t i = 0; i < target_.size(); ++i) {
      svg += right_aligned_text(left_ - kGap, y_of(i) + side / 2 + kWordSize / 3, "", target_[i]);
    }
    const auto style = fmt::format(" class=\"quiet\" font-size=\"{:g}\"", kNumberSize);
    return svg +
           right_aligned_text(left_ - kGap, top_ - kGap - 1.5 * kNumberSize, style,
                              titles_.source) +
           right_aligned_text(left_ - kGap, top_ - kGap, style, titles_.target);
  }

  const AttentionMatrix& matrix_;
  AxisTitles titles_;
  std::vector<std::string> source_;
  std::vector<std::string> target_;
  double left_;
  double top_;
};

}  // namespace

SvgPicture attention_svg(const AttentionMatrix& matrix, const std::string& name, double top,
                         const AxisTitles& titles) {
  const Drawing drawing(matrix, titles);
  SvgPicture picture;
  picture.width = drawing.width();
  picture.height = drawing.height();
  picture.svg = fmt::format(
                    "<svg class=\"attention\" y=\"{:.1f}\" width=\"{:g}\" height=\"{:g}\" "
                    "viewBox=\"0 0 {:g} {:g}\" role=\"img\" font-size=\"{:g}\">",
                    top, picture.width, picture.height, picture.width, picture.height, kWordSize) +
                "<title>" + escape_html(name) + "</title>\n" + drawing.svg() + "</svg>\n";
  return picture;
}

std::string attention_svg_style() {
  return std::string(palette_css()) +
         "svg{background:var(--card);font-family:system-ui,\"Noto Sans\",\"Noto Sans CJK KR\","
         "sans-serif;font-variant-numeric:tabular-nums}\n"
         "text{fill:var(--ink)}.quiet{fill:var(--quiet)}.weight{fill:rgb(var(--shade))}\n";
}

}  // namespace nmt
