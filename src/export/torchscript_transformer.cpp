#include <cmath>

#include "config/layers.h"
#include "export/torchscript_fragments.h"
#include "numbers/parse.h"

namespace nmt {
namespace {

// nn/transformer_layer.h: what surrounds a sublayer, in two halves.
constexpr char kPreNorm[] = R"(
def before(self, x: Tensor) -> Tensor:
    return torch.layer_norm(x, [@HIDDEN], self.norm.weight, self.norm.bias)

def after(self, x: Tensor, output: Tensor) -> Tensor:
    return x + output
)";

constexpr char kPostNorm[] = R"(
def before(self, x: Tensor) -> Tensor:
    return x

def after(self, x: Tensor, output: Tensor) -> Tensor:
    return torch.layer_norm(x + output, [@HIDDEN], self.norm.weight, self.norm.bias)
)";

// nn/transformer_layer.cpp
constexpr char kFeedForward[] = R"(
def _feed_forward(self, x: Tensor) -> Tensor:
    wide = torch.relu(torch.linear(self.around_feed_forward.before(x), self.widen.weight, self.widen.bias))
    return self.around_feed_forward.after(x, torch.linear(wide, self.narrow.weight, self.narrow.bias))
)";

constexpr char kEncoderLayer[] = R"(
def forward(self, x: Tensor, mask: Tensor) -> Tensor:
    queries = self.around_self.before(x)
    attended, weights = self.self_attn.forward(queries, self.self_attn.prepare(queries), mask)
    return self._feed_forward(self.around_self.after(x, attended))
)";

// hstack is cat along axis 1, but the compiler does not fuse it with the cat in prepare: fused,
// the two make LLVM in Debian 13's LibTorch 2.6 loop forever.
constexpr char kDecoderLayer[] = R"(
def forward(self, x: Tensor, seen: Tensor, memory: Tensor, mask: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    queries = self.around_self.before(x)
    seen = torch.hstack([seen, self.self_attn.prepare(queries)])
    anywhere = torch.zeros([1, 1, 1], dtype=11, device=x.device)
    attended, weights = self.self_attn.forward(queries, seen, anywhere)
    x = self.around_self.after(x, attended)
    queries = self.around_source.before(x).reshape([memory.size(0), -1, @HIDDEN])
    attended, weights = self.source_attn.forward(queries, memory, mask)
    x = self.around_source.after(x, attended.reshape([-1, 1, @HIDDEN]))
    return self._feed_forward(x), seen, weights.flatten(0, 1)
)";

// nn/transformer.cpp
constexpr char kEmbed[] = R"(
def _embed(self, embeddings: Tensor, tokens: Tensor, first: int) -> Tensor:
    words = torch.embedding(embeddings, tokens) * @HIDDEN ** 0.5
    position = torch.arange(first, first + tokens.size(1), dtype=6, device=tokens.device).unsqueeze(1)
    even = torch.arange(0, @HIDDEN, 2, dtype=6, device=tokens.device)
    angle = position * torch.exp(even * (-@LOG_10000 / @HIDDEN))
    positions = torch.stack([torch.sin(angle), torch.cos(angle)], -1).flatten(1)
    return words + positions.to(words.dtype)
)";

// The source memories of all layers are concatenated along the last axis; the state holds the keys
// and values of the target positions of all layers, [L, N, t, 2H].
constexpr char kTransformerEncode[] = R"(
def encode(self, source_ids: Tensor, source_lengths: Tensor) -> Tuple[Tensor, Tensor, List[Tensor]]:
    positions = torch.arange(source_ids.size(1), device=source_ids.device)
    padding = positions.unsqueeze(0) >= source_lengths.to(source_ids.device).unsqueeze(1)
    mask = padding.unsqueeze(1)
    x = self._embed(self.emb_src.weight, source_ids, 0)
