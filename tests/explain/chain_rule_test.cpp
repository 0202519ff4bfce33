// The equations and numbers that nmt explain prints of a model, against LibTorch's own gradients.

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <sstream>

#include "checkpoint/model.h"
#include "data/batch.h"
#include "explain/model_gradient.h"
#include "explain/walks.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

/// The sample model's vocabularies with a small network of random weights.
StoredModel small_model(const TemporaryFolder& folder, Seq2SeqOptions options) {
  auto model = read_model(NMT_SOURCE_DIR "/models/sample");
  options.source_vocabulary_size = model.options.source_vocabulary_size;
  options.target_vocabulary_size = model.options.target_vocabulary_size;
  torch::manual_seed(1);
  save_weights(folder / "weights", make_seq2seq(options), {});
  model.options = options;
  model.weights = open_safetensors(folder / "weights");
  return model;
}

Seq2Seq in_doubles(const StoredModel& model) {
  auto network = make_network(model, torch::kCPU);
  network->to(torch::kDouble);
  return network;
}

/// The norm of the gradient of W_c by the equations of the page, from the last step to the first.
/// `fed`: with the term of input feeding.
double norm_of_concat(const StoredModel& model, const Batch& batch, bool fed) {
  struct Moment {
    std::vector<torch::Tensor> before;  // s_{t−1}, h̃_{t−1}
    std::vector<torch::Tensor> after;   // h̃_t, s_t
    torch::Tensor through_output;       // W_oᵀ ∂L/∂z_t
  };
  auto network = in_doubles(model);
  const auto parameters = network->named_parameters();
  const auto concat = parameters["concat.weight"];
  const auto output = parameters["generator.output.weight"].detach();
  const auto encoded = network->encode(batch.source, batch.source_lengths);
  auto state = network->start(encoded);
  std::vector<Moment> moments(static_cast<size_t>(batch.target_input.size(1)));
  for (size_t t = 0; t < moments.size(); ++t) {
    const auto step = static_cast<int64_t>(t);
    auto& [before, after, through_output] = moments[t];
    std::vector<torch::Tensor*> states = {&state.recurrent.hidden};
    if (state.recurrent.cell.defined()) states.push_back(&state.recurrent.cell);
    states.push_back(&state.attentional_hidden);
    for (auto* tensor : states) {
      *tensor = tensor->detach();
      tensor->requires_grad_(true);
      before.push_back(*tensor);
    }
    const auto made = network->step(batch.target_input.select(1, step), state, encoded.memory);
    after = {made.attentional_hidden, state.recurrent.hidden};
    if (state.recurrent.cell.defined()) after.push_back(state.recurrent.cell);
    auto by_logits = network->log_probabilities(made.attentional_hidden).exp().detach();  // [1, V]
    by_logits[0][batch.target_output[0][step].item<int64_t>()] -= 1.0;
    through_output = by_logits.matmul(output);
  }
  std::vector<torch::Tensor> later;  // what step t + 1 passes on to s_t and h̃_t
  for (const auto& tensor : moments.back().before) later.push_back(torch::zeros_like(tensor));
  auto gradient = torch::zeros_like(concat);
  for (size_t t = moments.size(); t-- > 0;) {
    const auto& [before, after, through_output] = moments[t];
    std::vector<torch::Tensor> by_after = {fed ? through_output + later.back() : through_output};
    by_after.insert(by_after.end(), later.begin(), later.end() - 1);
    auto inputs = before;
    inputs.push_back(concat);
    later = torch::autograd::grad(after, inputs, by_after, /*retain_graph=*/true,
                                  /*create_graph=*/false, /*allow_unused=*/true);
    gradient = gradient + later.back();
    later.pop_back();
    if (!later.back().defined()) later.back() = torch::zeros_like(before.back());
  }
  return gradient.norm().item<double>();
}

const std::vector<int32_t> kSourceIds = {4, 5, 6};
const std::vector<int32_t> kTargetIds = {7, 8, 9, 4, 8};

