#include "config/choice.h"

#include "config/suggest.h"

namespace nmt {

std::string list_of(const std::vector<std::string>& names, const std::string& between) {
  std::string list;
  for (const auto& name : names) list += (&name == &names.front() ? "" : between) + name;
  return list;
}

std::string unknown_choice(const std::string& name, const std::vector<std::string>& known) {
  return "'" + name + "' is none of " + list_of(known) + suggestion(name, known);
}

}  // namespace nmt
