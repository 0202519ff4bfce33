// The kernels of nn/cuda compute what the modules of nn compute on the CPU: on the device of the
// tests, or without a GPU as loops on the CPU.

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <cmath>
#include <limits>
#include <optional>

#include "nn/cpu_step_operations.h"
#include "nn/cuda/beam_extension.h"
#include "nn/cuda/best_tokens.h"
#include "nn/cuda/device_rows.h"
#include "nn/cuda/forced_decoder.h"
#include "nn/cuda/logit_loss.h"
#include "nn/every_kind.h"
#include "nn/loss.h"
#include "nn/some_sentences.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

Seq2SeqOptions shape_for_kernels() {
  auto options = small_shape();
  options.hidden_size = options.embedding_size = 8;
  return options;
}

/// Where something is computed: by the modules on the CPU, or by kernels on the device of the
/// tests.
class Engine {
 public:
  explicit Engine(bool with_kernels) : device_(with_kernels ? test_device() : torch::kCPU) {
    if (with_kernels && device_.is_cpu()) kernels_.emplace();
  }

  torch::Tensor take(const torch::Tensor& tensor) const { return tensor.to(device_); }

  Seq2Seq model(const Seq2SeqOptions& options, bool training = false) const {
    auto made = seeded(options, training);
    made->to(device_);
    return made;
  }

 private:
  torch::Device device_;
  std::optional<CpuKernels> kernels_;
};

/// h̃, the attention and all gradients of a loss that depends on both.
std::vector<torch::Tensor> computed(const Seq2SeqOptions& options, bool with_kernels) {
  const Engine engine(with_kernels);
  auto model = engine.model(options, /*training=*/true);
  torch::manual_seed(5);
  const auto steps = model->force(engine.take(kSource()), kLengths(), engine.take(kTargetInput()));
  std::vector<torch::Tensor> results = {steps.attentional_hidden};
  auto loss = (steps.attentional_hidden * engine.take(torch::linspace(-1, 2, 8))).sum();
  if (steps.attention.defined()) {
    results.push_back(steps.attention);
    loss = loss + (steps.attention * engine.take(torch::linspace(1, 3, 5))).sum();
  }
  loss.backward();
  for (const auto& parameter : unique_parameters(*model)) {
    if (parameter.grad().defined()) results.push_back(parameter.grad());
  }
  return results;
}

void require_kernels_compute(const Seq2SeqOptions& options) {
  const auto expected = computed(options, /*with_kernels=*/false);
  const auto found = computed(options, /*with_kernels=*/true);
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    INFO(i);
    CHECK(all_close(found[i], expected[i], 1e-4, 1e-6));
    CHECK(expected[i].abs().max().item<float>() > 0);
  }
}

/// What the steps of a search give, in inference: of one hypothesis a sentence, then of `width`,
/// then of those of the second sentence alone.
std::vector<torch::Tensor> stepped(const Seq2SeqOptions& options, int64_t width,
                                   bool with_kernels) {
  const Engine engine(with_kernels);
  auto model = engine.model(options);
  const c10::InferenceMode no_gradients;
  const auto encoded = model->encode(engine.take(kSource()), kLengths());
  auto memory = encoded.memory;
  auto state = model->start(encoded);
  std::vector<torch::Tensor> results = {encoded.states};
  const auto step = [&](const torch::Tensor& tokens) {
    const auto output = model->step(engine.take(tokens), state, memory);
    results.insert(results.end(), {output.attentional_hidden, output.attention, output.hidden,
                                   state.recurrent.hidden});
  };
  step(torch::tensor({2, 2}));
  const auto rows = torch::tensor({0, 1}).repeat_interleave(width);
  state.select(engine.take(rows));
  step(torch::arange(4, 4 + 2 * width));
  state.select(engine.take(torch::arange(2 * width - 1, width - 1, -1)));
  for (auto& source : memory) source = source.select(engine.take(torch::tensor({1})));
  step(torch::arange(5, 5 + width));
  return results;
}

}  // namespace

