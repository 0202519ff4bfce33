#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "distributed/process_group.h"

namespace nmt {

/// What it takes the processes to sum numbers that each has some of, as they do with gradients.
struct NetworkBenchReport {
  struct Sum {
    int64_t bytes = 0;
    double seconds = 0.0;           // median
    double bfloat16_seconds = 0.0;  // median, with train.gradient_compression: bfloat16
  };

  int processes = 1;
  std::vector<Sum> sums;
};

/// All processes call it; the times are each one's own. Throws ProcessLost.
NetworkBenchReport bench_network(ProcessGroup& group, int64_t rounds);

std::string to_text(const NetworkBenchReport& report);

}  // namespace nmt
