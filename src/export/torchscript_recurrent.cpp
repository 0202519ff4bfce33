#include "config/layers.h"
#include "export/torchscript_fragments.h"

namespace nmt {
namespace {

// nn/recurrent_seq2seq.cpp and nn/encoder.cpp
constexpr char kEncode[] = R"(
def _join_directions(self, state: Tensor, back: Tensor) -> Tensor:
    directions = state.view([@ENCODER_LAYERS, 2, -1, @WIDTH])
    joined = torch.index_select(@TOGETHER, 1, back)
    return @CORRESPONDING

def encode(self, source_ids: Tensor, source_lengths: Tensor) -> Tuple[Tensor, Tensor, List[Tensor]]:
    lengths, order = torch.sort(source_lengths.cpu(), stable=True, dim=0, descending=True)
    rows = order.to(source_ids.device)
    back = torch.argsort(order).to(source_ids.device)
    embedded = torch.embedding(self.emb_src.weight, torch.index_select(source_ids, 0, rows))
    data, batch_sizes = torch._pack_padded_sequence(embedded, lengths, True)
    zeros = torch.zeros([2 * @ENCODER_LAYERS, source_ids.size(0), @WIDTH], dtype=embedded.dtype, device=embedded.device)
@RUN_ENCODER    states, real = torch._pad_packed_sequence(output, batch_sizes, True, 0.0, source_ids.size(1))
    states = torch.index_select(states, 0, back)@SUMMED@MEAN@NORMALIZED
    positions = torch.arange(source_ids.size(1), device=source_ids.device)
    padding = positions.unsqueeze(0) >= source_lengths.to(source_ids.device).unsqueeze(1)
    attentional = torch.zeros([1, source_ids.size(0), @HIDDEN], dtype=states.dtype, device=states.device)
    return self.attn.prepare(states), padding, [attentional, @FIRST_STATE@SOURCE@FIRST_PAST]
)";

constexpr char kStep[] = R"(
def step(self, tokens: Tensor, state: List[Tensor], states: Tensor, padding: Tensor) -> Tuple[Tensor, List[Tensor], Tensor]:
    embedded = torch.embedding(self.emb_dec.weight, tokens)
    fed = @FED
@RUN_DECODER    queries = output.view([states.size(0), -1, @HIDDEN])@NORMALIZED_QUERIES
    context, attention = self.attn.forward(queries, states, @MASK@COVERAGE)
    joined = torch.cat([queries, context], -1).flatten(0, 1)
    attentional = torch.tanh(torch.linear(joined, self.concat.weight, self.concat.bias))
    logits = torch.linear(attentional, self.generator.output.weight, self.generator.output.bias)
    generated = torch.log_softmax(logits, -1)
    return @PREDICTED, [attentional.unsqueeze(0), @STATE@SAME_SOURCE@NEXT_PAST], attention.flatten(0, 1)
)";

// nn/recurrent_cell.cpp, a layer in one direction, with layer normalization: x [B, T, I], where row
// b has lengths[b] real steps, and its first states [B, H]; the weights are h's and, of an LSTM,
// c's. A state stays as it is where a row has no step. Returns the outputs [B, T, H], 0 there, and
// the last states.
constexpr char kNormalizedLayer[] = R"(
def _normalized_layer(self, x: Tensor, first: List[Tensor], lengths: Tensor, reverse: bool, weights: List[Tensor]) -> Tuple[Tensor, List[Tensor]]:
    inputs = torch.layer_norm(torch.linear(x, weights[0]), [weights[0].size(0)], weights[4], weights[2])
    states = first
    outputs: List[Tensor] = []
    for i in range(x.size(1)):
        t = x.size(1) - 1 - i if reverse else i
        real = (lengths > t).unsqueeze(1)
        v = inputs.select(1, t)
        u = torch.layer_norm(torch.linear(states[0], weights[1]), [weights[1].size(0)], weights[5], weights[3])
@CELL        next: List[Tensor] = []
        for k in range(len(states)):
            next.append(torch.where(real, new[k], states[k]))
        states = next
        outputs.append(torch.where(real, states[0], torch.zeros_like(states[0])))
    if reverse:
        outputs.reverse()
    return torch.stack(outputs, 1), states
)";

