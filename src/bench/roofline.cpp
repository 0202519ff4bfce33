#include "bench/roofline.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

#include "fused/buffer.h"
#include "kernels/elementwise.h"
#include "support/thread_team.h"

namespace nmt {
namespace {

constexpr int kRounds = 5;

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double best_seconds(ThreadTeam& team, const std::function<void(int)>& work) {
  double best = 1e30;
  for (int round = 0; round < kRounds; ++round) {
    best = std::min(best, seconds_of([&] { team.run(work); }));
  }
  return best;
}

void run_product(const ProductShape& shape, ConstMatrix a, ConstMatrix b, Matrix c) {
  if (shape.transpose_a == 'T') {
    multiply_transpose_by({a.data, shape.k, shape.m}, {b.data, shape.k, shape.n},
                          {c.data, shape.m, shape.n}, shape.into);
  } else if (shape.transpose_b == 'T') {
    multiply_by_transpose({a.data, shape.m, shape.k}, {b.data, shape.n, shape.k},
                          {c.data, shape.m, shape.n}, shape.into);
  } else {
    multiply({a.data, shape.m, shape.k}, {b.data, shape.k, shape.n}, {c.data, shape.m, shape.n},
             shape.into);
  }
}

/// Operands large enough for every product of a list.
struct Operands {
  explicit Operands(const std::vector<ProductShape>& products) {
    int64_t sizes[3] = {0, 0, 0};
    for (const auto& shape : products) {
      sizes[0] = std::max(sizes[0], shape.m * shape.k);
      sizes[1] = std::max(sizes[1], shape.k * shape.n);
      sizes[2] = std::max(sizes[2], shape.m * shape.n);
    }
    for (int i = 0; i < 3; ++i) buffers[i].take_zeros(1, sizes[i]);
  }

  Buffer buffers[3];
};

}  // namespace

Roofline measure_roofline(int threads) {
  constexpr int64_t kSize = 1024;
  constexpr int64_t kFloats = int64_t{1} << 24;  // 64 MiB
  const ProductShape square{'N', 'N', kSize, kSize, kSize, Into::kReplace};
  ThreadTeam team(threads);
  Roofline roofline;
  std::vector<Operands> operands;
  std::vector<Buffer> arrays(static_cast<size_t>(threads) * 2);
  for (int i = 0; i < threads; ++i) operands.emplace_back(std::vector<ProductShape>{square});
  for (auto& array : arrays) array.take_zeros(1, kFloats);
  const double product_seconds = best_seconds(team, [&](int member) {
    compute_products_alone();
    auto& own = operands[static_cast<size_t>(member)].buffers;
    run_product(square, own[0].matrix(), own[1].matrix(), own[2].matrix());
  });
  const double pass_seconds = best_seconds(team, [&](int member) {
    const auto first = static_cast<size_t>(member) * 2;
    add(arrays[first].matrix(), arrays[first + 1].matrix());
  });
  roofline.gflops = threads * square.flop() / product_seconds / 1e9;
  constexpr double kPassBytes = 3.0 * sizeof(float) * kFloats;  // two read, one written
  roofline.gigabytes_per_s = threads * kPassBytes / pass_seconds / 1e9;
  return roofline;
}

double replay_products(const ProductLists& products) {
  ThreadTeam team(static_cast<int>(products.size()));
  std::vector<Operands> operands;
  for (const auto& list : products) operands.emplace_back(list);
  return best_seconds(team, [&](int member) {
    compute_products_alone();
    auto& own = operands[static_cast<size_t>(member)].buffers;
    for (const auto& shape : products[static_cast<size_t>(member)]) {
      run_product(shape, own[0].matrix(), own[1].matrix(), own[2].matrix());
    }
  });
}

}  // namespace nmt
