// A processor has one of several instruction sets; what one computes the others must compute too.
#include <hwy/targets.h>

#include <functional>
#include <vector>

#include "kernels/attention_row.h"
#include "kernels/elementwise.h"
#include "kernels/integer_weight.h"
#include "kernels/layer_norm.h"
#include "kernels/optimizer_update.h"
#include "kernels/recurrent_cell.h"
#include "kernels/token_loss_row.h"
#include "support/catch.h"

namespace nmt {
namespace {

constexpr int64_t kWidth = 37;  // vectors of 16, 8 and 4 leave a rest

std::vector<float> values(size_t count, float from, float to) {
  std::vector<float> result(count);
  for (size_t i = 0; i < count; ++i) {
    result[i] = from + (to - from) * static_cast<float>(i * 7919 % 1000) / 1000;
  }
  return result;
}

Matrix as_rows(std::vector<float>& data, int64_t rows) {
  return {data.data(), rows, static_cast<int64_t>(data.size()) / rows};
}

/// Runs a computation with every instruction set of this processor and compares with the first.
void require_same(const std::function<std::vector<float>()>& compute, double tolerance) {
  std::vector<float> expected;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    INFO(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    const auto found = compute();
    if (expected.empty()) expected = found;
    for (size_t i = 0; i < found.size(); ++i) {
      REQUIRE(found[i] == Approx(expected[i]).epsilon(tolerance).margin(tolerance));
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

TEST_CASE("Every instruction set drops the same units", "[kernels]") {
  require_same(
      [] {
        std::vector<float> mask(kWidth * 5, 1.0F);
        drop_out(0x123456789ABCDEFULL, 0.3F, 2, as_rows(mask, 5));
        return mask;
      },
      0);
}

TEST_CASE("Every instruction set computes the same cells", "[kernels]") {
  const auto run = [](bool lstm, bool normalized = false) {
    auto gates = values(2 * 4 * kWidth, -3, 3);
    auto hidden = values(2 * 3 * kWidth, -2, 2);
    auto state = values(2 * kWidth, -1, 1);
    auto cell = values(2 * kWidth, -2, 2);
    auto output = values(2 * kWidth, 0, 0);
    auto gradient = values(2 * kWidth, -1, 2);
    const auto bias = values(4 * kWidth, -1, 1);
    if (lstm) {
      lstm_forward(as_rows(gates, 2), bias.data(), bias.data(), as_rows(state, 2), as_rows(cell, 2),
                   as_rows(output, 2));
      if (normalized) {
        lstm_output_forward(as_rows(gates, 2), as_rows(hidden, 2), as_rows(output, 2));
        lstm_output_backward(as_rows(gates, 2), as_rows(hidden, 2), as_rows(output, 2));
      }
      lstm_backward(as_rows(gates, 2), as_rows(state, 2), as_rows(cell, 2),
                    normalized ? Matrix() : as_rows(output, 2), as_rows(gradient, 2));
    } else {
      gru_forward(as_rows(gates, 2), as_rows(hidden, 2), bias.data(), bias.data(),
                  as_rows(state, 2), as_rows(output, 2));
      gru_backward(as_rows(gates, 2), as_rows(state, 2), as_rows(gradient, 2));
    }
    gates.insert(gates.end(), output.begin(), output.end());
    gates.insert(gates.end(), gradient.begin(), gradient.end());
    return gates;
  };
  require_same([&] { return run(false); }, 1e-5);
  require_same([&] { return run(true); }, 1e-5);
  require_same([&] { return run(true, true); }, 1e-5);
}

TEST_CASE("Every instruction set computes the same loss, attention and update", "[kernels]") {
  require_same(
      [] {
        auto logits = values(kWidth, -9, 9);
        const auto bias = values(kWidth, -1, 1);
        logits.push_back(token_loss_row(logits.data(), bias.data(), kWidth, 3, {0.45F, 0.05F}));
        return logits;
      },
      1e-5);
  require_same(
      [] {
        auto logits = values(2 * kWidth, -9, 9);
        const auto bias = values(kWidth, -1, 1);
        logits.push_back(token_loss_row_pair(logits.data(), logits.data() + kWidth, bias.data(),
                                             kWidth, 3, {0.45F, 0.05F}, 0.3F));
        return logits;
      },
      1e-5);
  require_same(
      [] {
        auto keys = values(4 * kWidth, -1, 1);
        auto sources = values(4 * kWidth, -2, 1);
        const auto query = values(kWidth, -1, 1);
        const std::vector<int32_t> rows = {2, 0, 3};
        std::vector<float> result(3 + kWidth);
        attend({}, query.data(), as_rows(keys, 4), as_rows(sources, 4), {rows.data(), 3},
               result.data(), result.data() + 3);
        return result;
      },
      1e-5);
  require_same(
      [] {
        const auto energy = values(kWidth, -1, 1);
        const auto x = values(kWidth, -3, 2);
        std::vector<float> result(2 * kWidth, 0.5F);
        tanh_energy_backward(kWidth, 1.5F, energy.data(), x.data(), result.data(),
                             result.data() + kWidth);
        result.push_back(tanh_energy(kWidth, energy.data(), x.data()));
        return result;
      },
      1e-5);
  require_same(
      [] {
        auto all = values(4 * kWidth, 0, 1);
        AdamStep step;
        step.beta1 = 0.9F;
        step.one_minus_beta1 = 0.1F;
        step.beta2 = 0.99F;
        step.one_minus_beta2 = 0.01F;
        step.step_size = 0.1F;
        adam_update(step, kWidth, all.data(), all.data() + kWidth, all.data() + 2 * kWidth,
                    all.data() + 3 * kWidth);
        return all;
      },
      1e-5);
  require_same(
      [] {
        auto all = values(3 * kWidth, 0, 1);
        SgdStep step;
        step.learning_rate = 0.1F;
        step.momentum = 0.9F;
        sgd_update(step, kWidth, all.data(), all.data() + kWidth, all.data() + 2 * kWidth);
        return all;
      },
      1e-5);
}

TEST_CASE("Every instruction set normalizes the same", "[kernels]") {
  require_same(
      [] {
        auto rows = values(2 * kWidth, -3, 3);
        auto normalized = rows;
        std::vector<float> scales(2);
        const auto weight = values(kWidth, -2, 2);
        auto sums = values(2 * kWidth, -1, 1);
        layer_norm_forward(as_rows(rows, 2), weight.data(), weight.data(), as_rows(normalized, 2),
                           scales.data(), as_rows(rows, 2));
        layer_norm_backward(as_rows(normalized, 2), scales.data(), weight.data(), as_rows(rows, 2),
                            sums.data(), sums.data() + kWidth);
        rows.insert(rows.end(), sums.begin(), sums.end());
        return rows;
      },
      1e-4);
}

TEST_CASE("Every instruction set computes the same products of integers", "[kernels]") {
  auto weight = values(21 * kWidth, -3, 3);
  auto x = values(7 * kWidth, -1, 2);
  const IntegerWeight packed(as_rows(weight, 21), 63);  // the largest that all can multiply
  require_same(
      [&] {
        std::vector<float> y(7 * 21);
        packed.multiply(as_rows(x, 7), as_rows(y, 7));
        return y;
      },
      1e-6);
}

}  // namespace nmt
