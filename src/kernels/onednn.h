#pragma once

// Differences between oneDNN 2 and 3. Included only by files that call oneDNN.
#include <oneapi/dnnl/dnnl.hpp>

namespace nmt {

inline dnnl::matmul::primitive_desc describe_product(const dnnl::engine& engine,
                                                     const dnnl::memory::desc& a,
                                                     const dnnl::memory::desc& b,
                                                     const dnnl::memory::desc& c,
                                                     const dnnl::primitive_attr& attributes = {}) {
#if DNNL_VERSION_MAJOR < 3
  return {dnnl::matmul::desc(a, b, c), attributes, engine};
#else
  return {engine, a, b, c, attributes};
#endif
}

inline bool processor_has(dnnl::cpu_isa isa) {
  const auto needed = static_cast<unsigned>(isa);
  return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & needed) == needed;
}

}  // namespace nmt
