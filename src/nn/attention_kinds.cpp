#include "nn/attention_kinds.h"

#include <utility>

#include "errors/error.h"

namespace nmt {
namespace {

struct Kind {
  std::string name;
  std::vector<LearnedMatrix> matrices;
};

// Braces that hold commas reach the macro as several arguments.
#define NMT_KIND(name, function, ...) {name, __VA_ARGS__},

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {NMT_ATTENTION_KINDS(NMT_KIND)};
  return all;
}

}  // namespace

std::vector<std::string> attention_names() {
  std::vector<std::string> names;
  for (const auto& kind : kinds()) names.push_back(kind.name);
  return names;
}

std::vector<LearnedMatrix> attention_matrices(const std::string& name) {
  for (const auto& kind : kinds()) {
    if (kind.name == name) return kind.matrices;
  }
  throw Error("model.attention: there is no '" + name + "'");
}

}  // namespace nmt
