#include "export/torchscript_fragments.h"

namespace nmt {
namespace {

// nn/recurrent_seq2seq.cpp and nn/encoder.cpp
constexpr char kEncode[] = R"(
def _join_directions(self, state: Tensor, back: Tensor) -> Tensor:
    directions = state.view([@LAYERS, 2, -1, @WIDTH])
    return torch.index_select(@TOGETHER, 1, back)

def encode(self, source_ids: Tensor, source_lengths: Tensor) -> Tuple[Tensor, Tensor, List[Tensor]]:
    lengths, order = torch.sort(source_lengths.cpu(), stable=True, dim=0, descending=True)
    rows = order.to(source_ids.device)
    back = torch.argsort(order).to(source_ids.device)
    embedded = torch.embedding(self.emb_src.weight, torch.index_select(source_ids, 0, rows))
    data, batch_sizes = torch._pack_padded_sequence(embedded, lengths, True)
    zeros = torch.zeros([2 * @LAYERS, source_ids.size(0), @WIDTH], dtype=embedded.dtype, device=embedded.device)
    output, @STATE = torch.@CELL(data, batch_sizes, @ZEROS, [@ENCODER_WEIGHTS], True, @LAYERS, 0.0, False, True)
    states, real = torch._pad_packed_sequence(output, batch_sizes, True, 0.0, source_ids.size(1))
    states = torch.index_select(states, 0, back)@SUMMED@MEAN@NORMALISED
    positions = torch.arange(source_ids.size(1), device=source_ids.device)
    padding = positions.unsqueeze(0) >= source_lengths.to(source_ids.device).unsqueeze(1)
    attentional = torch.zeros([1, source_ids.size(0), @HIDDEN], dtype=states.dtype, device=states.device)
    return self.attn.remember(states), padding, [attentional, @FIRST_STATE]
)";

constexpr char kStep[] = R"(
def step(self, tokens: Tensor, state: List[Tensor], states: Tensor, padding: Tensor) -> Tuple[Tensor, List[Tensor], Tensor]:
    embedded = torch.embedding(self.emb_dec.weight, tokens)
    fed = @FED
    output, @STATE = torch.@CELL(fed.unsqueeze(1), @PREVIOUS_STATE, [@DECODER_WEIGHTS], True, @LAYERS, 0.0, False, False, True)
    asking = output.view([states.size(0), -1, @HIDDEN])@NORMALISED_ASKING
    context, attention = self.attn.forward(asking, states, padding.unsqueeze(1))
    joined = torch.cat([asking, context], -1).flatten(0, 1)
    attentional = torch.tanh(torch.linear(joined, self.concat.weight, self.concat.bias))
    logits = torch.linear(attentional, self.generator.output.weight, self.generator.output.bias)
    return torch.log_softmax(logits, -1), [attentional.unsqueeze(0), @STATE], attention.flatten(0, 1)
)";

std::string weights(const std::string& module, int64_t num_layers, bool bidirectional) {
  std::string list;
  for (int64_t layer = 0; layer < num_layers; ++layer) {
    for (int64_t direction = 0; direction < (bidirectional ? 2 : 1); ++direction) {
      const auto suffix = "_l" + std::to_string(layer) + (direction == 1 ? "_reverse" : "");
      for (const char* name : {"weight_ih", "weight_hh", "bias_ih", "bias_hh"}) {
        list.append(list.empty() ? "self." : ", self.").append(module);
        list.append(".").append(name).append(suffix);
      }
    }
  }
  return list;
}

/// A line that normalises what `name` holds; none without layer_norm.
std::string normalise(const std::string& name, const std::string& norm,
                      const Seq2SeqOptions& options) {
  if (!options.layer_norm) return "";
  return "\n    " + name + " = torch.layer_norm(" + name + ", [@HIDDEN], self." + norm +
         ".weight, self." + norm + ".bias)";
}

