#pragma once

#include <functional>
#include <vector>

#include "kernels/matrix_product.h"
#include "threads/thread_team.h"

namespace nmt {

/// What this machine can do, measured just now, with threads that do not wait for each other.
struct Roofline {
  double gflops = 0.0;           // of large matrix products, all threads together
  double bfloat16_gflops = 0.0;  // likewise; 0: this machine has none
  double gigabytes_per_s = 0.0;  // read and written, of arrays that no cache holds
};

Roofline measure_roofline(int threads);

/// Floating-point operations of one product.
double flop_of(const ProductShape& shape);

/// Products of each thread, in order.
using ProductLists = std::vector<std::vector<RecordedProduct>>;

/// The products that each thread of the team makes while `work` runs.
ProductLists record_products(ThreadTeam& team, const std::function<void()>& work);

/// Seconds that these products take back to back, each thread its own list, on operands of the same
/// shapes: what a training step would cost if it did nothing else.
double replay_products(const ProductLists& products);

}  // namespace nmt
