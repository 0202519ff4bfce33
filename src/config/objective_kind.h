#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "config/choice.h"
#include "config/range.h"

namespace nmt {

/// A value of an enum that has ChoiceNames.
struct NamedChoice {
  template <typename Enum, typename = std::enable_if_t<std::is_enum_v<Enum>>>
  NamedChoice(Enum value) : names(choice_names<Enum>()), index(static_cast<size_t>(value)) {}

  std::vector<std::string> names;
  size_t index;
};

using ObjectiveValue = std::variant<int64_t, double, std::string, NamedChoice>;

/// A setting under train that one objective reads, with TrainConfig::objective_value.
struct ObjectiveSetting {
  const char* name;
  ObjectiveValue initial;
  const char* meaning;  // "OBJECTIVE: …", at most 80 characters
  Range range = kAnyNumber;
  bool required = false;  // by its objective: a text that may not be empty
};

/// A training objective: all that is known of it without LibTorch. Its loss is in the same file
/// (train/objectives/objective.h). Settings refer to a kind by its address.
struct ObjectiveKind {
  const char* name;     // in settings and files
  const char* summary;  // one line
  std::vector<ObjectiveSetting> settings = {};
  std::string alias = {};      // accepted by --objective
  bool fused = false;          // the fused engine computes it
  bool needs_trained = false;  // learns next to nothing from random weights
  bool of_pairs = false;       // a sum over pairs: data.train_sentence_weights and
                               // data.train_alignments apply
};

// Every objective. To add one, write train/objectives/NAME.cpp and its line here.
#define NMT_OBJECTIVES(OBJECTIVE) \
  OBJECTIVE(likelihood)           \
  OBJECTIVE(scheduled_sampling)   \
  OBJECTIVE(r_drop)               \
  OBJECTIVE(minimum_risk)         \
  OBJECTIVE(dual)

// Defined in train/objectives/NAME.cpp.
#define NMT_DECLARE_KIND(name) const ObjectiveKind& name##_objective();
NMT_OBJECTIVES(NMT_DECLARE_KIND)
#undef NMT_DECLARE_KIND

/// All kinds, in that order, then those that the program has registered.
const std::vector<const ObjectiveKind*>& objective_kinds();

/// Adds a kind from outside this project; it must outlive its users. Call it before there are
/// settings and threads.
void register_objective(const ObjectiveKind& kind);

/// The initial values of all objectives' settings, by name.
std::map<std::string, ObjectiveValue> initial_objective_values();

}  // namespace nmt
