#include "kernels/packed_weight.h"

#ifdef NMT_HAS_ONEDNN
#include "kernels/onednn.h"
#endif

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <mutex>
#include <vector>

#include "kernels/matrix_product.h"
#include "kernels/quantize.h"

namespace nmt {

#ifdef NMT_HAS_ONEDNN

namespace {

using DataType = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;

constexpr int64_t kTypicalRows = 64;  // the layout is best for this, and good for any other

const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

/// Without VNNI pairs of products are added up in 16 bits: smaller weights do not overflow them.
int largest_weight() { return processor_has(dnnl::cpu_isa::avx512_core_vnni) ? 127 : 63; }

/// Room that a thread uses again and again.
struct Scratch {
  std::vector<uint8_t> bytes;
  std::vector<float> scales;
  std::vector<char> library;  // where oneDNN keeps what it needs while it multiplies
};

Scratch& own_scratch() {
  thread_local Scratch room;
  return room;
}

Scratch& scratch(int64_t rows, int64_t columns) {
  auto& room = own_scratch();
  const auto wanted = static_cast<size_t>(rows * columns);
  if (room.bytes.size() < wanted) room.bytes.resize(wanted);
  if (room.scales.size() < static_cast<size_t>(rows)) room.scales.resize(static_cast<size_t>(rows));
  return room;
}

}  // namespace

bool has_int8_products() { return true; }

std::vector<float> int8_rounding(ConstMatrix weight) {
  std::vector<int8_t> bytes(static_cast<size_t>(weight.columns));
  std::vector<float> norms;
  for (int64_t row = 0; row < weight.rows; ++row) {
    float scale = 0;
    quantize_rows(weight.row_range(row, 1), largest_weight(), {bytes.data(), 1, weight.columns},
                  &scale);
    double sum = 0;
    for (int64_t i = 0; i < weight.columns; ++i) {
      const double wrong =
          double{weight.row(row)[i]} - double{scale} * bytes[static_cast<size_t>(i)];
      sum += wrong * wrong;
    }
    norms.push_back(static_cast<float>(std::sqrt(sum)));
  }
  return norms;
}

struct PackedWeight::Impl {
  Impl(ConstMatrix weight, WeightType weight_type)
      : type(weight_type), inputs(weight.columns), outputs(weight.rows) {
    packed = dnnl::memory(describe(kTypicalRows, Tag::any).weights_desc(), engine());
    if (type == WeightType::kInt8) {
      pack_bytes(weight);
    } else {
      pack(DataType::f32, const_cast<float*>(weight.data), weight.stride);
    }
  }

  dnnl::memory::desc input(int64_t rows) const {
    return {{rows, inputs}, type == WeightType::kInt8 ? DataType::u8 : DataType::f32, Tag::ab};
  }
  dnnl::memory::desc output(int64_t rows) const {
    return {{rows, outputs}, type == WeightType::kInt8 ? DataType::s32 : DataType::f32, Tag::ab};
  }

  dnnl::matmul::primitive_desc describe(int64_t rows, Tag layout) const {
    const auto number = type == WeightType::kInt8 ? DataType::s8 : DataType::f32;
    return describe_product(engine(), input(rows), {{inputs, outputs}, number, layout},
                            output(rows));
  }

  void pack(DataType number, void* weight, int64_t stride) {
    dnnl::memory plain({{inputs, outputs}, number, dnnl::memory::dims{1, stride}}, engine(),
                       weight);
    dnnl::stream stream(engine());
    dnnl::reorder(plain, packed).execute(stream, plain, packed);
    stream.wait();
  }

  void pack_bytes(ConstMatrix weight) {
    std::vector<int8_t> bytes(static_cast<size_t>(inputs * outputs));
    const MatrixView<int8_t> rows(bytes.data(), outputs, inputs);
    scales.resize(static_cast<size_t>(outputs));
    sums.resize(static_cast<size_t>(outputs));
    quantize_rows(weight, largest_weight(), rows, scales.data());
    for (int64_t i = 0; i < outputs; ++i) {
      int32_t sum = 0;
      for (int64_t j = 0; j < inputs; ++j) sum += rows.row(i)[j];
      sums[static_cast<size_t>(i)] = kByteShift * sum;
    }
    pack(DataType::s8, bytes.data(), inputs);
  }

