#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/recurrent_cell.cpp"
#include "kernels/recurrent_cell.h"

#include <hwy/foreach_target.h>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

struct GruBiases {
  const float* input;
  const float* hidden;
};

// `hidden` and `previous` are null at the first step.
HWY_INLINE void gru_row_forward(int64_t width, float* gates, const float* hidden, GruBiases bias,
                                const float* previous, float* output) {
  vector_loop(width, [&](auto d, int64_t i) HWY_ATTR {
    using V = hn::Vec<decltype(d)>;
    const auto part = [&](int64_t gate) HWY_ATTR -> V {
      const V input = hn::Add(hn::LoadU(d, gates + gate * width + i),
                              hn::LoadU(d, bias.input + gate * width + i));
      return gate == 2 ? input : hn::Add(input, hn::LoadU(d, bias.hidden + gate * width + i));
    };
    const auto product = [&](int64_t gate) HWY_ATTR -> V {
      return hidden == nullptr ? hn::Zero(d) : hn::LoadU(d, hidden + gate * width + i);
    };
    const V r = sigmoid(d, hn::Add(part(0), product(0)));
    const V z = sigmoid(d, hn::Add(part(1), product(1)));
    const V from_hidden = hn::Add(product(2), hn::LoadU(d, bias.hidden + 2 * width + i));
    const V n = hn::Tanh(d, hn::MulAdd(r, from_hidden, part(2)));
    const V before = previous == nullptr ? hn::Zero(d) : hn::LoadU(d, previous + i);
    hn::StoreU(hn::MulAdd(z, hn::Sub(before, n), n), d, output + i);  // (1 − z) n + z h_{t−1}
    hn::StoreU(r, d, gates + i);
    hn::StoreU(z, d, gates + width + i);
    hn::StoreU(n, d, gates + 2 * width + i);
    hn::StoreU(from_hidden, d, gates + 3 * width + i);
  });
}

void gru_forward(Matrix gates, ConstMatrix hidden, const float* input_bias,
                 const float* hidden_bias, ConstMatrix previous, Matrix output) {
  for (int64_t row = 0; row < gates.rows; ++row) {
    const bool has_previous = row < previous.rows;
    gru_row_forward(output.columns, gates.row(row), has_previous ? hidden.row(row) : nullptr,
                    {input_bias, hidden_bias}, has_previous ? previous.row(row) : nullptr,
                    output.row(row));
  }
}

HWY_INLINE void gru_row_backward(int64_t width, float* gates, const float* previous,
                                 float* gradient) {
  vector_loop(width, [&](auto d, int64_t i) HWY_ATTR {
    using V = hn::Vec<decltype(d)>;
    const V one = hn::Set(d, 1.0F);
    const V r = hn::LoadU(d, gates + i);
    const V z = hn::LoadU(d, gates + width + i);
    const V n = hn::LoadU(d, gates + 2 * width + i);
    const V from_hidden = hn::LoadU(d, gates + 3 * width + i);
    const V before = previous == nullptr ? hn::Zero(d) : hn::LoadU(d, previous + i);
    const V dh = hn::LoadU(d, gradient + i);

    const V dn = hn::Mul(hn::Mul(dh, hn::Sub(one, z)), hn::NegMulAdd(n, n, one));
    const V dz = hn::Mul(hn::Mul(dh, hn::Sub(before, n)), hn::Mul(z, hn::Sub(one, z)));
    const V dr = hn::Mul(hn::Mul(dn, from_hidden), hn::Mul(r, hn::Sub(one, r)));
    hn::StoreU(dr, d, gates + i);
    hn::StoreU(dz, d, gates + width + i);
    hn::StoreU(hn::Mul(dn, r), d, gates + 2 * width + i);
    hn::StoreU(dn, d, gates + 3 * width + i);
    hn::StoreU(hn::Mul(dh, z), d, gradient + i);
  });
}

void gru_backward(Matrix gates, ConstMatrix previous, Matrix gradient) {
  for (int64_t row = 0; row < gates.rows; ++row) {
    gru_row_backward(gradient.columns, gates.row(row),
                     row < previous.rows ? previous.row(row) : nullptr, gradient.row(row));
  }
}

HWY_INLINE void lstm_row_forward(int64_t width, float* gates, const float* input_bias,
                                 const float* hidden_bias, const float* previous_cell, float* cell,
                                 float* output) {
  vector_loop(width, [&](auto d, int64_t at) HWY_ATTR {
    using V = hn::Vec<decltype(d)>;
    const auto part = [&](int64_t gate) HWY_ATTR -> V {
      const int64_t place = gate * width + at;
      return hn::Add(hn::LoadU(d, gates + place),
                     hn::Add(hn::LoadU(d, input_bias + place), hn::LoadU(d, hidden_bias + place)));
    };
    const V i = sigmoid(d, part(0));
    const V f = sigmoid(d, part(1));
    const V g = hn::Tanh(d, part(2));
    const V o = sigmoid(d, part(3));
    const V before = previous_cell == nullptr ? hn::Zero(d) : hn::LoadU(d, previous_cell + at);
    const V c = hn::MulAdd(f, before, hn::Mul(i, g));
    hn::StoreU(c, d, cell + at);
    hn::StoreU(hn::Mul(o, hn::Tanh(d, c)), d, output + at);
    hn::StoreU(i, d, gates + at);
    hn::StoreU(f, d, gates + width + at);
    hn::StoreU(g, d, gates + 2 * width + at);
    hn::StoreU(o, d, gates + 3 * width + at);
  });
}

