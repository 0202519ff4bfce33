#pragma once

#include <string>
#include <string_view>

#include "serve/text_pieces.h"

namespace nmt {

/// The sentences of HTML, with entities read; tags, comments, scripts and styles stand between.
TextPieces split_html(std::string_view html);

/// For a place between tags or in an attribute.
std::string escape_html(std::string_view text);

}  // namespace nmt