  struct Product {
    dnnl::matmul product;
    dnnl::memory::desc scratchpad;
  };

  const Product& product(int64_t rows) {
    const std::lock_guard<std::mutex> lock(mutex);
    auto& found = products[rows];
    if (!found.product) {
      // With room of the caller's a product may run on several threads at once.
      dnnl::primitive_attr attributes;
      attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
      const auto description =
          describe_product(engine(), input(rows), packed.get_desc(), output(rows), attributes);
      found = {dnnl::matmul(description), description.scratchpad_desc()};
    }
    return found;
  }

  void run(int64_t rows, const void* x, float* y) {
    thread_local dnnl::stream stream(engine());
    const auto& found = product(rows);
    auto& room = own_scratch().library;
    if (room.size() < found.scratchpad.get_size()) room.resize(found.scratchpad.get_size());
    found.product.execute(stream,
                          {{DNNL_ARG_SRC, {input(rows), engine(), const_cast<void*>(x)}},
                           {DNNL_ARG_WEIGHTS, packed},
                           {DNNL_ARG_DST, {output(rows), engine(), y}},
                           {DNNL_ARG_SCRATCHPAD, {found.scratchpad, engine(), room.data()}}});
    stream.wait();
  }

  WeightType type;
  int64_t inputs;
  int64_t outputs;
  dnnl::memory packed;
  std::vector<float> scales;            // of kInt8: of each output
  std::vector<int32_t> sums;            // of kInt8: see quantize.h
  std::mutex mutex;                     // guards what follows
  std::map<int64_t, Product> products;  // by rows
};

void PackedWeight::multiply(ConstMatrix x, Matrix y) const {
  assert(x.stride == x.columns && y.stride == y.columns && x.rows == y.rows);
  if (x.rows == 0) return;
  record_product({{'N', 'T', x.rows, outputs(), inputs()}, false, this});
  if (impl_->type == WeightType::kFloat32) {
    impl_->run(x.rows, x.data, y.data);
    return;
  }
  auto& room = scratch(x.rows, x.columns);
  quantize_rows_unsigned(x, {room.bytes.data(), x.rows, x.columns}, room.scales.data());
  impl_->run(x.rows, room.bytes.data(), y.data);
  dequantize(y, room.scales.data(), impl_->scales.data(), impl_->sums.data());
}

#else

bool has_int8_products() { return false; }

std::vector<float> int8_rounding(ConstMatrix weight) {
  return std::vector<float>(static_cast<size_t>(weight.rows));
}

struct PackedWeight::Impl {
  Impl(ConstMatrix weight, WeightType) : inputs(weight.columns), outputs(weight.rows) {
    for (int64_t row = 0; row < outputs; ++row) {
      values.insert(values.end(), weight.row(row), weight.row(row) + inputs);
    }
  }

  int64_t inputs;
  int64_t outputs;
  std::vector<float> values;
};

void PackedWeight::multiply(ConstMatrix x, Matrix y) const {
  const ConstMatrix weight(impl_->values.data(), impl_->outputs, impl_->inputs);
  multiply_by_transpose(x, weight, y, Into::kReplace);
}

#endif

PackedWeight::PackedWeight(ConstMatrix weight, WeightType type)
    : impl_(std::make_unique<Impl>(weight, type)) {}
PackedWeight::~PackedWeight() = default;
PackedWeight::PackedWeight(PackedWeight&&) noexcept = default;
PackedWeight& PackedWeight::operator=(PackedWeight&&) noexcept = default;

int64_t PackedWeight::inputs() const { return impl_->inputs; }
int64_t PackedWeight::outputs() const { return impl_->outputs; }

}  // namespace nmt
