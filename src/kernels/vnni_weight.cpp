#include "kernels/vnni_weight.h"

#ifdef NMT_HAS_ONEDNN
#include "kernels/onednn.h"
#endif

#include <algorithm>
#include <cassert>
#include <map>
#include <mutex>
#include <numeric>
#include <vector>

#include "kernels/quantize.h"

namespace nmt {

#ifdef NMT_HAS_ONEDNN

namespace {

using DataType = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;

constexpr int64_t kMaxRows = 64;  // of one product of the library

/// The library generates code for each number of rows; this keeps the variants few.
int64_t padded_rows(int64_t rows) { return rows <= 4 ? rows : (rows + 7) / 8 * 8; }

const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

/// Memory that a thread uses again for every product.
struct Workspace {
  std::vector<uint8_t> bytes;  // [rows, I]
  std::vector<float> scales;   // [rows]
  std::vector<int32_t> sums;   // [rows, O]
  std::vector<char> library;
};

template <typename Number>
Number* at_least(std::vector<Number>& values, int64_t count) {
  const auto wanted = static_cast<size_t>(count);
  if (values.size() < wanted) values.resize(wanted);
  return values.data();
}

}  // namespace

bool has_vnni() { return processor_has(dnnl::cpu_isa::avx512_core_vnni); }

struct VnniWeight::Impl {
  explicit Impl(ConstMatrix weight)
      : inputs(weight.columns),
        outputs(weight.rows),
        packed(describe(kMaxRows, Tag::any).weights_desc(), engine()),
        scales(static_cast<size_t>(outputs)),
        shifts(static_cast<size_t>(outputs)) {
    std::vector<int8_t> bytes(static_cast<size_t>(inputs * outputs));
    for (int64_t i = 0; i < outputs; ++i) {
      int8_t* row = bytes.data() + i * inputs;
      scales[static_cast<size_t>(i)] = quantize_row(weight.row(i), inputs, kLargest, row);
      shifts[static_cast<size_t>(i)] = (kLargest + 1) * std::accumulate(row, row + inputs, 0);
    }
    dnnl::memory plain({{inputs, outputs}, DataType::s8, dnnl::memory::dims{1, inputs}}, engine(),
                       bytes.data());
    dnnl::stream stream(engine());
    dnnl::reorder(plain, packed).execute(stream, plain, packed);
    stream.wait();
  }

  dnnl::memory::desc input(int64_t rows) const { return {{rows, inputs}, DataType::u8, Tag::ab}; }
  dnnl::memory::desc output(int64_t rows) const {
    return {{rows, outputs}, DataType::s32, Tag::ab};
  }

  dnnl::matmul::primitive_desc describe(int64_t rows, Tag layout) const {
    return describe_product(engine(), input(rows), {{inputs, outputs}, DataType::s8, layout},
                            output(rows));
  }

  struct Product {
    dnnl::matmul product;
    dnnl::memory::desc scratchpad;
  };

  const Product& product(int64_t rows) {
    const std::lock_guard<std::mutex> lock(mutex);
    auto& found = products[rows];
    if (!found.product) {
      // With a scratchpad of the caller's, several threads can run one product concurrently.
      dnnl::primitive_attr attributes;
      attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
      const auto description =
          describe_product(engine(), input(rows), packed.get_desc(), output(rows), attributes);
      found = {dnnl::matmul(description), description.scratchpad_desc()};
    }
    return found;
  }

  /// x of at most kMaxRows
  void multiply(ConstMatrix x, Matrix y) {
    thread_local Workspace workspace;
    thread_local dnnl::stream stream(engine());
    const int64_t rows = padded_rows(x.rows);
    const MatrixView<uint8_t> bytes(at_least(workspace.bytes, rows * inputs), x.rows, inputs);
    float* row_scales = at_least(workspace.scales, rows);
    for (int64_t i = 0; i < x.rows; ++i) {
      row_scales[i] = quantize_row(x.row(i), inputs, kLargest, bytes.row(i));
    }
    const MatrixView<int32_t> sums(at_least(workspace.sums, rows * outputs), x.rows, outputs);
    const auto& found = product(rows);
    char* scratchpad =
        at_least(workspace.library, static_cast<int64_t>(found.scratchpad.get_size()));
    found.product.execute(stream,
                          {{DNNL_ARG_SRC, {input(rows), engine(), bytes.data}},
                           {DNNL_ARG_WEIGHTS, packed},
                           {DNNL_ARG_DST, {output(rows), engine(), sums.data}},
                           {DNNL_ARG_SCRATCHPAD, {found.scratchpad, engine(), scratchpad}}});
    stream.wait();
    dequantize(sums, row_scales, scales.data(), shifts.data(), y);
  }

  int64_t inputs;
  int64_t outputs;
  dnnl::memory packed;
  std::vector<float> scales;            // [O]
  std::vector<int32_t> shifts;          // [O]  see dequantize()
  std::mutex mutex;                     // guards products
  std::map<int64_t, Product> products;  // by rows
};

void VnniWeight::multiply(ConstMatrix x, Matrix y) const {
  for (int64_t row = 0; row < x.rows; row += kMaxRows) {
    const int64_t rows = std::min(kMaxRows, x.rows - row);
    impl_->multiply(x.row_range(row, rows), y.row_range(row, rows));
  }
}

#else

bool has_vnni() { return false; }

struct VnniWeight::Impl {
  explicit Impl(ConstMatrix) { assert(false && "ask has_vnni() first"); }
};

void VnniWeight::multiply(ConstMatrix, Matrix) const {}

#endif

VnniWeight::VnniWeight(ConstMatrix weight) : impl_(std::make_unique<Impl>(weight)) {}
VnniWeight::~VnniWeight() = default;

}  // namespace nmt