@LAYERS    states = @STATES
    seen = torch.zeros([@COUNT, source_ids.size(0), 0, 2 * @HIDDEN], dtype=x.dtype, device=x.device)
    return torch.cat([@MEMORIES], -1), padding, [seen]
)";

constexpr char kEncodeLayer[] = R"(    x = getattr(self.encoder, "@I").forward(x, mask)
)";

constexpr char kMemory[] = R"(getattr(self.decoder, "@I").source_attn.prepare(states))";

constexpr char kTransformerStep[] = R"(
def step(self, tokens: Tensor, state: List[Tensor], states: Tensor, padding: Tensor) -> Tuple[Tensor, List[Tensor], Tensor]:
    seen = state[0]
    mask = padding.unsqueeze(1)
    x = self._embed(self.emb_dec.weight, tokens.unsqueeze(1), seen.size(2))
@LAYERS    logits = torch.linear(@STATES.squeeze(1), self.generator.output.weight, self.generator.output.bias)
    return torch.log_softmax(logits, -1), [torch.stack([@SEEN], 0)], attention
)";

constexpr char kStepLayer[] =
    R"(    x, seen@I, attention = getattr(self.decoder, "@I").forward(x, seen[@I], states.narrow(2, @I * 2 * @HIDDEN, 2 * @HIDDEN), mask)
)";

/// Repeats the text for each of `count` layers, with @I replaced by the layer's number.
std::string each_layer(const std::string& text, const std::string& separator, int64_t count) {
  std::string all;
  for (int64_t i = 0; i < count; ++i) {
    all += (i == 0 ? "" : separator) + fill_in(text, {{"@I", std::to_string(i)}});
  }
  return all;
}

/// The layers' output; with pre-norm, normalized once more at the end.
std::string last_states(const std::string& norm, const Seq2SeqOptions& options) {
  if (!options.pre_norm) return "x";
  return "torch.layer_norm(x, [@HIDDEN], self." + norm + ".weight, self." + norm + ".bias)";
}

std::string model_program(const Seq2SeqOptions& options) {
  const int64_t layers = num_decoder_layers(options);
  const auto encode =
      fill_in(kTransformerEncode, {{"@LAYERS", each_layer(kEncodeLayer, "", options.num_layers)},
                                   {"@MEMORIES", each_layer(kMemory, ", ", layers)},
                                   {"@STATES", last_states("norm_src", options)},
                                   {"@COUNT", std::to_string(layers)}});
  const auto step = fill_in(kTransformerStep, {{"@LAYERS", each_layer(kStepLayer, "", layers)},
                                               {"@SEEN", each_layer("seen@I", ", ", layers)},
                                               {"@STATES", last_states("norm_dec", options)}});
  return fill_in(kEmbed, {{"@LOG_10000", shortest_text(std::log(10000.0))}}) + encode + step;
}

}  // namespace

Programs transformer_programs(const Seq2SeqOptions& options) {
  auto plain = options;  // what recurrent models change about attention
  plain.attention_temperature = 1.0;
  plain.coverage = false;
  const auto attention = attention_program(multi_head_attention(), plain);
  Programs programs = {{"", model_program(options)}};
  for (const bool decodes : {false, true}) {
    const int64_t layers = decodes ? num_decoder_layers(options) : options.num_layers;
    for (int64_t i = 0; i < layers; ++i) {
      const auto layer = (decodes ? "decoder." : "encoder.") + std::to_string(i);
      programs[layer] = std::string(kFeedForward) + (decodes ? kDecoderLayer : kEncoderLayer);
      for (const char* name : {".self_attn", ".source_attn"}) programs[layer + name] = attention;
      for (const char* name : {".around_self", ".around_source", ".around_feed_forward"}) {
        programs[layer + name] = options.pre_norm ? kPreNorm : kPostNorm;
      }
    }
  }
  for (auto& [module, text] : programs) {
    text = fill_in(text, {{"@HIDDEN", std::to_string(options.hidden_size)}});
  }
  return programs;
}

}  // namespace nmt
