#pragma once

#include <string>

#include "attention_views/attention_matrix.h"

namespace nmt {

/// A picture with its size, to be put anywhere: an <svg> element without a style of its own, whose
/// text has the colour of what surrounds it.
struct SvgPicture {
  double width = 0.0;  // pixels
  double height = 0.0;
  std::string svg;
};

/// The matrix as a picture whose upper edge is at `top`; `name` is text for those who cannot see
/// it.
SvgPicture attention_svg(const AttentionMatrix& matrix, const std::string& name, double top = 0.0);

}  // namespace nmt
