#pragma once

#include <string_view>

#include "markup/segment_builder.h"

namespace nmt {

/// Adds a Markdown document to the builder, in GitHub's dialect. Code, HTML blocks, images, link
/// destinations and a YAML header pass unchanged.
void parse_markdown(std::string_view markdown, SegmentBuilder& builder);

}  // namespace nmt
