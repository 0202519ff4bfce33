#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/optimizer_update.cpp"
#include "kernels/optimizer_update.h"

#include <hwy/foreach_target.h>

#include <algorithm>

#include "kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nmt::HWY_NAMESPACE {

/// The scaled gradient plus the L2 penalty of the parameters `theta`.
template <class D, class Step>
hn::Vec<D> gradient_of(D d, const Step& step, hn::Vec<D> theta, const float* gradient) {
  const auto scaled = hn::Mul(hn::LoadU(d, gradient), hn::Set(d, step.gradient_scale));
  return hn::MulAdd(hn::Set(d, step.l2_penalty), theta, scaled);
}

void adam_update(const AdamStep& step, int64_t count, float* parameters, float* gradient,
                 float* first_moment, float* second_moment) {
  vector_loop(count, [&](auto d, int64_t i) HWY_ATTR {
    using V = hn::Vec<decltype(d)>;
    const auto same = [&](float value) HWY_ATTR -> V { return hn::Set(d, value); };
    V theta = hn::LoadU(d, parameters + i);
    const V g = gradient_of(d, step, theta, gradient + i);
    const V m = hn::MulAdd(same(step.one_minus_beta1), g,
                           hn::Mul(same(step.beta1), hn::LoadU(d, first_moment + i)));
    const V v = hn::MulAdd(hn::Mul(same(step.one_minus_beta2), g), g,
                           hn::Mul(same(step.beta2), hn::LoadU(d, second_moment + i)));
    const V root = hn::MulAdd(hn::Sqrt(v), same(step.root_correction), same(step.epsilon));
    theta = hn::Mul(theta, same(step.shrinkage));
    theta = hn::NegMulAdd(same(step.step_size), hn::Div(m, root), theta);
    hn::StoreU(m, d, first_moment + i);
    hn::StoreU(v, d, second_moment + i);
    hn::StoreU(theta, d, parameters + i);
    hn::StoreU(hn::Zero(d), d, gradient + i);
  });
}

void sgd_update(const SgdStep& step, int64_t count, float* parameters, float* gradient,
                float* velocity) {
  vector_loop(count, [&](auto d, int64_t i) HWY_ATTR {
    using V = hn::Vec<decltype(d)>;
    const auto same = [&](float value) HWY_ATTR -> V { return hn::Set(d, value); };
    const V theta = hn::LoadU(d, parameters + i);
    const V g = gradient_of(d, step, theta, gradient + i);
    const V u = hn::MulAdd(same(step.momentum), hn::LoadU(d, velocity + i), g);
    hn::StoreU(u, d, velocity + i);
    hn::StoreU(hn::NegMulAdd(same(step.learning_rate), u, theta), d, parameters + i);
    hn::StoreU(hn::Zero(d), d, gradient + i);
  });
}

double sum_of_squares(int64_t count, const float* gradient) {
  constexpr int64_t kBlock = 4096;  // few enough to sum accurately in float32
  double sum = 0.0;
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const float* block = gradient + begin;
    sum += vector_sum(std::min(kBlock, count - begin), [&](auto d, int64_t i) HWY_ATTR {
      const auto g = hn::LoadU(d, block + i);
      return hn::Mul(g, g);
    });
  }
  return sum;
}

}  // namespace nmt::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nmt {

NMT_KERNEL(void, adam_update,
           (const AdamStep& step, int64_t count, float* parameters, float* gradient,
            float* first_moment, float* second_moment),
           (step, count, parameters, gradient, first_moment, second_moment));
NMT_KERNEL(void, sgd_update,
           (const SgdStep& step, int64_t count, float* parameters, float* gradient,
            float* velocity),
           (step, count, parameters, gradient, velocity));
NMT_KERNEL(double, sum_of_squares, (int64_t count, const float* gradient), (count, gradient));

}  // namespace nmt
#endif
