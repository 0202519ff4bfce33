#pragma once

#include <string>
#include <string_view>

#include "pages/html_escape.h"
#include "text/sentence_splitter.h"

namespace nmt {

/// The sentences of HTML with entities decoded; tags, comments, scripts and styles are kept
/// between.
TextPieces split_html(std::string_view html);

}  // namespace nmt