void lstm_forward(Matrix gates, const float* input_bias, const float* hidden_bias,
                  ConstMatrix previous_cell, Matrix cell, Matrix output) {
  for (int64_t row = 0; row < gates.rows; ++row) {
    lstm_row_forward(output.columns, gates.row(row), input_bias, hidden_bias,
                     row < previous_cell.rows ? previous_cell.row(row) : nullptr, cell.row(row),
                     output.row(row));
  }
}

HWY_INLINE void lstm_row_backward(int64_t width, float* gates, const float* previous_cell,
                                  const float* cell, const float* gradient, float* cell_gradient) {
  vector_loop(width, [&](auto d, int64_t at) HWY_ATTR {
    using V = hn::Vec<decltype(d)>;
    const V one = hn::Set(d, 1.0F);
    const V i = hn::LoadU(d, gates + at);
    const V f = hn::LoadU(d, gates + width + at);
    const V g = hn::LoadU(d, gates + 2 * width + at);
    const V o = hn::LoadU(d, gates + 3 * width + at);
    const V before = previous_cell == nullptr ? hn::Zero(d) : hn::LoadU(d, previous_cell + at);
    const V tanh_c = hn::Tanh(d, hn::LoadU(d, cell + at));
    const V dh = gradient == nullptr ? hn::Zero(d) : hn::LoadU(d, gradient + at);

    const V dc = hn::MulAdd(hn::Mul(dh, o), hn::NegMulAdd(tanh_c, tanh_c, one),
                            hn::LoadU(d, cell_gradient + at));
    const auto through_sigmoid = [&](V outer, V y) HWY_ATTR {
      return hn::Mul(outer, hn::Mul(y, hn::Sub(one, y)));
    };
    hn::StoreU(through_sigmoid(hn::Mul(dc, g), i), d, gates + at);
    hn::StoreU(through_sigmoid(hn::Mul(dc, before), f), d, gates + width + at);
    hn::StoreU(hn::Mul(hn::Mul(dc, i), hn::NegMulAdd(g, g, one)), d, gates + 2 * width + at);
    if (gradient != nullptr) {
      hn::StoreU(through_sigmoid(hn::Mul(dh, tanh_c), o), d, gates + 3 * width + at);
    }
    hn::StoreU(hn::Mul(dc, f), d, cell_gradient + at);
  });
}

void lstm_backward(Matrix gates, ConstMatrix previous_cell, ConstMatrix cell, ConstMatrix gradient,
                   Matrix cell_gradient) {
  for (int64_t row = 0; row < gates.rows; ++row) {
    lstm_row_backward(cell.columns, gates.row(row),
                      row < previous_cell.rows ? previous_cell.row(row) : nullptr, cell.row(row),
                      gradient.data == nullptr ? nullptr : gradient.row(row),
                      cell_gradient.row(row));
  }
}

void lstm_output_forward(ConstMatrix gates, ConstMatrix n, Matrix output) {
  const int64_t width = output.columns;
  for (int64_t row = 0; row < output.rows; ++row) {
    const float* o = gates.row(row) + 3 * width;
    vector_loop(width, [&](auto d, int64_t i) HWY_ATTR {
      const auto tanh_n = hn::Tanh(d, hn::LoadU(d, n.row(row) + i));
      hn::StoreU(hn::Mul(hn::LoadU(d, o + i), tanh_n), d, output.row(row) + i);
    });
  }
}

void lstm_output_backward(Matrix gates, ConstMatrix n, Matrix gradient) {
  const int64_t width = gradient.columns;
  for (int64_t row = 0; row < gradient.rows; ++row) {
    float* gate = gates.row(row) + 3 * width;
    float* dh = gradient.row(row);
    vector_loop(width, [&](auto d, int64_t i) HWY_ATTR {
      using V = hn::Vec<decltype(d)>;
      const V one = hn::Set(d, 1.0F);
      const V o = hn::LoadU(d, gate + i);
      const V tanh_n = hn::Tanh(d, hn::LoadU(d, n.row(row) + i));
      const V of_output = hn::LoadU(d, dh + i);
      const V through_sigmoid = hn::Mul(o, hn::Sub(one, o));
      hn::StoreU(hn::Mul(hn::Mul(of_output, tanh_n), through_sigmoid), d, gate + i);
      hn::StoreU(hn::Mul(hn::Mul(of_output, o), hn::NegMulAdd(tanh_n, tanh_n, one)), d, dh + i);
    });
  }
}

