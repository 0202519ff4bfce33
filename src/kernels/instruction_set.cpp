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

}  // namespace

bool limit_instruction_set() {
  if (limit() != "avx2") return false;
  hwy::DisableTargets(HWY_AVX2 - 1);  // lower bits are larger instruction sets
  ::setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1);
  ::setenv("ATEN_CPU_CAPABILITY", "avx2", 1);
  // The first call of SupportedTargets() chooses among the disabled ones too.
  const int64_t targets = hwy::SupportedTargets();
  hwy::GetChosenTarget().Update(targets);
  if ((targets & HWY_AVX2) != 0) ::setenv("OPENBLAS_CORETYPE", "Haswell", 0);
  return true;
}

void check_instruction_set_limit() {
  if (limit().empty() || limit() == "avx2") return;
  throw Error(std::string(kVariable) + "=" + limit() + ": unknown instruction set; use avx2");
}

}  // namespace nmt
