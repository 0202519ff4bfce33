#include "kernels/instruction_set.h"

#include <hwy/targets.h>

#include <cstdlib>
#include <string>

#include "errors/error.h"

namespace nmt {
namespace {

constexpr char kVariable[] = "NMT_CPU";

std::string limit() {
  const char* value = std::getenv(kVariable);
  return value == nullptr ? "" : value;
}

/// The name of a limit in each library.
struct Limit {
  const char* name;
  int64_t target;  // of Highway
  const char* onednn;
  const char* torch;
  const char* openblas;
  bool vnni;
};

constexpr Limit kLimits[] = {
    {"avx2", HWY_AVX2, "AVX2", "avx2", "Haswell", false},
    {"avx512", HWY_AVX3, "AVX512_CORE", "avx512", "SkylakeX", false},
    {"avx512vnni", HWY_AVX3_DL, "AVX512_CORE_VNNI", "avx512", "SkylakeX", true}};

const Limit* applied_limit() {
  for (const auto& each : kLimits) {
    if (limit() == each.name) return &each;
  }
  return nullptr;
}

}  // namespace

bool limit_instruction_set() {
  const Limit* applied = applied_limit();
  if (applied == nullptr) return false;
  hwy::DisableTargets(applied->target - 1);  // lower bits are larger instruction sets
  ::setenv("ONEDNN_MAX_CPU_ISA", applied->onednn, 1);
  // The first call of SupportedTargets() chooses among the disabled ones too.
  const int64_t targets = hwy::SupportedTargets();
  hwy::GetChosenTarget().Update(targets);
  if ((targets & applied->target) != 0) {  // these two do not check what they are told
    ::setenv("ATEN_CPU_CAPABILITY", applied->torch, 1);
    ::setenv("OPENBLAS_CORETYPE", applied->openblas, 0);
  }
  return true;
}

bool has_vnni() {
#if defined(__x86_64__)
  static const bool found =
      __builtin_cpu_supports("avx512vnni") && (applied_limit() == nullptr || applied_limit()->vnni);
  return found;
#else
  return false;
#endif
}

void check_instruction_set_limit() {
  if (limit().empty() || applied_limit() != nullptr) return;
  throw Error(std::string(kVariable) + "=" + limit() +
              ": unknown instruction set; use avx2, avx512 or avx512vnni");
}

}  // namespace nmt
