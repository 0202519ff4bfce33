#pragma once

#include <cstddef>
#include <string_view>

namespace nmt {

/// Length of what begins a message's text and a program replaces: printf directives as in C and
/// Python (%d, %1$s, %(name)s, %%), Qt (%1), braces ({0}, {name}, {{ name }}, %{name}, ${name} and
/// messages of ICU), variables of a shell ($name), and character references (&nbsp;). 0 for others.
size_t placeholder_length(std::string_view text);

}  // namespace nmt
