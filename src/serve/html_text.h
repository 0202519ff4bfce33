#pragma once

#include <string>
#include <string_view>

#include "pages/html_escape.h"
#include "serve/text_pieces.h"

namespace nmt {

/// The sentences of HTML, with entities read; tags, comments, scripts and styles stand between.
TextPieces split_html(std::string_view html);

}  // namespace nmt
