#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "text/written_words.h"

namespace nmt {

// Tags of HTML and XML as text, without a parser.

/// The position of the first start tag from `at` that begins with `tag` ("": any; in lower case),
/// after comments and declarations and outside scripts; npos if there is none.
size_t find_start_tag(std::string_view markup, std::string_view tag, size_t at = 0);

/// The bytes of an attribute's value in a start tag, by its name in any case.
std::optional<Extent> find_attribute(std::string_view tag, std::string_view name);

size_t count_attributes(std::string_view tag);

/// The end of the tag at `at`, after its ">", which ends no quoted value.
size_t tag_end(std::string_view markup, size_t at);

}  // namespace nmt
