#pragma once

#include <string>
#include <string_view>

#include "serve/text_pieces.h"
#include "support/html_escape.h"

namespace nmt {

/// The sentences of HTML, with entities read; tags, comments, scripts and styles stand between.
TextPieces split_html(std::string_view html);

}  // namespace nmt
