#include "attention_views/attention_svg.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pages/html.h"
#include "unicode/characters.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr double kCell = 24;
constexpr double kLetter = 7.6;  // width of a letter at 13 pixels
constexpr double kGap = 6;
constexpr int kShades = 20;
constexpr double kSlope = 0.7071;  // source words are rotated by 45°

double text_width(const std::string& text) {
  return kLetter * static_cast<double>(display_width(text));
}

double text_width(const std::vector<std::string>& words) {
  return kLetter * static_cast<double>(widest(words));
}

/// All cells of one shade form one path, so the file stays small.
std::string cells(const AttentionMatrix& matrix, double left, double top) {
  std::array<std::string, kShades + 1> shades;
  for (size_t row = 0; row < matrix.weights.size(); ++row) {
    for (size_t column = 0; column < matrix.weights[row].size(); ++column) {
      const double weight = std::clamp<double>(matrix.weights[row][column], 0.0, 1.0);
      shades[static_cast<size_t>(std::lround(weight * kShades))] +=
          fmt::format("M{:g} {:g}h{:g}v{:g}h-{:g}z", left + static_cast<double>(column) * kCell,
                      top + static_cast<double>(row) * kCell, kCell - 2, kCell - 2, kCell - 2);
    }
  }
  std::string svg;
  for (size_t shade = 0; shade < shades.size(); ++shade) {
    if (shades[shade].empty()) continue;
    const double opacity = 0.06 + 0.94 * static_cast<double>(shade) / kShades;
    svg += fmt::format("<path class=\"weight\" fill-opacity=\"{:.2f}\" d=\"", opacity) +
           shades[shade] + "\"/>\n";
  }
  return svg;
}

std::string labels(const AttentionMatrix& matrix, double left, double top) {
  std::string svg;
  for (size_t i = 0; i < matrix.source.size(); ++i) {
    const double x = left + (static_cast<double>(i) + 0.45) * kCell;
    svg += fmt::format("<text transform=\"translate({:g} {:g}) rotate(-45)\">", x, top - kGap) +
           escape_html(matrix.source[i]) + "</text>\n";
  }
  for (size_t i = 0; i < matrix.target.size(); ++i) {
    const double y = top + (static_cast<double>(i) + 0.65) * kCell;
    svg += fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"end\">", left - kGap, y) +
           escape_html(matrix.target[i]) + "</text>\n";
  }
  return svg;
}

}  // namespace

SvgPicture attention_svg(const AttentionMatrix& matrix, const std::string& name, double top) {
  const double left = std::ceil(text_width(matrix.target)) + 2 * kGap;
  const double upper = std::ceil(kSlope * text_width(matrix.source)) + 4 * kGap;
  SvgPicture picture;
  double right = left;
  for (size_t i = 0; i < matrix.source.size(); ++i) {
    right = std::max(
        right, left + (static_cast<double>(i) + 1) * kCell + kSlope * text_width(matrix.source[i]));
  }
  picture.width = std::ceil(right) + kGap;
  picture.height = upper + kCell * static_cast<double>(matrix.target.size()) + kGap;
  picture.svg =
      fmt::format(
          "<svg class=\"attention\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" viewBox=\"0 0 "
          "{:g} {:g}\" role=\"img\" font-size=\"13\">",
          top, picture.width, picture.height, picture.width, picture.height) +
      "<title>" + escape_html(name) + "</title>\n" + cells(matrix, left, upper) +
      labels(matrix, left, upper) + "</svg>\n";
  return picture;
}

}  // namespace nmt
