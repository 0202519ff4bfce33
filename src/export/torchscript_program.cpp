#include "export/torchscript_program.h"

#include <utility>
#include <vector>

namespace nmt {
namespace {

// The program is that of src/nn/seq2seq.cpp and src/decode/single_path_search.cpp, line by line.
// What depends on the model stands as @NAME. dtype=4 is int64 and 11 bool: the language as C++
// reads it has no names for them. Padding is 0, unknown 1, BOS 2, EOS 3.

constexpr char kEncode[] = R"(
def _join_directions(self, state: Tensor, back: Tensor) -> Tensor:
    joined = state.view([@LAYERS, 2, -1, @HALF]).transpose(1, 2).reshape([@LAYERS, -1, @HIDDEN])
    return torch.index_select(joined, 1, back)

def encode(self, source_ids: Tensor, source_lengths: Tensor) -> Tuple[Tensor, Tensor, List[Tensor]]:
    lengths, order = torch.sort(source_lengths.cpu(), stable=True, dim=0, descending=True)
    rows = order.to(source_ids.device)
    back = torch.argsort(order).to(source_ids.device)
    embedded = torch.embedding(self.emb_src.weight, torch.index_select(source_ids, 0, rows))
    data, batch_sizes = torch._pack_padded_sequence(embedded, lengths, True)
    zeros = torch.zeros([2 * @LAYERS, source_ids.size(0), @HALF], dtype=embedded.dtype, device=embedded.device)
    output, @STATE = torch.@CELL(data, batch_sizes, @ZEROS, [@ENCODER_WEIGHTS], True, @LAYERS, 0.0, False, True)
    states, real = torch._pad_packed_sequence(output, batch_sizes, True, 0.0, source_ids.size(1))
    states = torch.index_select(states, 0, back)
    positions = torch.arange(source_ids.size(1), device=source_ids.device)
    padding = positions.unsqueeze(0) >= source_lengths.to(source_ids.device).unsqueeze(1)
    attentional = torch.zeros([1, source_ids.size(0), @HIDDEN], dtype=states.dtype, device=states.device)
    return states, padding, [attentional, @JOINED_STATE]
)";

constexpr char kStep[] = R"(
def step(self, tokens: Tensor, state: List[Tensor], states: Tensor, padding: Tensor) -> Tuple[Tensor, List[Tensor], Tensor]:
    embedded = torch.embedding(self.emb_dec.weight, tokens)
    fed = @FED
    output, @STATE = torch.@CELL(fed.unsqueeze(1), @PREVIOUS_STATE, [@DECODER_WEIGHTS], True, @LAYERS, 0.0, False, False, True)
    decoder_states = output.view([states.size(0), -1, @HIDDEN])
    query = torch.matmul(decoder_states, self.attn.linear.weight.t())
    scores = torch.bmm(query, states.transpose(1, 2))
    attention = torch.softmax(torch.masked_fill(scores, padding.unsqueeze(1), float("-inf")), -1)
    joined = torch.cat([decoder_states, torch.bmm(attention, states)], -1)
    attentional = torch.tanh(torch.matmul(joined, self.concat.weight.t()) + self.concat.bias).view([tokens.size(0), -1])
    logits = torch.linear(attentional, self.generator.output.weight, self.generator.output.bias)
    return torch.log_softmax(logits, -1), [attentional.unsqueeze(0), @STATE], attention.view([tokens.size(0), -1])
)";

constexpr char kGreedy[] = R"(
def greedy(self, source_ids: Tensor, source_lengths: Tensor, max_length: int = 512, max_length_ratio: float = 3.0) -> Tuple[Tensor, Tensor]:
    states, padding, state = self.encode(source_ids, source_lengths)
    by_ratio = (source_lengths.to(source_ids.device).double() * max_length_ratio + 10.0).long()
    limits = torch.clamp(by_ratio, None, max_length)
    never = torch.tensor([self.pad_id, self.unknown_id, self.bos_id], dtype=4, device=source_ids.device)
    previous = torch.full_like(limits, self.bos_id)
    ended = torch.zeros_like(limits, dtype=11)
    log_probabilities = torch.zeros_like(limits, dtype=7)
    chosen: List[Tensor] = []
    while not bool(torch.all(ended)):
        log_p, state, attention = self.step(previous, state, states, padding)
        allowed = torch.index_fill(log_p, 1, never, float("-inf"))
        previous = torch.masked_fill(torch.argmax(allowed, 1), limits <= len(chosen), self.eos_id)
        values = torch.gather(log_p, 1, previous.unsqueeze(1)).squeeze(1).double()
        log_probabilities = log_probabilities + torch.masked_fill(values, ended, 0.0)
        ended = torch.logical_or(ended, previous == self.eos_id)
        chosen.append(torch.masked_fill(previous, ended, self.pad_id))
    tokens = torch.stack(chosen, 1)
    return tokens.narrow(1, 0, len(chosen) - 1), log_probabilities
)";

std::string weights(const std::string& module, int64_t num_layers, bool bidirectional) {
  std::string list;
  for (int64_t layer = 0; layer < num_layers; ++layer) {
    for (int64_t direction = 0; direction < (bidirectional ? 2 : 1); ++direction) {
      const auto suffix = "_l" + std::to_string(layer) + (direction == 1 ? "_reverse" : "");
      for (const char* name : {"weight_ih", "weight_hh", "bias_ih", "bias_hh"}) {
        list += (list.empty() ? "self." : ", self.") + module + "." + name + suffix;
      }
    }
  }
  return list;
}

using Replacements = std::vector<std::pair<std::string, std::string>>;

Replacements replacements_for(const Seq2SeqOptions& options) {
  const bool lstm = options.cell == Cell::kLstm;
  const std::string joined = "self._join_directions(hidden, back)";
  return {
      {"@LAYERS", std::to_string(options.num_layers)},
      {"@HALF", std::to_string(options.hidden_size / 2)},
      {"@HIDDEN", std::to_string(options.hidden_size)},
      {"@CELL", lstm ? "lstm" : "gru"},
      {"@STATE", lstm ? "hidden, cell" : "hidden"},
      {"@ZEROS", lstm ? "[zeros, zeros]" : "zeros"},
      {"@JOINED_STATE", lstm ? joined + ", self._join_directions(cell, back)" : joined},
      {"@PREVIOUS_STATE", lstm ? "[state[1], state[2]]" : "state[1]"},
      {"@FED",
       options.input_feeding ? "torch.cat([embedded, state[0].squeeze(0)], -1)" : "embedded"},
      {"@ENCODER_WEIGHTS", weights("encoder.rnn", options.num_layers, /*bidirectional=*/true)},
      {"@DECODER_WEIGHTS", weights("decoder.rnn", options.num_layers, /*bidirectional=*/false)},
  };
}

}  // namespace

std::string torchscript_program(const Seq2SeqOptions& options) {
  std::string program = std::string(kEncode) + kStep + kGreedy;
  for (const auto& [name, text] : replacements_for(options)) {
    for (size_t at = program.find(name); at != std::string::npos; at = program.find(name, at)) {
      program.replace(at, name.size(), text);
    }
  }
  return program;
}

}  // namespace nmt
