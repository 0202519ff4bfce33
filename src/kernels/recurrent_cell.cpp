#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/recurrent_cell.cpp"
#include "kernels/recurrent_cell.h"

#include <hwy/foreach_target.h>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

/// The element at `place`; 0 without data, as at the first step.
template <class D>
HWY_INLINE hn::Vec<D> load_or_zero(D d, const float* data, int64_t place) {
  return data == nullptr ? hn::Zero(d) : hn::LoadU(d, data + place);
}

/// outer dσ/dx, for y = σ(x)
template <class D, class V>
HWY_INLINE V through_sigmoid(D d, V outer, V y) {
  return hn::Mul(outer, hn::Mul(y, hn::Sub(hn::Set(d, 1.0F), y)));
}

void gru_forward(Matrix gates, ConstMatrix hidden, const float* input_bias,
                 const float* hidden_bias, ConstMatrix previous, Matrix output) {
  const int64_t width = output.columns;
  for (int64_t row = 0; row < gates.rows; ++row) {
    float* own = gates.row(row);
    const float* products = row < previous.rows ? hidden.row(row) : nullptr;
    const float* states = row < previous.rows ? previous.row(row) : nullptr;
    float* to = output.row(row);
    vector_loop(width, [&](auto d, int64_t i) HWY_ATTR {
      using V = hn::Vec<decltype(d)>;
      const auto part = [&](int64_t gate) HWY_ATTR -> V {
        const int64_t place = gate * width + i;
        const V input = hn::Add(hn::LoadU(d, own + place), hn::LoadU(d, input_bias + place));
        return gate == 2 ? input : hn::Add(input, hn::LoadU(d, hidden_bias + place));
      };
      const V r = sigmoid(d, hn::Add(part(0), load_or_zero(d, products, i)));
      const V z = sigmoid(d, hn::Add(part(1), load_or_zero(d, products, width + i)));
      const V from_hidden = hn::Add(load_or_zero(d, products, 2 * width + i),
                                    hn::LoadU(d, hidden_bias + 2 * width + i));
      const V n = hn::Tanh(d, hn::MulAdd(r, from_hidden, part(2)));
      const V before = load_or_zero(d, states, i);
      hn::StoreU(hn::MulAdd(z, hn::Sub(before, n), n), d, to + i);  // (1 − z) n + z h_{t−1}
      hn::StoreU(r, d, own + i);
      hn::StoreU(z, d, own + width + i);
      hn::StoreU(n, d, own + 2 * width + i);
      hn::StoreU(from_hidden, d, own + 3 * width + i);
    });
  }
}

void gru_backward(Matrix gates, ConstMatrix previous, Matrix gradient) {
  const int64_t width = gradient.columns;
  for (int64_t row = 0; row < gates.rows; ++row) {
    float* own = gates.row(row);
    const float* states = row < previous.rows ? previous.row(row) : nullptr;
    float* of_state = gradient.row(row);
    vector_loop(width, [&](auto d, int64_t i) HWY_ATTR {
      using V = hn::Vec<decltype(d)>;
      const V one = hn::Set(d, 1.0F);
      const V r = hn::LoadU(d, own + i);
      const V z = hn::LoadU(d, own + width + i);
      const V n = hn::LoadU(d, own + 2 * width + i);
      const V from_hidden = hn::LoadU(d, own + 3 * width + i);
      const V before = load_or_zero(d, states, i);
      const V dh = hn::LoadU(d, of_state + i);

      const V dn = hn::Mul(hn::Mul(dh, hn::Sub(one, z)), hn::NegMulAdd(n, n, one));
      hn::StoreU(through_sigmoid(d, hn::Mul(dn, from_hidden), r), d, own + i);
      hn::StoreU(through_sigmoid(d, hn::Mul(dh, hn::Sub(before, n)), z), d, own + width + i);
      hn::StoreU(hn::Mul(dn, r), d, own + 2 * width + i);
      hn::StoreU(dn, d, own + 3 * width + i);
      hn::StoreU(hn::Mul(dh, z), d, of_state + i);
    });
  }
}

void lstm_forward(Matrix gates, const float* input_bias, const float* hidden_bias,
                  ConstMatrix previous_cell, Matrix cell, Matrix output) {
  const int64_t width = output.columns;
  for (int64_t row = 0; row < gates.rows; ++row) {
    float* own = gates.row(row);
    const float* states = row < previous_cell.rows ? previous_cell.row(row) : nullptr;
    float* new_states = cell.row(row);
    float* to = output.row(row);
    vector_loop(width, [&](auto d, int64_t at) HWY_ATTR {
      using V = hn::Vec<decltype(d)>;
      const auto part = [&](int64_t gate) HWY_ATTR -> V {
        const int64_t place = gate * width + at;
        const V bias = hn::Add(hn::LoadU(d, input_bias + place), hn::LoadU(d, hidden_bias + place));
        return hn::Add(hn::LoadU(d, own + place), bias);
      };
      const V i = sigmoid(d, part(0));
      const V f = sigmoid(d, part(1));
      const V g = hn::Tanh(d, part(2));
      const V o = sigmoid(d, part(3));
      const V c = hn::MulAdd(f, load_or_zero(d, states, at), hn::Mul(i, g));
      hn::StoreU(c, d, new_states + at);
      hn::StoreU(hn::Mul(o, hn::Tanh(d, c)), d, to + at);
      hn::StoreU(i, d, own + at);
      hn::StoreU(f, d, own + width + at);
      hn::StoreU(g, d, own + 2 * width + at);
      hn::StoreU(o, d, own + 3 * width + at);
    });
  }
}

void lstm_backward(Matrix gates, ConstMatrix previous_cell, ConstMatrix cell, ConstMatrix gradient,
                   Matrix cell_gradient) {
  const int64_t width = cell.columns;
  for (int64_t row = 0; row < gates.rows; ++row) {
    float* own = gates.row(row);
    const float* states = row < previous_cell.rows ? previous_cell.row(row) : nullptr;
    const float* new_states = cell.row(row);
    const float* of_output = gradient.data == nullptr ? nullptr : gradient.row(row);
    float* of_cell = cell_gradient.row(row);
    vector_loop(width, [&](auto d, int64_t at) HWY_ATTR {
      using V = hn::Vec<decltype(d)>;
      const V one = hn::Set(d, 1.0F);
      const V i = hn::LoadU(d, own + at);
      const V f = hn::LoadU(d, own + width + at);
      const V g = hn::LoadU(d, own + 2 * width + at);
      const V o = hn::LoadU(d, own + 3 * width + at);
      const V before = load_or_zero(d, states, at);
      const V tanh_c = hn::Tanh(d, hn::LoadU(d, new_states + at));
      const V dh = load_or_zero(d, of_output, at);

      const V dc = hn::MulAdd(hn::Mul(dh, o), hn::NegMulAdd(tanh_c, tanh_c, one),
                              hn::LoadU(d, of_cell + at));
      hn::StoreU(through_sigmoid(d, hn::Mul(dc, g), i), d, own + at);
      hn::StoreU(through_sigmoid(d, hn::Mul(dc, before), f), d, own + width + at);
      hn::StoreU(hn::Mul(hn::Mul(dc, i), hn::NegMulAdd(g, g, one)), d, own + 2 * width + at);
      if (of_output != nullptr) {
        hn::StoreU(through_sigmoid(d, hn::Mul(dh, tanh_c), o), d, own + 3 * width + at);
      }
      hn::StoreU(hn::Mul(dc, f), d, of_cell + at);
    });
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
      hn::StoreU(through_sigmoid(d, hn::Mul(of_output, tanh_n), o), d, gate + i);
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
