#include "benchmarks/roofline.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "benchmarks/measure.h"
#include "fused/buffer.h"
#include "kernels/bfloat16.h"
#include "kernels/elementwise.h"
#include "kernels/packed_weight.h"

namespace nmt {
namespace {

constexpr int kRounds = 5;

double best_seconds(ThreadTeam& team, const std::function<void(int)>& work) {
  double best = 1e30;
  for (int round = 0; round < kRounds; ++round) {
    best = std::min(best, seconds_of([&] { team.run(work); }));
  }
  return best;
}

/// Operands large enough for every product of a list.
class Operands {
 public:
  explicit Operands(const std::vector<RecordedProduct>& products) {
    int64_t sizes[3] = {0, 0, 0};
    for (const auto& product : products) {
      const auto& shape = product.shape;
      sizes[0] = std::max(sizes[0], shape.m * shape.k);
      sizes[1] = std::max(sizes[1], shape.k * shape.n);
      sizes[2] = std::max(sizes[2], shape.m * shape.n);
    }
    for (int i = 0; i < 3; ++i) buffers_[i].take_zeros(1, sizes[i]);
  }

  void run(const RecordedProduct& product) const {
    const auto& shape = product.shape;
    if (product.packed != nullptr) {
      product.packed->multiply({buffers_[0].matrix().data, shape.m, shape.k},
                               {buffers_[2].matrix().data, shape.m, shape.n});
      return;
    }
    const bool transpose_a = shape.transpose_a == 'T', transpose_b = shape.transpose_b == 'T';
    const auto factor = [&](const Buffer& buffer, int64_t rows, int64_t columns) -> Factor {
      float* data = buffer.matrix().data;
      if (!product.bfloat16) return ConstMatrix(data, rows, columns);
      return ConstBfloat16Matrix(reinterpret_cast<Bfloat16*>(data), rows, columns);
    };
    multiply(shape,
             factor(buffers_[0], transpose_a ? shape.k : shape.m, transpose_a ? shape.m : shape.k),
             factor(buffers_[1], transpose_b ? shape.n : shape.k, transpose_b ? shape.k : shape.n),
             {buffers_[2].matrix().data, shape.m, shape.n});
  }

 private:
  Buffer buffers_[3];
};

/// Floating-point operations a second of a product that every thread computes for itself.
double measure_gflops(ThreadTeam& team, const RecordedProduct& product) {
  std::vector<Operands> operands;
  operands.reserve(static_cast<size_t>(team.size()));
  for (int i = 0; i < team.size(); ++i) operands.emplace_back(std::vector{product});
  const double seconds = best_seconds(team, [&](int member) {
    compute_products_alone();
    operands[static_cast<size_t>(member)].run(product);
  });
  return team.size() * flop_of(product.shape) / seconds / 1e9;
}

double measure_bandwidth(ThreadTeam& team) {
  constexpr int64_t kFloats = int64_t{1} << 24;  // 64 MiB
  std::vector<Buffer> arrays(static_cast<size_t>(team.size()) * 2);
  for (auto& array : arrays) array.take_zeros(1, kFloats);
  const double seconds = best_seconds(team, [&](int member) {
    const auto first = static_cast<size_t>(member) * 2;
    add(arrays[first].matrix(), arrays[first + 1].matrix());
  });
  constexpr double kPassBytes = 3.0 * sizeof(float) * kFloats;  // two read, one written
  return team.size() * kPassBytes / seconds / 1e9;
}

}  // namespace

Roofline measure_roofline(int threads) {
  constexpr int64_t kSize = 1024;
  const ProductShape square{'N', 'N', kSize, kSize, kSize, WriteMode::kOverwrite};
  ThreadTeam team(threads);
  Roofline roofline;
  roofline.gflops = measure_gflops(team, {square});
  if (has_bfloat16_products()) roofline.bfloat16_gflops = measure_gflops(team, {square, true});
  roofline.gigabytes_per_s = measure_bandwidth(team);
  return roofline;
}

double flop_of(const ProductShape& shape) {
  return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) *
         static_cast<double>(shape.k);
}

ProductLists record_products(ThreadTeam& team, const std::function<void()>& work) {
  std::vector<std::unique_ptr<ProductRecorder>> recorders(static_cast<size_t>(team.size()));
  team.run([&](int member) {
    recorders[static_cast<size_t>(member)] = std::make_unique<ProductRecorder>();
  });
  work();
  ProductLists lists(recorders.size());
  team.run([&](int member) {
    auto& recorder = recorders[static_cast<size_t>(member)];
    lists[static_cast<size_t>(member)] = recorder->products();
    recorder.reset();  // on the thread that made it
  });
  return lists;
}

double replay_products(const ProductLists& products) {
  ThreadTeam team(static_cast<int>(products.size()));
  std::vector<Operands> operands;
  for (const auto& list : products) operands.emplace_back(list);
  return best_seconds(team, [&](int member) {
    compute_products_alone();
    const auto& own = operands[static_cast<size_t>(member)];
    for (const auto& product : products[static_cast<size_t>(member)]) own.run(product);
  });
}

}  // namespace nmt
