#include "kernels/bfloat16.h"

#ifdef NMT_HAS_ONEDNN
#include <oneapi/dnnl/dnnl.hpp>
#endif

#include <array>
#include <cassert>

namespace nmt {

Bfloat16Matrix rounded(ConstMatrix matrix, std::vector<Bfloat16>& workspace) {
  const auto size = static_cast<size_t>(matrix.rows * matrix.columns);
  if (workspace.size() < size) workspace.resize(size);
  const Bfloat16Matrix result(workspace.data(), matrix.rows, matrix.columns);
  round_to_bfloat16(matrix, result);
  return result;
}

#ifdef NMT_HAS_ONEDNN

namespace {

using Dims = dnnl::memory::dims;
using DataType = dnnl::memory::data_type;

dnnl::memory::desc description(char transposed, int64_t rows, int64_t columns, int64_t stride,
                               DataType type) {
  return {Dims{rows, columns}, type, transposed == 'T' ? Dims{1, stride} : Dims{stride, 1}};
}

// The constructor differs between oneDNN 2 and 3.
dnnl::matmul::primitive_desc describe_product(const dnnl::engine& engine,
                                              const dnnl::memory::desc& a,
                                              const dnnl::memory::desc& b,
                                              const dnnl::memory::desc& c,
                                              const dnnl::primitive_attr& attributes) {
#if DNNL_VERSION_MAJOR < 3
  return {dnnl::matmul::desc(a, b, c), attributes, engine};
#else
  return {engine, a, b, c, attributes};
#endif
}

/// A oneDNN primitive for the transposes and mode of `shape`, with sizes given at run time: a
/// primitive made for one size is no faster, and a training run has many sizes.
dnnl::matmul make_product(const ProductShape& shape, const dnnl::engine& engine) {
  constexpr auto kAny = DNNL_RUNTIME_DIM_VAL;
  const auto a = description(shape.transpose_a, kAny, kAny, kAny, DataType::bf16);
  const auto b = description(shape.transpose_b, kAny, kAny, kAny, DataType::bf16);
  const auto c = description('N', kAny, kAny, kAny, DataType::f32);
  dnnl::primitive_attr attributes;
  if (shape.mode == WriteMode::kAccumulate) {
    dnnl::post_ops sum;
    sum.append_sum(1.0F);
    attributes.set_post_ops(sum);
  }
  return dnnl::matmul(describe_product(engine, a, b, c, attributes));
}

/// The products of one thread.
struct Products {
  Products() : engine(dnnl::engine::kind::cpu, 0), stream(engine) {}

  dnnl::matmul& find(const ProductShape& shape) {
    const size_t place = (shape.transpose_a == 'T' ? 4U : 0U) |
                         (shape.transpose_b == 'T' ? 2U : 0U) |
                         (shape.mode == WriteMode::kAccumulate ? 1U : 0U);
    auto& product = made[place];
    if (!product) product = make_product(shape, engine);
    return product;
  }

  dnnl::engine engine;
  dnnl::stream stream;
  std::array<dnnl::matmul, 8> made;
};

}  // namespace

bool has_bfloat16_products() {
  constexpr auto kNeeded = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_bf16);
  return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & kNeeded) == kNeeded;
}

void bfloat16_product(const ProductShape& shape, ConstBfloat16Matrix a, ConstBfloat16Matrix b,
                      Matrix c) {
  thread_local Products products;
  const auto memory = [&](char transposed, int64_t rows, int64_t columns, const auto& matrix,
                          DataType type) {
    using Number = std::remove_const_t<std::remove_pointer_t<decltype(matrix.data)>>;
    return dnnl::memory(description(transposed, rows, columns, matrix.stride, type),
                        products.engine, const_cast<Number*>(matrix.data));
  };
  products.find(shape).execute(
      products.stream,
      {{DNNL_ARG_SRC, memory(shape.transpose_a, shape.m, shape.k, a, DataType::bf16)},
       {DNNL_ARG_WEIGHTS, memory(shape.transpose_b, shape.k, shape.n, b, DataType::bf16)},
       {DNNL_ARG_DST, memory('N', shape.m, shape.n, c, DataType::f32)}});
  products.stream.wait();
}

#else

bool has_bfloat16_products() { return false; }

void bfloat16_product(const ProductShape&, ConstBfloat16Matrix, ConstBfloat16Matrix, Matrix) {
  assert(false && "ask has_bfloat16_products() first");
}

#endif

}  // namespace nmt
