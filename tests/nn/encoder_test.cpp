#include "nn/encoder.h"

#include <ATen/ATen.h>

#include "support/test_device.h"

namespace nmt {
namespace {

ModelConfig small_encoder(Cell cell, int64_t hidden_size, int64_t num_layers) {
  ModelConfig model;
  model.cell = cell;
  model.embedding_size = 3;
  model.hidden_size = hidden_size;
  model.num_layers = num_layers;
  model.dropout = 0.0;
  return model;
}

}  // namespace

TEST_CASE("The encoder joins the directions' final states layer by layer", "[nn][encoder]") {
  torch::manual_seed(8);
  Encoder encoder(small_encoder(Cell::kGru, 6, 2));
  encoder->to(test_device());
  const auto embedded = on_device(torch::randn({2, 4, 3}));
  const auto output = encoder(embedded, torch::tensor({4, 4}));
  REQUIRE(output.states.sizes() == at::IntArrayRef({2, 4, 6}));
  REQUIRE(output.final_state.hidden.sizes() == at::IntArrayRef({2, 2, 6}));
  // The top layer's last forward state and first backward state are encoder outputs too.
  const auto top = output.final_state.hidden[1];
  REQUIRE(all_close(top.narrow(1, 0, 3), output.states.select(1, 3).narrow(1, 0, 3)));
  REQUIRE(all_close(top.narrow(1, 3, 3), output.states.select(1, 0).narrow(1, 3, 3)));
  // The lower layer's forward half is a GRU of its own over the input.
  const auto p = encoder->named_parameters();
  const auto forward = std::get<1>(at::gru(
      embedded, on_device(torch::zeros({1, 2, 3})),
      {p["rnn.weight_ih_l0"], p["rnn.weight_hh_l0"], p["rnn.bias_ih_l0"], p["rnn.bias_hh_l0"]},
      true, 1, 0.0, false, false, true));
  REQUIRE(all_close(output.final_state.hidden[0].narrow(1, 0, 3), forward[0], 1e-5, 1e-6));
}

TEST_CASE("The order and padding of a batch do not change a sentence's encoding", "[nn][encoder]") {
  torch::manual_seed(9);
  Encoder encoder(small_encoder(Cell::kLstm, 4, 1));
  encoder->to(test_device());
  const auto embedded = on_device(torch::randn({3, 5, 3}));
  const auto lengths = torch::tensor({2, 5, 3});
  const auto batch = encoder(embedded, lengths);
  for (int64_t i = 0; i < 3; ++i) {
    const int64_t length = lengths[i].item<int64_t>();
    const auto alone =
        encoder(embedded.narrow(0, i, 1).narrow(1, 0, length), lengths.narrow(0, i, 1));
    REQUIRE(all_close(batch.states[i].narrow(0, 0, length), alone.states[0], 1e-5, 1e-6));
    REQUIRE(all_close(batch.final_state.hidden.select(1, i), alone.final_state.hidden.select(1, 0),
                      1e-5, 1e-6));
    REQUIRE(all_close(batch.final_state.cell.select(1, i), alone.final_state.cell.select(1, 0),
                      1e-5, 1e-6));
  }
}

}  // namespace nmt