constexpr char kNormalizedGru[] = R"(        v_r, v_z, v_n = torch.chunk(v, 3, 1)
        u_r, u_z, u_n = torch.chunk(u, 3, 1)
        z = torch.sigmoid(v_z + u_z)
        n = torch.tanh(v_n + torch.sigmoid(v_r + u_r) * u_n)
        new = [(1 - z) * n + z * states[0]]
)";

constexpr char kNormalizedLstm[] = R"(        i_t, f_t, g_t, o_t = torch.chunk(v + u, 4, 1)
        c = torch.sigmoid(f_t) * states[1] + torch.sigmoid(i_t) * torch.tanh(g_t)
        seen = torch.tanh(torch.layer_norm(c, [c.size(1)], weights[6], weights[7]))
        new = [torch.sigmoid(o_t) * seen, c]
)";

// nn/generator.cpp
constexpr char kMixture[] = R"(
def copy(self, generated: Tensor, attentional: Tensor, attention: Tensor, source: Tensor) -> Tensor:
    gate = torch.linear(attentional, self.generator.copy.weight, self.generator.copy.bias)
    pointed = attention * torch.sigmoid(-gate)
    copied = torch.scatter_add(torch.zeros_like(generated), -1, source.long(), pointed)
    generated = torch.log_sigmoid(gate) + generated
    return torch.logaddexp(generated, torch.log(torch.clamp(copied, min=1e-30)))
)";

struct Stack {
  std::string module;
  std::string input;
  std::string sizes;                // of the batches of a packed input
  std::vector<std::string> before;  // h, and c of an LSTM
  std::string flags;                // bidirectional, and whether the batch comes first
  int64_t directions;
};

/// The parameters `names` of a layer in one direction, separated by commas.
std::string weights(const Stack& stack, int64_t layer, int64_t direction,
                    const std::vector<std::string>& names) {
  const auto suffix = "_l" + std::to_string(layer) + (direction == 1 ? "_reverse" : "");
  std::string list;
  for (const auto& name : names) {
    list += (list.empty() ? "self." : ", self.") + stack.module + "." + name + suffix;
  }
  return list;
}

/// A line that runs these layers: `results` = CELL(…).
std::string call(const Stack& stack, const std::string& results, const std::string& input,
                 const std::vector<std::string>& before, int64_t first, int64_t count) {
  const bool lstm = before.size() == 2;
  std::string parameters;
  for (int64_t layer = first; layer < first + count; ++layer) {
    for (int64_t direction = 0; direction < stack.directions; ++direction) {
      parameters +=
          (parameters.empty() ? "" : ", ") +
          weights(stack, layer, direction, {"weight_ih", "weight_hh", "bias_ih", "bias_hh"});
    }
  }
  return "    " + results + " = torch." + (lstm ? "lstm(" : "gru(") + input + stack.sizes + ", " +
         (lstm ? "[" + before[0] + ", " + before[1] + "]" : before[0]) + ", [" + parameters +
         "], True, " + std::to_string(count) + ", 0.0, False, " + stack.flags + ")\n";
}

/// Lines that set output, hidden and, of an LSTM, cell: nn/recurrent.cpp.
std::string run(const Stack& stack, int64_t num_layers, bool residual) {
  const std::vector<std::string> names = {"hidden", "cell"};
  const size_t states = stack.before.size();
  if (!residual) {
    const auto results = states == 2 ? "output, hidden, cell" : "output, hidden";
    return call(stack, results, stack.input, stack.before, 0, num_layers);
  }
  std::string lines;
  std::vector<std::string> all(states);
  for (int64_t layer = 0; layer < num_layers; ++layer) {
    const auto number = std::to_string(layer);
    const auto place = ".narrow(0, " + std::to_string(layer * stack.directions) + ", " +
                       std::to_string(stack.directions) + ")";
    std::string results = layer == 0 ? "output" : "above";
    std::vector<std::string> before;
    for (size_t i = 0; i < states; ++i) {
      before.push_back(stack.before[i] + place);
      results += ", " + names[i] + number;
      all[i] += (layer == 0 ? "" : ", ") + names[i] + number;
    }
    lines += call(stack, results, layer == 0 ? stack.input : "output", before, layer, 1);
    if (layer > 0) lines += "    output = output + above\n";
  }
  for (size_t i = 0; i < states; ++i) {
    lines += "    " + names[i] + " = torch.cat([" + all[i] + "], 0)\n";
  }
  return lines;
}

