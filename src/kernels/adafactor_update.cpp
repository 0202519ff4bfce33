#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adafactor_update.cpp"
#include "kernels/adafactor_update.h"

#include <hwy/foreach_target.h>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

float add_squares(int64_t count, float scale, const float* gradient, float* sums) {
  return vector_sum(count, [&](auto d, int64_t i) HWY_ATTR {
    const auto g = hn::Mul(hn::LoadU(d, gradient + i), hn::Set(d, scale));
    const auto square = hn::Mul(g, g);
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), square), d, sums + i);
    return square;
  });
}

float scale_row(int64_t count, float factor, const float* column_factors, float* gradient) {
  return vector_sum(count, [&](auto d, int64_t i) HWY_ATTR {
    const auto scaled = hn::Mul(hn::LoadU(d, gradient + i), hn::Set(d, factor));
    const auto u = hn::Mul(scaled, hn::LoadU(d, column_factors + i));
    hn::StoreU(u, d, gradient + i);
    return hn::Mul(u, u);
  });
}

float scale_by_second_moment(const SecondMomentStep& step, int64_t count, float* gradient,
                             float* second_moment) {
  return vector_sum(count, [&](auto d, int64_t i) HWY_ATTR {
    const auto g = hn::Mul(hn::LoadU(d, gradient + i), hn::Set(d, step.gradient_scale));
    const auto square = hn::MulAdd(g, g, hn::Set(d, step.epsilon));
    const auto kept = hn::Mul(hn::Set(d, step.beta2), hn::LoadU(d, second_moment + i));
    const auto v = hn::MulAdd(hn::Set(d, step.one_minus_beta2), square, kept);
    const auto u = hn::Div(g, hn::Sqrt(v));
    hn::StoreU(v, d, second_moment + i);
    hn::StoreU(u, d, gradient + i);
    return hn::Mul(u, u);
  });
}

void move_parameters(float step_size, float shrinkage, int64_t count, float* parameters, float* u) {
  vector_loop(count, [&](auto d, int64_t i) HWY_ATTR {
    const auto theta = hn::Mul(hn::LoadU(d, parameters + i), hn::Set(d, shrinkage));
    const auto moved = hn::NegMulAdd(hn::Set(d, step_size), hn::LoadU(d, u + i), theta);
    hn::StoreU(moved, d, parameters + i);
    hn::StoreU(hn::Zero(d), d, u + i);
  });
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

HWY_EXPORT(add_squares);
HWY_EXPORT(scale_row);
HWY_EXPORT(scale_by_second_moment);
HWY_EXPORT(move_parameters);

float add_squares(int64_t count, float scale, const float* gradient, float* sums) {
  return HWY_DYNAMIC_DISPATCH(add_squares)(count, scale, gradient, sums);
}

float scale_row(int64_t count, float factor, const float* column_factors, float* gradient) {
  return HWY_DYNAMIC_DISPATCH(scale_row)(count, factor, column_factors, gradient);
}

float scale_by_second_moment(const SecondMomentStep& step, int64_t count, float* gradient,
                             float* second_moment) {
  return HWY_DYNAMIC_DISPATCH(scale_by_second_moment)(step, count, gradient, second_moment);
}

void move_parameters(float step_size, float shrinkage, int64_t count, float* parameters, float* u) {
  HWY_DYNAMIC_DISPATCH(move_parameters)(step_size, shrinkage, count, parameters, u);
}

}  // namespace nmt
#endif
