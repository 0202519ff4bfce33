#include "benchmarks/network_bench.h"

#include <ATen/ATen.h>
#include <spdlog/fmt/fmt.h>

#include "benchmarks/measure.h"

namespace nmt {
namespace {

constexpr int64_t kSizes[] = {4, 1 << 12, 1 << 16, 1 << 20, 1 << 22, 1 << 24, 1 << 26};  // bytes
constexpr int64_t kWarmUps = 2;

double seconds_of_sum(ProcessGroup& group, const torch::Tensor& numbers) {
  group.barrier();
  return seconds_of([&] { group.all_reduce_async(numbers)(); });
}

}  // namespace

NetworkBenchReport bench_network(ProcessGroup& group, int64_t rounds) {
  NetworkBenchReport report;
  report.processes = group.size();
  for (const int64_t bytes : kSizes) {
    const auto numbers = at::zeros({bytes / 4}, torch::kFloat);
    std::vector<double> seconds;
    for (int64_t round = 0; round < kWarmUps + rounds; ++round) {
      const double time = seconds_of_sum(group, numbers);
      if (round >= kWarmUps) seconds.push_back(time);
    }
    report.sums.push_back({bytes, quantile(std::move(seconds), 0.5)});
  }
  return report;
}

/// A ring passes 2 (N − 1) / N of the bytes through every process (docs/performance.md).
std::string to_text(const NetworkBenchReport& report) {
  std::string text = "processes " + std::to_string(report.processes) +
                     "\n     bytes   milliseconds   Gbit/s a process sends\n";
  const double share = 2.0 * (report.processes - 1) / report.processes;
  for (const auto& [bytes, seconds] : report.sums) {
    text += fmt::format("{:10} {:14.3f} {:12.2f}\n", bytes, 1e3 * seconds,
                        share * static_cast<double>(bytes) * 8 / seconds / 1e9);
  }
  return text;
}

}  // namespace nmt