/// The same with layer normalization, layer by layer and direction by direction. `output` holds the
/// input, padded to the `lengths`.
std::string run_normalized(const Stack& stack, int64_t num_layers, bool residual) {
  const bool lstm = stack.before.size() == 2;
  std::vector<std::string> names = {"weight_ih", "weight_hh", "bias_ih",
                                    "bias_hh",   "gain_ih",   "gain_hh"};
  if (lstm) names.insert(names.end(), {"gain_c", "bias_c"});
  std::string lines;
  std::vector<std::string> all(stack.before.size());
  for (int64_t layer = 0; layer < num_layers; ++layer) {
    std::string outputs;
    for (int64_t direction = 0; direction < stack.directions; ++direction) {
      const auto place = std::to_string(layer * stack.directions + direction);
      std::string first;
      for (size_t i = 0; i < all.size(); ++i) {
        first += (i == 0 ? "" : ", ") + stack.before[i] + "[" + place + "]";
        all[i] += (place == "0" ? "last" : ", last") + place + "[" + std::to_string(i) + "]";
      }
      lines += "    output" + place + ", last" + place + " = self._normalized_layer(output, [" +
               first + "], real_steps, " + (direction == 1 ? "True" : "False") + ", [" +
               weights(stack, layer, direction, names) + "])\n";
      outputs += (direction == 0 ? "output" : ", output") + place;
    }
    lines += std::string("    output = ") + (residual && layer > 0 ? "output + " : "") +
             "torch.cat([" + outputs + "], -1)\n";
  }
  lines += "    hidden = torch.stack([" + all[0] + "], 0)\n";
  if (lstm) lines += "    cell = torch.stack([" + all[1] + "], 0)\n";
  return lines;
}

std::string run_encoder(const Stack& stack, const Seq2SeqOptions& options) {
  if (!options.cell_layer_norm) return run(stack, options.num_layers, options.residual);
  return "    output, real = torch._pad_packed_sequence(data, batch_sizes, True, 0.0, "
         "source_ids.size(1))\n"
         "    real_steps = lengths.to(data.device)\n" +
         run_normalized(stack, options.num_layers, options.residual) +
         "    output, batch_sizes = torch._pack_padded_sequence(output, lengths, True)\n";
}

std::string run_decoder(const Stack& stack, const Seq2SeqOptions& options) {
  const int64_t layers = num_decoder_layers(options);
  if (!options.cell_layer_norm) return run(stack, layers, options.residual);
  return "    output = " + stack.input +
         "\n    real_steps = torch.ones([fed.size(0)], dtype=4, device=fed.device)\n" +
         run_normalized(stack, layers, options.residual);
}

/// A line that normalizes what `name` holds; none without layer_norm.
std::string normalize(const std::string& name, const std::string& norm,
                      const Seq2SeqOptions& options) {
  if (!options.layer_norm) return "";
  return "\n    " + name + " = torch.layer_norm(" + name + ", [@HIDDEN], self." + norm +
         ".weight, self." + norm + ".bias)";
}

constexpr char kJoined[] = "self._join_directions(hidden, back)";
constexpr char kJoinedCell[] = "self._join_directions(cell, back)";
constexpr char kNoState[] =
    "torch.zeros([@DECODER_LAYERS, source_ids.size(0), @HIDDEN], dtype=states.dtype, "
    "device=states.device)";

