#include "files/json.h"

namespace nmt {
namespace {

template <typename Json>
std::string dump(const Json& value, int indent) {
  return value.dump(indent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

}  // namespace

nlohmann::json parse_json(std::string_view text) { return nlohmann::json::parse(text); }

nlohmann::ordered_json parse_shallow_json(std::string_view text) {
  using Json = nlohmann::ordered_json;
  constexpr int kMaxDepth = 16;
  return Json::parse(
      text, [](int depth, Json::parse_event_t, Json&) { return depth < kMaxDepth; },
      /*allow_exceptions=*/false);
}

std::string dump_json(const nlohmann::json& value, int indent) { return dump(value, indent); }

std::string dump_json(const nlohmann::ordered_json& value, int indent) {
  return dump(value, indent);
}

}  // namespace nmt
