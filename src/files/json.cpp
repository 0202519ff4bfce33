#include "files/json.h"

#include <limits>

#include "unicode/substrings.h"

namespace nmt {
namespace {

template <typename Json>
std::string dump(const Json& value, int indent, bool in_ascii) {
  auto text = value.dump(indent, ' ', in_ascii, Json::error_handler_t::replace);
  // Allowed in JSON, but line ends to some readers of a text with an object per line.
  replace_all(text, "\xC2\x85", "\\u0085");
  replace_all(text, "\u2028", "\\u2028");
  replace_all(text, "\u2029", "\\u2029");
  return text;
}

}  // namespace

nlohmann::json parse_json(std::string_view text, const nlohmann::json::parser_callback_t& accept) {
  return nlohmann::json::parse(text, accept);
}

nlohmann::ordered_json parse_shallow_json(std::string_view text) {
  using Json = nlohmann::ordered_json;
  constexpr int kMaxDepth = 16;
  return Json::parse(
      text, [](int depth, Json::parse_event_t, Json&) { return depth < kMaxDepth; },
      /*allow_exceptions=*/false);
}

double read_number(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>()
                                                     : std::numeric_limits<double>::quiet_NaN();
}

std::string dump_json(const nlohmann::json& value, int indent, bool in_ascii) {
  return dump(value, indent, in_ascii);
}

std::string dump_json(const nlohmann::ordered_json& value, int indent) {
  return dump(value, indent, /*in_ascii=*/false);
}

}  // namespace nmt
