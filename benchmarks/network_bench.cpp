#include "benchmarks/network_bench.h"

#include <ATen/ATen.h>
#include <spdlog/fmt/fmt.h>

#include "benchmarks/measure.h"
#include "distributed/bfloat16_all_reduce.h"

namespace nmt {
namespace {

constexpr int64_t kSizes[] = {4, 1 << 12, 1 << 16, 1 << 20, 1 << 22, 1 << 24, 1 << 26};  // bytes
constexpr int64_t kWarmUps = 2;

template <typename Sum>
double median_seconds(ProcessGroup& group, int64_t rounds, const Sum& sum) {
  std::vector<double> seconds;
  for (int64_t round = 0; round < kWarmUps + rounds; ++round) {
    group.barrier();
    const double time = seconds_of(sum);
    if (round >= kWarmUps) seconds.push_back(time);
  }
  return quantile(std::move(seconds), 0.5);
}

}  // namespace

NetworkBenchReport bench_network(ProcessGroup& group, int64_t rounds) {
  NetworkBenchReport report;
  report.processes = group.size();
  for (const int64_t bytes : kSizes) {
    const auto numbers = at::zeros({bytes / 4}, torch::kFloat);
    const double seconds =
        median_seconds(group, rounds, [&] { group.all_reduce_async(numbers)(); });
    const double bfloat16_seconds = median_seconds(group, rounds, [&] {
      Bfloat16AllReduce reduced(group, numbers);
      reduced.send_sum();
      reduced.wait();
    });
    report.sums.push_back({bytes, seconds, bfloat16_seconds});
  }
  return report;
}

/// A ring passes 2 (N − 1) / N of the bytes through every process (docs/performance.md).
std::string to_text(const NetworkBenchReport& report) {
  std::string text = "processes " + std::to_string(report.processes) +
                     "\n     bytes   milliseconds   Gbit/s a process sends   bfloat16, ms\n";
  const double share = 2.0 * (report.processes - 1) / report.processes;
  for (const auto& [bytes, seconds, bfloat16_seconds] : report.sums) {
    text +=
        fmt::format("{:10} {:14.3f} {:24.2f} {:14.3f}\n", bytes, 1e3 * seconds,
                    share * static_cast<double>(bytes) * 8 / seconds / 1e9, 1e3 * bfloat16_seconds);
  }
  return text;
}

}  // namespace nmt
