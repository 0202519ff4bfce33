#pragma once

#include <string>

#include "attention_views/attention_matrix.h"

namespace nmt {

/// A picture with its size, to be embedded anywhere: an <svg> element without its own style, which
/// attention_svg_style() provides.
struct SvgPicture {
  double width = 0.0;  // pixels
  double height = 0.0;
  std::string svg;
};

/// Titles of the axes: of the columns and of the rows.
struct AxisTitles {
  std::string source = "Source";
  std::string target = "Translation";
};

/// The drawing of pages/attention.js as a picture whose upper edge is at `top`; `name` is text for
/// screen readers.
SvgPicture attention_svg(const AttentionMatrix& matrix, const std::string& name, double top = 0.0,
                         const AxisTitles& titles = {});

/// CSS, including the palette.
std::string attention_svg_style();

}  // namespace nmt