TEST_CASE("Kernels force what the modules force, with the same gradients", "[nn][kernels]") {
  auto options = shape_for_kernels();
  SECTION("general attention") {}
  SECTION("dot product") { options.attention = &dot_attention(); }
  SECTION("a temperature") { options.attention_temperature = 0.5; }
  SECTION("one layer") { options.num_layers = 1; }
  SECTION("three layers, bridge") {
    options.decoder_layers = 3;
    options.decoder_init = DecoderInit::kBridge;
  }
  SECTION("summed encoder outputs") { options.encoder_output = EncoderOutput::kSummed; }
  SECTION("an encoder with residual connections, other attention") {
    options.residual = true;
    options.attention = &additive_attention();
  }
  SECTION("without input feeding") { options.input_feeding = false; }
  if (test_device().is_cpu()) {    // a GPU draws other masks
    SECTION("masks of dropout") {  // which both draw in the same order
      options.dropout = 0.4;
      options.variational_dropout = true;
    }
  }
  require_kernels_compute(options);
}

TEST_CASE("Attention in float16 has weights and a loss of float32", "[nn][kernels]") {
  const Engine engine(/*with_kernels=*/true);
  const c10::InferenceMode no_gradients;
  const auto alignment = torch::zeros({2, 3, 5});
  alignment.select(2, 1) = 1.0;
  const auto attention = [&](torch::ScalarType type) {
    torch::manual_seed(4);
    const auto random = [&](at::IntArrayRef shape) {
      return engine.take(torch::randn(shape).to(torch::kHalf).to(type));
    };
    ForcedDecoderInput input;
    input.embedded = random({2, 3, 24});
    input.first = random({1, 2, 8});
    input.states = random({2, 5, 8});
    input.lengths = engine.take(torch::tensor({5, 2}));  // the second sentence has padding
    input.recurrent = random({2, 24, 8});
    input.hidden_bias = random({1, 24});
    input.concat_weight = random({8, 16});
    input.concat_bias = random({8});
    input.attention_scale = 5.0;
    return forced_decoder(input).attention.cpu();
  };
  const auto expected = attention(torch::kFloat), found = attention(torch::kHalf);
  CHECK(found.scalar_type() == torch::kFloat);
  CHECK(found[1].narrow(1, 2, 3).eq(0).all().item<bool>());
  CHECK(guided_alignment_loss(found, alignment).item<float>() ==
        Approx(guided_alignment_loss(expected, alignment).item<float>()).epsilon(0.05));
}

TEST_CASE("A gradient of attention may be larger than float16", "[nn][kernels]") {
  const Engine engine(/*with_kernels=*/true);
  const auto half = [&](at::IntArrayRef shape) {
    return engine.take(torch::zeros(shape, torch::kHalf));
  };
  const auto weights = torch::tensor({{0.999F, 0.001F, 0.0F}, {1.0F, 0.0F, 0.0F}});
  const auto gradient = torch::tensor({{0.0F, -1e6F, 0.0F}, {-1.0F, 0.0F, 0.0F}});
  const auto lengths = engine.take(torch::tensor({3, 1}));
  const auto states = half({2, 3, 8}), of_context = half({2, 8}), of_scores = half({2, 3});
  const auto of_query = half({2, 8});
  const auto read = engine.take(weights), of_weights = engine.take(gradient);
  AttendBackward attend;
  attend.forward.rows = 2;
  attend.forward.source_length = 3;
  attend.forward.hidden_size = 8;
  attend.forward.lengths = lengths.data_ptr<int64_t>();
  attend.forward.keys = attend.forward.values = states.data_ptr();
  attend.forward.weights = matrix_rows(read);
  attend.context_gradient = matrix_rows(of_context);
  attend.weights_gradient = matrix_rows(of_weights);
  attend.score_gradient = matrix_rows(of_scores);
  attend.query_gradient = matrix_rows(of_query);
  make_step_operations(states)->attend_backward(attend);
  const auto expected = weights * (gradient - (weights * gradient).sum(1, true));
  CHECK(torch::allclose(of_scores.cpu().to(torch::kFloat), expected, 1e-3, 1e-3));
}

TEST_CASE("Kernels take the steps of a search that the modules take", "[nn][kernels]") {
  const int64_t width = GENERATE(1, 3);
  auto options = shape_for_kernels();
  SECTION("general attention") {}
  SECTION("dot product, a temperature") {
    options.attention = &dot_attention();
    options.attention_temperature = 0.5;
  }
  SECTION("one layer, embeddings of another size") {
    options.num_layers = 1;
    options.embedding_size = 6;
  }
  SECTION("three layers") { options.num_layers = 3; }
  SECTION("other attention") { options.attention = &additive_attention(); }
  const auto expected = stepped(options, width, /*with_kernels=*/false);
  const auto found = stepped(options, width, /*with_kernels=*/true);
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    INFO(i);
    CHECK(all_close(found[i], expected[i], 1e-4, 1e-6));
  }
}

