#include "info/build_info.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <dlfcn.h>
#include <torch/cuda.h>
#include <torch/version.h>

#include <filesystem>

#include "distributed/collective_backend.h"
#include "kernels/bfloat16.h"
#include "kernels/matrix_product.h"
#include "threads/threads.h"

namespace nmt {
namespace {

/// The library that provides the Fortran symbol sgemm_, which LibTorch calls for matrix products.
std::string blas_file() {
  void* symbol = ::dlsym(RTLD_DEFAULT, "sgemm_");
  Dl_info info{};
  if (symbol == nullptr || ::dladdr(symbol, &info) == 0) return "";
  std::error_code error;
  const auto path = std::filesystem::canonical(info.dli_fname, error);
  return error ? info.dli_fname : path.string();
}

/// The text that a function of OpenBLAS returns; empty with another BLAS.
std::string openblas_text(const char* function) {
  using Text = char* (*)();
  const auto text = reinterpret_cast<Text>(::dlsym(RTLD_DEFAULT, function));
  return text == nullptr ? "" : text();
}

std::string blas_name() {
  const auto file = blas_file();
  if (file.empty()) return "built into LibTorch";
  const auto config = openblas_text("openblas_get_config");
  return config.empty() ? file : config + " (" + file + ")";
}

/// The processor type that OpenBLAS detected; OPENBLAS_CORETYPE overrides it.
std::string blas_kernels() {
  const auto core = openblas_text("openblas_get_corename");
  return core.empty() ? "unknown" : core;
}

std::string cpu_features() {
  std::string features;
#if defined(__x86_64__)
  const auto add = [&](bool supported, const char* name) {
    if (supported) features += (features.empty() ? "" : " ") + std::string(name);
  };
  __builtin_cpu_init();
  add(__builtin_cpu_supports("avx2"), "avx2");
  add(__builtin_cpu_supports("fma"), "fma");
  add(__builtin_cpu_supports("avx512f"), "avx512f");
  add(__builtin_cpu_supports("avx512bw"), "avx512bw");
  add(__builtin_cpu_supports("avx512vnni"), "avx512vnni");
#elif defined(__aarch64__)
  features = "neon";
#endif
  return features.empty() ? "none of note" : features;
}

std::string threads() {
  const bool openmp = at::get_parallel_info().find("OpenMP") != std::string::npos;
  return std::to_string(number_of_threads(0)) + (openmp ? " (OpenMP)" : " (native)");
}

std::string cuda_devices() {
  const auto count = torch::cuda::device_count();
  return count == 0 ? "none" : std::to_string(count);
}

}  // namespace

std::string blas_warning() {
  const auto file = blas_file();
  const bool reference = file.find("/blas/libblas") != std::string::npos &&
                         openblas_text("openblas_get_config").empty();
  return reference
             ? file + " is the reference BLAS, about ten times slower: install libopenblas0-openmp"
             : "";
}

std::vector<std::pair<std::string, std::string>> build_info() {
  return {{"nmt", NMT_VERSION},
          {"LibTorch", TORCH_VERSION},
          {"BLAS", blas_name()},
          {"BLAS kernels", blas_kernels()},
          {"oneDNN", at::get_mkldnn_version()},
          {"products of training", matrix_product_library()},
          {"bfloat16 products", has_bfloat16_products() ? "yes" : "no"},
          {"threads", threads()},
          {"CPU features", cpu_features()},
          {"several processes", backend_name().empty() ? "no" : backend_name()},
          {"CUDA devices", cuda_devices()}};
}

}  // namespace nmt
