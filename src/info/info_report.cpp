#include "info/info_report.h"

#include <sstream>

#include "files/json.h"
#include "info/build_info.h"
#include "info/model_info.h"
#include "unicode/characters.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// The lines after the first are indented, so that none looks like another entry.
std::string shown_value(const std::string& value, const std::string& indent) {
  std::string text;
  std::istringstream lines(value);
  for (std::string line; std::getline(lines, line);) {
    if (!text.empty()) text.append("\n").append(line.empty() ? "" : indent);
    text += printable(line);
  }
  return text;
}

std::string indented_text(const OrderedJson& json, const std::string& indent) {
  std::string text;
  for (const auto& [name, value] : json.items()) {
    text.append(indent).append(printable(name));
    if (value.is_object()) {
      text.append(":\n").append(indented_text(value, indent + "  "));
    } else {
      const auto shown = value.is_string() ? value.get<std::string>() : dump_json(value);
      text.append("  ").append(shown_value(shown, indent + "  ")).append("\n");
    }
  }
  return text;
}

/// Shortens a tensor's entry to "[3, 4] F32".
void shorten_tensors(OrderedJson& model) {
  for (auto& [name, tensor] : model["tensors"].items()) {
    tensor = dump_json(tensor["shape"]) + " " + tensor["dtype"].get<std::string>();
  }
}

}  // namespace

std::string info_report(const std::filesystem::path& model, bool json) {
  OrderedJson info;
  if (!model.empty()) info = describe_model(model);
  for (const auto& [name, value] : build_info()) info["build"][name] = value;
  // The path may not be UTF-8.
  if (json) return dump_json(info, 2) + "\n";
  if (info.contains("tensors")) shorten_tensors(info);
  return indented_text(info, "");
}

}  // namespace nmt