/// tanh(W^l x + b^l) of each layer, where x is `inputs` with @LAYER filled in.
std::string bridged(const std::string& inputs, const Seq2SeqOptions& options) {
  const auto one = "torch.tanh(torch.linear(" + inputs +
                   ", self.bridge.l@LAYER.weight, self.bridge.l@LAYER.bias))";
  std::string list;
  for (int64_t layer = 0; layer < num_decoder_layers(options); ++layer) {
    if (layer > 0) list += ", ";
    list += fill_in(one, {{"@LAYER", std::to_string(layer)}});
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

/// An expression that selects from `joined` [E, B, H] the encoder layer of each decoder layer: [D,
/// B, H].
std::string corresponding(const Seq2SeqOptions& options) {
  const int64_t layers = num_decoder_layers(options);
  if (layers == options.num_layers) return "joined";
  std::string list;
  for (int64_t l = 0; l < layers; ++l) {
    list += (l == 0 ? "joined[" : ", joined[") +
            std::to_string(corresponding_layer(l, options.num_layers, layers)) + "]";
  }
  return "torch.stack([" + list + "], 0)";
}

std::string fill_in_recurrent(const std::string& text, const Seq2SeqOptions& options) {
  const bool lstm = options.cell == Cell::kLstm;
  const bool summed = options.encoder_output == EncoderOutput::kSummed;
  const bool uses_step = options.attention->uses_step;
  // The width of the state's last tensor, which attention carries from step to step.
  const std::string carried = options.coverage ? "source_ids.size(1)" : uses_step ? "1" : "";
  const std::string source = lstm ? "state[3]" : "state[2]";  // of a model that copies
  const int64_t width = summed ? options.hidden_size : options.hidden_size / 2;
  Stack encoder{"encoder.rnn", "data", ", batch_sizes", {"zeros"}, "True", 2};
  Stack decoder{"decoder.rnn", "fed.unsqueeze(1)", "", {"state[1]"}, "False, True", 1};
  if (lstm) {
    encoder.before.emplace_back("zeros");
    decoder.before.emplace_back("state[2]");
  }
  return fill_in(
      text,
      {{"@RUN_ENCODER", run_encoder(encoder, options)},
       {"@RUN_DECODER", run_decoder(decoder, options)},
       {"@CELL", lstm ? kNormalizedLstm : kNormalizedGru},
       {"@FIRST_STATE", first_state(options)},
       {"@CORRESPONDING", corresponding(options)},
       {"@TOGETHER", summed ? "torch.sum(directions, [1])"
                            : "directions.transpose(1, 2).reshape([@ENCODER_LAYERS, -1, @HIDDEN])"},
       {"@SUMMED", summed ? "\n    states = states.narrow(2, 0, @WIDTH) + "
                            "states.narrow(2, @WIDTH, @WIDTH)"
                          : ""},
       {"@STATE", lstm ? "hidden, cell" : "hidden"},
       {"@MASK", uses_step ? "self.attn.window(padding.unsqueeze(1), (state[-1] + 1).view("
                             "[states.size(0), -1, 1]))"
                           : "padding.unsqueeze(1)"},
       {"@COVERAGE",
        options.coverage ? ", state[-1].view([states.size(0), -1, states.size(1)])" : ""},
       {"@SOURCE", options.copy ? ", source_ids.to(states.dtype).unsqueeze(0)" : ""},
       {"@SAME_SOURCE", options.copy ? ", " + source : ""},
       {"@PREDICTED", options.copy ? "self.copy(generated, attentional, attention.flatten(0, 1), " +
                                         source + ".squeeze(0))"
                                   : "generated"},
       {"@FIRST_PAST", carried.empty() ? ""
                                       : ", torch.zeros([1, source_ids.size(0), " + carried +
                                             "], dtype=states.dtype, device=states.device)"},
       {"@NEXT_PAST", options.coverage ? ", state[-1] + attention.flatten(0, 1).unsqueeze(0)"
                      : uses_step      ? ", state[-1] + 1"
                                       : ""},
       {"@MEAN", options.decoder_init == DecoderInit::kMean
                     ? "\n    mean = torch.sum(states, [1]) / "
                       "source_lengths.to(states).unsqueeze(1)"
                     : ""},
       {"@FED",
        options.input_feeding ? "torch.cat([embedded, state[0].squeeze(0)], -1)" : "embedded"},
       {"@NORMALIZED_QUERIES", normalize("queries", "norm_dec", options)},
       {"@NORMALIZED", normalize("states", "norm_src", options)},
       {"@WIDTH", std::to_string(width)},
       {"@HIDDEN", std::to_string(options.hidden_size)},
       {"@ENCODER_LAYERS", std::to_string(options.num_layers)},
       {"@DECODER_LAYERS", std::to_string(num_decoder_layers(options))}});
}

}  // namespace

Programs recurrent_programs(const Seq2SeqOptions& options) {
  std::string text = kEncode;
  if (options.cell_layer_norm) text += kNormalizedLayer;
  if (options.copy) text += kMixture;
  return {{"attn", attention_program(*options.attention, options)},
          {"", fill_in_recurrent(text + kStep, options)}};
}

}  // namespace nmt
