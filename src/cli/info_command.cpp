#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.h"
#include "info/build_info.h"
#include "info/model_info.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct InfoArguments {
  std::string path;
  bool json = false;
};

OrderedJson build_json() {
  OrderedJson json;
  for (const auto& [name, value] : build_info()) json[name] = value;
  return json;
}

// "name value" lines, sections indented.
void print(const OrderedJson& json, const std::string& indent) {
  for (const auto& [name, value] : json.items()) {
    if (value.is_object()) {
      std::cout << indent << name << ":\n";
      print(value, indent + "  ");
    } else {
      std::cout << indent << name << "  "
                << (value.is_string() ? value.get<std::string>() : value.dump()) << '\n';
    }
  }
}

// "[3, 4] F32" says of a tensor what a person wants to know.
void shorten_tensors(OrderedJson& model) {
  for (auto& [name, tensor] : model["tensors"].items()) {
    tensor = tensor["shape"].dump() + " " + tensor["dtype"].get<std::string>();
  }
}

void run(const InfoArguments& arguments) {
  OrderedJson json;
  if (!arguments.path.empty()) json = describe_model(arguments.path);
  json["build"] = build_json();
  if (arguments.json) {
    // The path need not be UTF-8.
    std::cout << json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) << '\n';
    return;
  }
  if (json.contains("tensors")) shorten_tensors(json);
  print(json, "");
  if (!blas_warning().empty()) std::cerr << "warning: " << blas_warning() << '\n';
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto arguments = std::make_shared<InfoArguments>();
  auto* command = app.add_subcommand("info", "What a model is, and what this program runs on");
  command->add_option("model-dir", arguments->path,
                      "Folder or packed file of a model; its checksums are verified");
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace nmt