TEST_CASE("Dropout of single steps drops units at the rate of the settings", "[nn][kernels]") {
  auto options = shape_for_kernels();
  options.embedding_dropout = options.recurrent_dropout = 0.0;
  options.output_dropout = 0.25;
  const Engine engine(/*with_kernels=*/true);
  auto model = engine.model(options, /*training=*/true);
  int64_t dropped = 0, all = 0;
  for (int i = 0; i < 100; ++i) {
    const auto states = model->force(kSource(), kLengths(), kTargetInput()).attentional_hidden;
    dropped += (states == 0).sum().item<int64_t>();
    all += states.numel();
  }
  const double rate = static_cast<double>(dropped) / static_cast<double>(all);
  CHECK(rate > 0.22);
  CHECK(rate < 0.28);
}

TEST_CASE("The best tokens of a row are those of its log-probabilities", "[nn][kernels]") {
  const Engine engine(/*with_kernels=*/true);
  const int64_t vocabulary = GENERATE(40, 41);  // rows read by 16 bytes, or number by number
  const int64_t count = GENERATE(1, 14, 32);
  constexpr int32_t kOther = 3;
  torch::manual_seed(3);
  const auto logits = 8 * torch::randn({5, vocabulary});
  logits[1].fill_(2.5);  // equal ones come in the vocabulary's order
  logits[2].slice(0, 4, 9) = 30.0;
  logits[3].slice(0, 0, 20) = -std::numeric_limits<float>::infinity();
  logits[4].fill_(0.0).slice(0, 0, 20) *= -1.0;  // −0 equals 0
  const auto on_gpu = engine.take(torch::empty({2, 5, count + 1}, torch::kInt));
  best_tokens(engine.take(logits), count, kOther, on_gpu);
  const auto found = on_gpu.cpu();
  const auto log_probabilities = logits.log_softmax(1);
  const auto [sorted, order] = log_probabilities.sort(/*stable=*/true, 1, /*descending=*/true);
  CHECK(torch::equal(found[0].narrow(1, 0, count), order.narrow(1, 0, count).to(torch::kInt)));
  CHECK(torch::equal(found[0].select(1, count), torch::full({5}, kOther, torch::kInt)));
  const auto of_found = found[1].view(torch::kFloat);
  CHECK(torch::allclose(of_found.narrow(1, 0, count), sorted.narrow(1, 0, count), 1e-5, 1e-5));
  CHECK(
      torch::allclose(of_found.select(1, count), log_probabilities.select(1, kOther), 1e-5, 1e-5));
}

TEST_CASE("Of equal log-probabilities the first token is best, whatever the logits",
          "[nn][kernels]") {
  const Engine engine(/*with_kernels=*/true);
  const auto logits = torch::full({1, 16}, -9.0F);
  logits[0][0] = 10.0F;  // log Σ exp is about 10: log-probabilities have fewer digits than 0.1
  float next = 0.1F;
  for (int64_t token = 9; token < 13; ++token) {  // larger from token to token
    logits[0][token] = next;
    next = std::nextafter(next, 1.0F);
  }
  const auto on_gpu = engine.take(torch::empty({2, 1, 6}, torch::kInt));
  best_tokens(engine.take(logits), 5, 3, on_gpu);
  const auto found = on_gpu.cpu();
  const auto numbers = found[1][0].view(torch::kFloat);
  REQUIRE(numbers[1].item<float>() == numbers[4].item<float>());
  CHECK(torch::equal(found[0][0].narrow(0, 0, 5),
                     torch::tensor({0, 9, 10, 11, 12}, torch::dtype(torch::kInt))));
}

