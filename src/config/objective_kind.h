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

/// A value of any enum with kChoiceNames, with the type erased.
struct NamedChoice {
  template <typename Enum, typename = std::enable_if_t<std::is_enum_v<Enum>>>
  NamedChoice(Enum value) : names(choice_names<Enum>()), index(static_cast<size_t>(value)) {}

  std::vector<std::string> names;
  size_t index;
};

using ObjectiveValue = std::variant<int64_t, double, std::string, NamedChoice>;

/// A setting under `train` that only one objective reads, through TrainConfig::objective_value.
struct ObjectiveSetting {
  const char* name;
  ObjectiveValue initial;
  const char* meaning;  // "OBJECTIVE: …", at most 80 characters
  Range range = kAnyNumber;
  bool required = false;  // the text may not be empty when its objective is used
};

/// Models for which the fused engine computes an objective.
enum class FusedSupport { kNone, kWithoutCopying, kAll };

/// The part of a training objective that does not need LibTorch. Its loss is defined in the same
/// file (train/objectives/NAME.cpp). Settings refer to a kind by its address.
struct ObjectiveKind {
  const char* name;     // in settings and files
  const char* summary;  // one line
  std::vector<ObjectiveSetting> settings = {};
  std::string alias = {};  // accepted by --objective
  FusedSupport fused = FusedSupport::kNone;
  bool needs_trained = false;  // learns next to nothing from random weights
  bool of_pairs = false;       // a sum over pairs: data.train_sentence_weights and
                               // data.train_alignments apply
  double passes = 1.0;         // forward and backward passes over a batch, for estimates
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

/// The kinds of NMT_OBJECTIVES in that order, then the registered ones.
const std::vector<const ObjectiveKind*>& objective_kinds();

/// Adds a kind from outside this project. The kind must outlive all settings. Call this before any
/// settings or threads exist.
void register_objective(const ObjectiveKind& kind);

/// The initial values of all objectives' settings, by name.
std::map<std::string, ObjectiveValue> initial_objective_values();

}  // namespace nmt