constexpr char kJoined[] = "self._join_directions(hidden, back)";
constexpr char kJoinedCell[] = "self._join_directions(cell, back)";
constexpr char kNoState[] =
    "torch.zeros([@LAYERS, source_ids.size(0), @HIDDEN], dtype=states.dtype, device=states.device)";

/// tanh(W^l x + b^l) of each layer, where x is `inputs` with @LAYER filled in.
std::string bridged(const std::string& inputs, const Seq2SeqOptions& options) {
  std::string list;
  for (int64_t layer = 0; layer < options.num_layers; ++layer) {
    const auto name = "self.bridge.l" + std::to_string(layer);
    list += (list.empty() ? "" : ", ") +
            ("torch.tanh(torch.linear(" + fill_in(inputs, {{"@LAYER", std::to_string(layer)}}) +
             ", " + name + ".weight, " + name + ".bias))");
  }
  return "torch.stack([" + list + "], 0)";
}

/// nn/first_state.h
std::string first_state(const Seq2SeqOptions& options) {
  const auto with_cell = [&](const std::string& hidden, const char* cell) {
    return options.cell == Cell::kLstm ? hidden + ", " + cell : hidden;
  };
  switch (options.decoder_init) {
    case DecoderInit::kFinal:
      return with_cell(kJoined, kJoinedCell);
    case DecoderInit::kBridge:
      return with_cell(bridged(std::string(kJoined) + "[@LAYER]", options), kJoinedCell);
    case DecoderInit::kMean:
      return with_cell(bridged("mean", options), kNoState);
    case DecoderInit::kZero:
      break;
  }
  return with_cell(kNoState, kNoState);
}

std::string fill_in_recurrent(const std::string& text, const Seq2SeqOptions& options) {
  const bool lstm = options.cell == Cell::kLstm;
  const bool summed = options.encoder_output == EncoderOutput::kSummed;
  const int64_t width = summed ? options.hidden_size : options.hidden_size / 2;
  return fill_in(
      text,
      {{"@FIRST_STATE", first_state(options)},
       {"@LAYERS", std::to_string(options.num_layers)},
       {"@TOGETHER", summed ? "torch.sum(directions, [1])"
                            : "directions.transpose(1, 2).reshape([@LAYERS, -1, @HIDDEN])"},
       {"@SUMMED", summed ? "\n    states = states.narrow(2, 0, @WIDTH) + "
                            "states.narrow(2, @WIDTH, @WIDTH)"
                          : ""},
       {"@CELL", lstm ? "lstm" : "gru"},
       {"@STATE", lstm ? "hidden, cell" : "hidden"},
       {"@ZEROS", lstm ? "[zeros, zeros]" : "zeros"},
       {"@MEAN", options.decoder_init == DecoderInit::kMean
                     ? "\n    mean = torch.sum(states, [1]) / "
                       "source_lengths.to(states).unsqueeze(1)"
                     : ""},
       {"@PREVIOUS_STATE", lstm ? "[state[1], state[2]]" : "state[1]"},
       {"@FED",
        options.input_feeding ? "torch.cat([embedded, state[0].squeeze(0)], -1)" : "embedded"},
       {"@ENCODER_WEIGHTS", weights("encoder.rnn", options.num_layers, /*bidirectional=*/true)},
       {"@DECODER_WEIGHTS", weights("decoder.rnn", options.num_layers, /*bidirectional=*/false)},
       {"@NORMALISED_ASKING", normalise("asking", "norm_dec", options)},
       {"@NORMALISED", normalise("states", "norm_src", options)},
       {"@WIDTH", std::to_string(width)},
       {"@HIDDEN", std::to_string(options.hidden_size)},
       {"@LAYERS", std::to_string(options.num_layers)}});
}

}  // namespace

Programs recurrent_programs(const Seq2SeqOptions& options) {
  return {{"attn", attention_program(*options.attention, options)},
          {"", fill_in_recurrent(std::string(kEncode) + kStep, options)}};
}

}  // namespace nmt