Seq2SeqOptions small_options() {
  Seq2SeqOptions options;
  options.embedding_size = 3;
  options.hidden_size = 4;
  return options;
}

}  // namespace

TEST_CASE("The printed chain rule gives the gradient that the table shows", "[explain][gradient]") {
  const TemporaryFolder folder;
  const auto batch = make_batch({kSourceIds}, {kTargetIds});
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    for (const bool fed : {true, false}) {
      INFO(static_cast<int>(cell) << " " << fed);
      auto options = small_options();
      options.cell = cell;
      options.num_layers = 2;
      options.input_feeding = fed;
      const auto model = small_model(folder, options);
      const auto gradients = measure_gradients(model, kSourceIds, kTargetIds);
      double norm = 0.0;
      for (const auto& parameter : gradients.parameters) {
        if (parameter.name == "concat.weight") norm = parameter.norm;
      }
      CHECK(norm_of_concat(model, batch, fed) == Approx(norm).epsilon(1e-9));
      if (fed) CHECK(norm_of_concat(model, batch, false) != Approx(norm).epsilon(1e-4));
    }
  }
}

TEST_CASE("A checked element is the one that its indices name", "[explain][gradient]") {
  const TemporaryFolder folder;
  const auto model = small_model(folder, small_options());
  const auto batch = make_batch({kSourceIds}, {kTargetIds});
  auto network = in_doubles(model);
  const auto steps = network->force(batch.source, batch.source_lengths, batch.target_input);
  const auto log_probabilities = network->log_probabilities(steps, batch.source);  // [1, T, V]
  (-log_probabilities.gather(2, batch.target_output.unsqueeze(2)).sum()).backward();
  const auto parameters = network->named_parameters();
  const auto gradients = measure_gradients(model, kSourceIds, kTargetIds);
  CHECK(gradients.checked.size() == gradients.parameters.size());
  for (const auto& [name, analytic, numeric] : gradients.checked) {
    INFO(name);
    const auto bracket = name.find('[');
    auto gradient = parameters[name.substr(0, bracket)].grad();
    const auto largest = gradient.abs().max().item<double>();
    std::istringstream indices(name.substr(bracket + 1));
    char separator = 0;
    for (int64_t index = 0; indices >> index >> separator;) gradient = gradient[index];
    CHECK(gradient.item<double>() == Approx(analytic).epsilon(1e-12));
    CHECK(std::abs(analytic) == Approx(largest).epsilon(1e-12));
  }
}

TEST_CASE("Each direction's shares are its printed product of the printed gates",
          "[explain][gru]") {
  const TemporaryFolder folder;
  auto options = small_options();
  options.hidden_size = 2;  // one unit in each direction, whose mean it is
  const auto explanation =
      explain_encoder_gru(small_model(folder, options), "small", "저는 어제 책을 읽었어요.");
  CHECK(explanation.steps[2].equation == "(1 − z_i) Π_{i<j≤t} z_j");
  CHECK(explanation.steps[3].equation == "h_t = (1 − z_t) ⊙ n_t + z_t ⊙ h_{t+1}");
  CHECK(explanation.steps[4].equation == "(1 − z_i) Π_{t≤j<i} z_j");
  for (const size_t direction : {0, 1}) {
    const auto& gates = explanation.steps[1 + 2 * direction].lines[0][0].matrix.values;
    const auto& shares = explanation.nodes[direction].matrix.values;
    REQUIRE(shares.size() == gates.size());
    for (size_t t = 0; t < gates.size(); ++t) {
      for (size_t i = 0; i < gates.size(); ++i) {
        double share = (direction == 0 ? i <= t : i >= t) ? 1.0 - gates[i][1] : 0.0;
        const size_t first = direction == 0 ? i + 1 : t;
        const size_t end = direction == 0 ? t + 1 : i;
        for (size_t j = first; j < end; ++j) share *= gates[j][1];
        CHECK(shares[t][i] == Approx(share).margin(1e-12));
      }
    }
  }
}

}  // namespace nmt
