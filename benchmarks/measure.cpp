#include "benchmarks/measure.h"

#include <torch/cuda.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <string>

#include "processes/heap.h"

namespace nmt {
namespace {

int64_t status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    int64_t kilobytes = 0;
    if (word == name + ":" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

bool forget_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return static_cast<bool>(file);
}

}  // namespace

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double seconds_of(const torch::Device& device, const std::function<void()>& work) {
  const auto synchronize = [&] {
    if (device.is_cuda()) torch::cuda::synchronize(device.index());
  };
  synchronize();
  return seconds_of([&] {
    work();
    synchronize();
  });
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<size_t>(std::lround(share * last))];
}

int64_t peak_growth(const std::function<void()>& work) {
  release_freed_memory();
  const bool measurable = forget_peak();
  const int64_t before = status_bytes("VmRSS");
  work();
  return measurable ? status_bytes("VmHWM") - before : 0;
}

}  // namespace nmt
