#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace nmt {

/// Specialize next to each enum whose values users choose by name: the names in the order of the
/// values.
template <typename Enum>
extern const char* const kChoiceNames[];

template <typename Enum>
std::vector<std::string> choice_names() {
  return {std::begin(kChoiceNames<Enum>), std::end(kChoiceNames<Enum>)};
}

template <typename Enum>
std::string choice_name(Enum value) {
  return kChoiceNames<Enum>[static_cast<size_t>(value)];
}

template <typename Enum>
std::optional<Enum> parse_choice(const std::string& name) {
  const auto names = choice_names<Enum>();
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

/// The names of registered kinds, such as attention_kinds().
template <typename Kind>
std::vector<std::string> kind_names(const std::vector<const Kind*>& kinds) {
  std::vector<std::string> names(kinds.size());
  for (size_t i = 0; i < kinds.size(); ++i) names[i] = kinds[i]->name;
  return names;
}

/// The kind of that name, or nullptr.
template <typename Kind>
const Kind* find_kind(const std::vector<const Kind*>& kinds, const std::string& name) {
  for (const auto* kind : kinds) {
    if (kind->name == name) return kind;
  }
  return nullptr;
}

/// "a, b, c"
std::string list_of(const std::vector<std::string>& names, const std::string& between = ", ");

/// "'adm' is none of adam, adamw, sgd (did you mean adam?)"
std::string unknown_choice(const std::string& name, const std::vector<std::string>& known);

}  // namespace nmt
