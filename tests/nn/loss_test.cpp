#include "nn/loss.h"

#include <ATen/ATen.h>

#include <cmath>

#include "support/gradient_check.h"
#include "support/test_device.h"

namespace nmt {

TEST_CASE("Without smoothing the objective is the negative log-likelihood", "[nn][loss]") {
  const auto log_p = on_device(torch::tensor({{0.5, 0.25, 0.25}, {0.1, 0.2, 0.7}}).log());
  const auto loss = token_loss(log_p, on_device(torch::tensor({0, 2})), 0.0);
  const double expected = -std::log(0.5) - std::log(0.7);
  REQUIRE(loss.objective.item<double>() == Approx(expected));
  REQUIRE(loss.negative_log_likelihood.item<double>() == Approx(expected));
}

TEST_CASE("Label smoothing is the cross-entropy against the smoothed target", "[nn][loss]") {
  const auto log_p = on_device(torch::tensor({{0.5, 0.25, 0.25}}).log());
  const auto loss = token_loss(log_p, on_device(torch::tensor({1})), 0.3);
  // Target (0.1, 0.8, 0.1): 0.7 on the true token, 0.3 spread over three.
  const double expected = -(0.1 * std::log(0.5) + 0.8 * std::log(0.25) + 0.1 * std::log(0.25));
  REQUIRE(loss.objective.item<double>() == Approx(expected));
  REQUIRE(loss.negative_log_likelihood.item<double>() == Approx(-std::log(0.25)));
}

TEST_CASE("A token's weight multiplies its objective, not what is reported", "[nn][loss]") {
  const auto log_p = on_device(torch::tensor({{0.5, 0.25, 0.25}, {0.1, 0.2, 0.7}}).log());
  const auto weights = on_device(torch::tensor({3.0, 0.5}));
  const auto loss = token_loss(log_p, on_device(torch::tensor({0, 2})), 0.0, weights);
  REQUIRE(loss.objective.item<double>() == Approx(-3 * std::log(0.5) - 0.5 * std::log(0.7)));
  REQUIRE(loss.negative_log_likelihood.item<double>() == Approx(-std::log(0.5) - std::log(0.7)));
}

TEST_CASE("Guided alignment is the cross-entropy of the attention with the alignment",
          "[nn][loss]") {
  const auto attention = on_device(torch::tensor({{{0.5, 0.25, 0.25}, {0.1, 0.2, 0.7}}}));
  // Of the first token two source tokens, of the second none.
  const auto alignment = on_device(torch::tensor({{{0.5, 0.0, 0.5}, {0.0, 0.0, 0.0}}}));
  REQUIRE(guided_alignment_loss(attention, alignment).item<double>() ==
          Approx(-0.5 * std::log(0.5) - 0.5 * std::log(0.25)));
  const auto none = on_device(torch::tensor({{{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}}}));
  REQUIRE(std::isfinite(guided_alignment_loss(none, alignment).item<double>()));
}

TEST_CASE("The gradient of guided alignment agrees with finite differences", "[nn][loss]") {
  const auto scores = on_device(torch::randn({2, 3, 4}, torch::kDouble)).requires_grad_();
  const auto alignment = on_device(torch::randn({2, 3, 4}, torch::kDouble)).softmax(2);
  const auto function = [&] { return guided_alignment_loss(scores.softmax(2), alignment); };
  REQUIRE(gradient_error({scores}, function) < 1e-7);
}

TEST_CASE("The smoothed loss's gradient agrees with finite differences", "[nn][loss]") {
  const auto logits = on_device(torch::randn({4, 7}, torch::kDouble)).requires_grad_();
  const auto targets = on_device(torch::tensor({6, 0, 3, 3}));
  const auto function = [&] { return token_loss(logits.log_softmax(1), targets, 0.1).objective; };
  REQUIRE(gradient_error({logits}, function) < 1e-7);
}

}  // namespace nmt