/// The input of a gate's non-linearity, without the contribution of the hidden state.
template <class D>
HWY_INLINE hn::Vec<D> from_input(D d, const float* input, const float* addend, int64_t place) {
  const auto added = hn::LoadU(d, addend + place);
  return input == nullptr ? added : hn::Add(added, hn::LoadU(d, input + place));
}

template <class D>
HWY_INLINE hn::Vec<D> from_hidden_state(D d, const float* product, const float* bias,
                                        int64_t place) {
  return hn::Add(hn::LoadU(d, product + place), hn::LoadU(d, bias + place));
}

HWY_INLINE const float* input_row(const CellInput& input, int64_t row) {
  return input.product.data == nullptr ? nullptr : input.product.row(operand_row(input.rows, row));
}

void gru_step(const CellInput& input, const CellState& state, Matrix output) {
  const int64_t width = output.columns;
  for (int64_t row = 0; row < output.rows; ++row) {
    const int64_t from = operand_row(state.rows, row);
    const float* x = input_row(input, row);
    vector_loop(width, [&](auto d, int64_t i) HWY_ATTR {
      using V = hn::Vec<decltype(d)>;
      const auto input_part = [&](int64_t gate) HWY_ATTR -> V {
        return from_input(d, x, input.addends[row], gate * width + i);
      };
      const auto hidden_part = [&](int64_t gate) HWY_ATTR -> V {
        return from_hidden_state(d, state.product.row(from), state.bias, gate * width + i);
      };
      const V r = sigmoid(d, hn::Add(input_part(0), hidden_part(0)));
      const V z = sigmoid(d, hn::Add(input_part(1), hidden_part(1)));
      const V n = hn::Tanh(d, hn::MulAdd(r, hidden_part(2), input_part(2)));
      const V before = hn::LoadU(d, state.previous.row(from) + i);
      hn::StoreU(hn::MulAdd(z, hn::Sub(before, n), n), d, output.row(row) + i);
    });
  }
}

void lstm_step(const CellInput& input, const CellState& state, Matrix cell, Matrix output) {
  const int64_t width = output.columns;
  for (int64_t row = 0; row < output.rows; ++row) {
    const int64_t from = operand_row(state.rows, row);
    const float* x = input_row(input, row);
    vector_loop(width, [&](auto d, int64_t at) HWY_ATTR {
      using V = hn::Vec<decltype(d)>;
      const auto part = [&](int64_t gate) HWY_ATTR -> V {
        const int64_t place = gate * width + at;
        return hn::Add(from_input(d, x, input.addends[row], place),
                       from_hidden_state(d, state.product.row(from), state.bias, place));
      };
      const V kept = hn::Mul(sigmoid(d, part(1)), hn::LoadU(d, state.previous.row(from) + at));
      const V c = hn::MulAdd(sigmoid(d, part(0)), hn::Tanh(d, part(2)), kept);
      hn::StoreU(c, d, cell.row(row) + at);
      hn::StoreU(hn::Mul(sigmoid(d, part(3)), hn::Tanh(d, c)), d, output.row(row) + at);
    });
  }
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

NMT_KERNEL(void, gru_forward,
           (Matrix gates, ConstMatrix hidden, const float* input_bias, const float* hidden_bias,
            ConstMatrix previous, Matrix output),
           (gates, hidden, input_bias, hidden_bias, previous, output));
NMT_KERNEL(void, gru_backward, (Matrix gates, ConstMatrix previous, Matrix gradient),
           (gates, previous, gradient));
NMT_KERNEL(void, lstm_forward,
           (Matrix gates, const float* input_bias, const float* hidden_bias,
            ConstMatrix previous_cell, Matrix cell, Matrix output),
           (gates, input_bias, hidden_bias, previous_cell, cell, output));
NMT_KERNEL(void, lstm_backward,
           (Matrix gates, ConstMatrix previous_cell, ConstMatrix cell, ConstMatrix gradient,
            Matrix cell_gradient),
           (gates, previous_cell, cell, gradient, cell_gradient));
NMT_KERNEL(void, lstm_output_forward, (ConstMatrix gates, ConstMatrix n, Matrix output),
           (gates, n, output));
NMT_KERNEL(void, lstm_output_backward, (Matrix gates, ConstMatrix n, Matrix gradient),
           (gates, n, gradient));
NMT_KERNEL(void, gru_step, (const CellInput& input, const CellState& state, Matrix output),
           (input, state, output));
NMT_KERNEL(void, lstm_step,
           (const CellInput& input, const CellState& state, Matrix cell, Matrix output),
           (input, state, cell, output));

}  // namespace nmt
#endif