TEST_CASE("Beams are extended by the likeliest continuations", "[nn][kernels]") {
  const Engine engine(/*with_kernels=*/true);
  constexpr int64_t kSentences = 3, kVocabulary = 40;
  constexpr int32_t kEnd = 3;
  const int64_t width = GENERATE(1, 4, 12);
  const int64_t rows = kSentences * width, count = 2 * width + 3;
  torch::manual_seed(3);
  const auto logits =
      torch::randint(0, 6, {rows, kVocabulary}).to(torch::kFloat);  // many are equal
  const auto totals = -torch::rand({rows}, torch::kDouble);
  if (width > 1) totals[1] = totals[0].item<double>();
  totals.slice(0, width + 1, 2 * width) = -std::numeric_limits<double>::infinity();  // one row only
  const auto excluded = torch::tensor({int64_t{kEnd}, int64_t{7}});
  const auto found = engine.take(torch::empty({2, rows, count + 1}, torch::kInt));
  best_tokens(engine.take(logits), count, kEnd, found);
  const auto of_device = [&](const torch::Tensor& like) { return engine.take(like).clone(); };
  const DeviceHypotheses next{of_device(totals), of_device(torch::zeros({rows}, torch::kLong)),
                              of_device(torch::zeros({rows}, torch::kLong))};
  extend_beams(found, engine.take(excluded), width, next);
  const auto allowed = logits.log_softmax(1).index_fill(
      1, excluded, -std::numeric_limits<float>::infinity());  // [N, V]
  const auto all = (totals.unsqueeze(1) + allowed.to(torch::kDouble)).view({kSentences, -1});
  const auto [values, places] = all.sort(/*stable=*/true, 1, /*descending=*/true);
  const auto best = places.narrow(1, 0, width);  // [B, K] of hypothesis · V + token
  const auto first = torch::arange(kSentences).unsqueeze(1) * width;
  CHECK(torch::allclose(next.totals.cpu(), values.narrow(1, 0, width).flatten(), 1e-6, 1e-6));
  CHECK(torch::equal(next.rows.cpu(), (first + best.div(kVocabulary, "floor")).flatten()));
  CHECK(torch::equal(next.tokens.cpu(), best.remainder(kVocabulary).flatten()));
}

TEST_CASE("The kernel's loss is the loss of the log-probabilities", "[nn][kernels]") {
  const Engine engine(/*with_kernels=*/true);
  const int64_t vocabulary = GENERATE(8, 13);  // rows read by 16 bytes, or number by number
  torch::manual_seed(3);
  const auto targets = torch::tensor({2, 0, 7});
  const auto weights = GENERATE(false, true) ? torch::tensor({1.0F, 0.5F, 2.0F}) : torch::Tensor();
  const double smoothing = GENERATE(0.0, 0.1);
  const auto logits = (8 * torch::randn({3, vocabulary})).requires_grad_();
  const auto expected = token_loss(logits.log_softmax(1), targets, smoothing, weights);
  (3 * expected.objective).backward();
  const auto expected_gradient = logits.grad().clone();
  const auto again = logits.detach().clone().requires_grad_();
  const auto found = logit_loss(engine.take(again) * 1, engine.take(targets), smoothing,
                                weights.defined() ? engine.take(weights) : weights);
  (3 * found.objective).backward();
  CHECK(all_close(found.objective, expected.objective, 1e-5));
  CHECK(all_close(found.negative_log_likelihood, expected.negative_log_likelihood, 1e-5));
  CHECK(torch::allclose(again.grad(), expected_gradient, 1e-4, 1e-6));
}

TEST_CASE("The kernel's loss has a gradient once", "[nn][kernels]") {
  const Engine engine(/*with_kernels=*/true);
  const auto logits = torch::randn({3, 8}).requires_grad_();
  const auto loss =
      logit_loss(engine.take(logits) * 1, engine.take(torch::tensor({2, 0, 7})), 0.1, {});
  loss.objective.backward({}, /*retain_graph=*/true);
  CHECK_THROWS(loss.objective.backward());
}

TEST_CASE("A logit that is not a number is not lost", "[nn][kernels]") {
  const Engine engine(/*with_kernels=*/true);
  const int64_t place = GENERATE(0, 5, 12);
  auto logits = torch::zeros({1, 13});
  logits[0][place] = std::numeric_limits<float>::quiet_NaN();
  const auto loss = logit_loss(engine.take(logits), engine.take(torch::tensor({2})), 0.0, {});
  CHECK(loss.negative_log_likelihood.isnan().item<bool>());
}

}  // namespace nmt
