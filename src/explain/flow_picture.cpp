#include "explain/flow_picture.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "pages/html_escape.h"
#include "pages/text_width.h"

namespace nmt {
namespace {

constexpr double kTextSize = 14;
constexpr double kNameSize = 15;
constexpr double kCellHeight = 26;
constexpr double kHead = 30;     // a node's name
constexpr double kPadding = 10;  // within a node
constexpr double kBetweenColumns = 36;
constexpr double kBetweenRows = 46;
constexpr double kEdge = 16;
constexpr double kTitle = 34;  // above the picture of a file

/// A node and its position in pixels.
struct Box {
  const FlowNode* node = nullptr;
  double label = 0;  // width of the row labels
  double cell = 0;   // width of a cell
  double x = 0, y = 0, width = 0, height = 0;

  double middle() const { return x + width / 2; }
};

Box measured(const FlowNode& node, Language language) {
  const auto& matrix = node.matrix;
  const bool whole = is_whole(matrix.values);
  Box box;
  box.node = &node;
  box.label = text_width(matrix.rows, kTextSize) + kPadding;
  box.cell = text_width(matrix.columns, kTextSize);
  for (const auto& row : matrix.values) {
    for (const double value : row) {
      box.cell = std::max(box.cell, text_width(figure_text(value, whole), kTextSize));
    }
  }
  box.cell += kPadding;
  const double table = box.label + box.cell * static_cast<double>(matrix.values.front().size());
  const double name = text_width(matrix.name + "  " + node.caption.in(language), kNameSize);
  box.width = std::max(table, name) + 2 * kPadding;
  const size_t lines = matrix.values.size() + (matrix.columns.empty() ? 0 : 1);
  box.height = kHead + kCellHeight * static_cast<double>(lines) + kPadding;
  return box;
}

struct Layout {
  std::vector<Box> boxes;
  double width = 0;
  double height = 0;
};

/// All columns have the width of the widest; each row has the height of its tallest node.
Layout laid_out(const Explanation& explanation, Language language) {
  Layout layout;
  size_t columns = 0;
  double column_width = 0;
  std::vector<double> heights;
  for (const auto& node : explanation.nodes) {
    const auto box = measured(node, language);
    const auto span = static_cast<double>(node.span);
    columns = std::max(columns, node.column + node.span);
    column_width = std::max(column_width, (box.width - (span - 1) * kBetweenColumns) / span);
    heights.resize(std::max(heights.size(), node.row + 1));
    heights[node.row] = std::max(heights[node.row], box.height);
    layout.boxes.push_back(box);
  }
  const double stride = column_width + kBetweenColumns;
  for (auto& box : layout.boxes) {
    const auto room = stride * static_cast<double>(box.node->span) - kBetweenColumns;
    box.x = kEdge + stride * static_cast<double>(box.node->column) + (room - box.width) / 2;
    box.y = kEdge;
    for (size_t row = 0; row < box.node->row; ++row) box.y += heights[row] + kBetweenRows;
  }
  layout.width = 2 * kEdge + stride * static_cast<double>(columns) - kBetweenColumns;
  layout.height = 2 * kEdge - kBetweenRows;
  for (const double height : heights) layout.height += height + kBetweenRows;
  return layout;
}

std::string text_at(double x, double y, const char* attributes, const std::string& text) {
  return fmt::format("<text x=\"{:g}\" y=\"{:g}\" {}>", x, y, attributes) + escape_html(text) +
         "</text>\n";
}

std::string matrix_row(const Box& box, size_t row, double y) {
  const auto& matrix = box.node->matrix;
  const bool whole = is_whole(matrix.values);
  const double darkest = darkest_weight(matrix.values);
  std::string svg = rows_ask(matrix) ? "<g data-row=\"" + std::to_string(row) + "\">" : "<g>";
  if (!matrix.rows.empty()) svg += text_at(box.x + kPadding, y + 18, "", matrix.rows[row]);
  for (size_t i = 0; i < matrix.values[row].size(); ++i) {
    const double value = matrix.values[row][i];
    const double x = box.x + kPadding + box.label + box.cell * static_cast<double>(i);
    if (matrix.role == Role::kWeights) {
      svg += fmt::format(
          "<rect class=\"weight\" fill-opacity=\"{:.2f}\" x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" "
          "height=\"{:g}\"/>",
          0.04 + 0.61 * shade_of(value, darkest), x + 1, y + 1, box.cell - 2, kCellHeight - 2);
    }
    svg += text_at(x + box.cell - kPadding / 2, y + 18, "text-anchor=\"end\"",
                   figure_text(value, whole));
  }
  return svg + "</g>\n";
}

/// The shapes' own attributes are for programs that do not support CSS variables.
std::string node_picture(const Box& box, Language language) {
  const auto& matrix = box.node->matrix;
  auto svg = fmt::format(
      "<g class=\"node {}\"><rect class=\"card\" fill=\"none\" stroke=\"#566070\" x=\"{:g}\" "
      "y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" rx=\"8\"/>\n",
      role_class(matrix.role), box.x, box.y, box.width, box.height);
  svg += text_at(box.x + kPadding, box.y + 20, "class=\"name\"", matrix.name);
  svg += text_at(box.x + box.width - kPadding, box.y + 20, "class=\"caption\" text-anchor=\"end\"",
                 box.node->caption.in(language));
  double y = box.y + kHead;
  if (!matrix.columns.empty()) {
    for (size_t i = 0; i < matrix.columns.size(); ++i) {
      const double x = box.x + kPadding + box.label + box.cell * static_cast<double>(i + 1);
      svg += text_at(x - kPadding / 2, y + 18, "class=\"caption\" text-anchor=\"end\"",
                     matrix.columns[i]);
    }
    y += kCellHeight;
  }
  for (size_t row = 0; row < matrix.values.size(); ++row, y += kCellHeight) {
    svg += matrix_row(box, row, y);
  }
  return svg + "</g>\n";
}

/// An arrowhead whose tip is at (x, y), pointing down or left.
std::string tip(double x, double y, bool down) {
  return down ? fmt::format("<path class=\"tip\" d=\"M{:g} {:g}l-5 -9h10z\"/>\n", x, y)
              : fmt::format("<path class=\"tip\" d=\"M{:g} {:g}l9 -5v10z\"/>\n", x, y);
}

/// The line of an arrow. Its attributes are for programs that do not support CSS variables.
std::string arrow_line(const std::string& path) {
  return "<path class=\"arrow\" fill=\"none\" stroke=\"#566070\" d=\"" + path + "\"/>\n";
}

/// An arrow down to the next row, or past other rows on the right-hand side.
std::string arrow_picture(const Box& from, const Box& to, const std::string& label) {
  const double begin = from.y + from.height;
  if (to.node->row > from.node->row + 1 && from.node->column > to.node->column) {
    const double x = to.x + to.width;
    const double y = to.y + to.height / 2;
    return arrow_line(fmt::format("M{:g} {:g}V{:g}H{:g}", from.middle(), begin, y, x + 8)) +
           tip(x, y, false);
  }
  // Several arrows into one box end side by side.
  const double reach = to.width / 2 - kPadding;
  const double x = to.middle() + std::clamp(from.middle() - to.middle(), -reach, reach);
  // An arrow out of a wide box goes straight down.
  const double side = from.width / 2 - kPadding;
  const double start = from.middle() + std::clamp(x - from.middle(), -side, side);
  const double half = (begin + to.y) / 2;
  auto svg = arrow_line(fmt::format("M{:g} {:g}C{:g} {:g} {:g} {:g} {:g} {:g}", start, begin, start,
                                    half, x, half, x, to.y - 8)) +
             tip(x, to.y, true);
  if (label.empty()) return svg;
  // The label is on the side away from the arrow.
  const bool left = x < start;
  return svg + text_at(left ? x - 10 : x + 10, to.y - 12,
                       left ? "class=\"label\" text-anchor=\"end\"" : "class=\"label\"", label);
}

std::string svg_element(double width, double height, const char* attributes) {
  return fmt::format("<svg {} width=\"{:g}\" height=\"{:g}\" viewBox=\"0 0 {:g} {:g}\">\n",
                     attributes, width, height, width, height);
}

}  // namespace

const char* role_class(Role role) {
  constexpr const char* kNames[] = {"plain", "query", "key", "value", "weights"};
  return kNames[static_cast<size_t>(role)];
}

SvgPicture flow_picture(const Explanation& explanation, Language language) {
  const auto layout = laid_out(explanation, language);
  auto svg = svg_element(layout.width, layout.height, "class=\"flow\" role=\"img\"") + "<title>" +
             escape_html(explanation.title.in(language)) + "</title>\n";
  for (const auto& arrow : explanation.arrows) {
    svg += arrow_picture(layout.boxes[arrow.from], layout.boxes[arrow.to], arrow.label);
  }
  for (const auto& box : layout.boxes) svg += node_picture(box, language);
  return {layout.width, layout.height, svg + "</svg>\n"};
}

std::string picture_file(const Explanation& explanation, Language language,
                         const std::string& style) {
  const auto& title = explanation.title.in(language);
  SvgPicture picture;
  if (explanation.nodes.empty()) {
    const AxisTitles titles =
        language == Language::kKorean ? AxisTitles{"원문", "번역"} : AxisTitles{};
    picture = attention_svg(explanation.learned, title, kTitle, titles);
  } else {
    picture = flow_picture(explanation, language);
    picture.svg =
        fmt::format("<g transform=\"translate(0 {:g})\">\n", kTitle) + picture.svg + "</g>\n";
  }
  const double width = std::max(picture.width, text_width(title, kNameSize) + 2 * kEdge);
  return svg_element(width, picture.height + kTitle, "xmlns=\"http://www.w3.org/2000/svg\"") +
         "<style>" + style + "</style>\n" + text_at(kEdge, 24, "class=\"title\"", title) +
         picture.svg + "</svg>\n";
}

}  // namespace nmt
