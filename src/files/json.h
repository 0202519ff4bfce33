#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace nmt {

// Reading and writing JSON, compiled once: nlohmann's parser and serializer are templates that cost
// each file that uses them seconds.

/// Throws nlohmann::json::parse_error. `accept` is called for each parser event and may throw.
nlohmann::json parse_json(std::string_view text,
                          const nlohmann::json::parser_callback_t& accept = nullptr);

/// What is written by hand may be anything: what is no JSON becomes a discarded value, what is
/// nested deeper than anybody would write is left out.
nlohmann::ordered_json parse_shallow_json(std::string_view text);

/// The number at a key of an object; NaN without one, as JSON has null for NaN and infinity.
double read_number(const nlohmann::json& object, const char* key);

/// On one line, or indented. Bytes that are not UTF-8 become U+FFFD.
std::string dump_json(const nlohmann::json& value, int indent = -1, bool in_ascii = false);
std::string dump_json(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace nmt
