#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace nmt {

// JSON parsing and serialization, compiled once: nlohmann's templates cost seconds in each file.

/// Throws nlohmann::json::parse_error. `accept` is called for each parser event and may throw.
nlohmann::json parse_json(std::string_view text,
                          const nlohmann::json::parser_callback_t& accept = nullptr);

/// For untrusted input, never throws: invalid JSON becomes a discarded value; values nested 16
/// levels deep or more are left out.
nlohmann::ordered_json parse_shallow_json(std::string_view text);

/// The number at a key of an object, or NaN if there is none: NaN and infinity are null in JSON.
double read_number(const nlohmann::json& object, const char* key);

/// On one line, or indented. Bytes that are not UTF-8 become U+FFFD.
std::string dump_json(const nlohmann::json& value, int indent = -1, bool in_ascii = false);
std::string dump_json(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace nmt
