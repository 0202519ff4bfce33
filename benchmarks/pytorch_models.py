"""The models of docs/model.md in plain PyTorch, for pytorch_train.py and pytorch_translate.py."""

import argparse
import math
import sys

import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, BOS, EOS = 0, 2, 3


def model_parser(description):
    """The arguments that describe a model, and how it is computed."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--architecture", choices=["recurrent", "transformer"], required=True)
    parser.add_argument("--pre-norm", action="store_true")
    for name in ("source-vocabulary", "target-vocabulary", "embedding-size", "hidden-size",
                 "num-layers", "heads", "feed-forward-size", "threads"):
        parser.add_argument("--" + name, type=int, required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--precision", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--compile", metavar="MODE", help="Mode of torch.compile; not compiled without")
    return parser


def open_device(options):
    """The device, after checks and the settings of the whole process."""
    device = torch.device(options.device)
    if device.type == "cuda" and not torch.cuda.is_available():
        sys.exit(f"--device {device}: PyTorch {torch.__version__} finds no CUDA device")
    if options.compile and not hasattr(torch, "compile"):
        sys.exit(f"--compile: PyTorch {torch.__version__} has no torch.compile; use 2.0 or later")
    if options.compile and options.architecture != "recurrent":
        sys.exit("--compile: only the recurrent model is compiled here")
    torch.backends.cudnn.allow_tf32 = False  # float32 products as exact as nmt's
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    return device


def synchronize(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def gru_cell(inputs, hidden, *weights):
    """torch.gru_cell for [B, K, ...]: on a GPU two products and a fused kernel."""
    rows = torch.gru_cell(inputs.flatten(0, 1), hidden.flatten(0, 1), *weights)
    return rows.view_as(hidden)


def fusible_gru_cell(inputs, hidden, input_weight, hidden_weight, input_bias, hidden_bias):
    """The same, as operations that torch.compile fuses."""
    reset_in, update_in, new_in = functional.linear(inputs, input_weight, input_bias).chunk(3, -1)
    reset_h, update_h, new_h = functional.linear(hidden, hidden_weight, hidden_bias).chunk(3, -1)
    new = torch.tanh(new_in + torch.sigmoid(reset_in + reset_h) * new_h)
    return new + torch.sigmoid(update_in + update_h) * (hidden - new)


class RecurrentModel(nn.Module):
    """The layers, the encoder and the decoder's step."""

    def __init__(self, options):
        super().__init__()
        hidden, embedding, layers = options.hidden_size, options.embedding_size, options.num_layers
        dropout = getattr(options, "dropout", 0.0)
        self.dtype = torch.bfloat16 if options.precision == "bfloat16" else torch.float32
        self.compile_mode = options.compile
        self.cell = fusible_gru_cell if options.compile else gru_cell
        self.emb_src = nn.Embedding(options.source_vocabulary, embedding)
        self.emb_dec = nn.Embedding(options.target_vocabulary, embedding)
        self.encoder = nn.GRU(embedding, hidden // 2, layers, batch_first=True, bidirectional=True,
                              dropout=dropout if layers > 1 else 0.0)
        self.decoder = nn.ModuleList(nn.GRUCell(hidden if i else embedding + hidden, hidden)
                                     for i in range(layers))
        self.attention = nn.Linear(hidden, hidden, bias=False)
        self.concat = nn.Linear(2 * hidden, hidden)
        self.generator = nn.Linear(hidden, options.target_vocabulary)
        self.dropout = nn.Dropout(dropout)

    def mark_dynamic(self, tensor, *dimensions):
        """Lets a compiled step take other sizes of these dimensions without compiling it again."""
        if self.compile_mode:
            torch._dynamo.maybe_mark_dynamic(tensor, dimensions)
        return tensor

    def encode(self, source, lengths):
        """source [B, S], lengths [B] on the CPU -> the states [B, S, H], padding [B, 1, S] and the decoder's first
        states [B, 1, H], one for each layer"""
        embedded = self.dropout(self.emb_src(source)).to(self.encoder.weight_ih_l0.dtype)
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        states, final = self.encoder(packed)  # float16 with autocast, which runs cuDNN's layers so
        states, _ = pad_packed_sequence(states, batch_first=True, total_length=source.size(1))
        final = final.to(self.dtype).view(len(self.decoder), 2, source.size(0), -1).transpose(1, 2)
        hidden = [self.mark_dynamic(layer.flatten(1).unsqueeze(1), 0) for layer in final]
        padding = (source == PAD).unsqueeze(1)
        states = states.to(self.dtype).contiguous()
        return self.mark_dynamic(states, 0, 1), self.mark_dynamic(padding, 0, 2), hidden

    def decoder_weights(self):
        """Those of a step, cast once for all steps: compiled code does not use autocast's cache."""
        cells = [(cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh) for cell in self.decoder]
        others = (self.attention.weight, self.concat.weight, self.concat.bias)
        return [[weight.to(self.dtype) for weight in group] for group in (*cells, others)]

    def decoder_step(self, weights, embedded, attentional, hidden, states, padding):
        """embedded [B, K, E], attentional [B, K, H], hidden of each layer [B, K, H], with K hypotheses a sentence
        -> attentional, hidden"""
        *cells, (attention, concat, concat_bias) = weights
        output = torch.cat((embedded, attentional), -1)
        new_hidden = []
        for i, cell in enumerate(cells):
            output = self.cell(self.dropout(output) if i else output, hidden[i], *cell)
            new_hidden.append(output)
        scores = torch.bmm(functional.linear(output, attention), states.transpose(1, 2))
        context = torch.bmm(scores.masked_fill(padding, -torch.inf).softmax(-1).to(self.dtype), states)
        both = torch.cat((output, context), -1)
        return self.dropout(torch.tanh(functional.linear(both, concat, concat_bias))), new_hidden


def positions(count, hidden):
    """Sinusoidal positions, [count, H]."""
    angles = torch.arange(count).unsqueeze(1) * torch.exp(
        torch.arange(0, hidden, 2) * (-math.log(10000.0) / hidden))
    return torch.stack((angles.sin(), angles.cos()), -1).flatten(1)


class TrainingTransformer(nn.Module):
    """torch.nn.Transformer between embeddings and output layer."""

    def __init__(self, options):
        super().__init__()
        self.hidden = options.hidden_size
        self.emb_src = nn.Embedding(options.source_vocabulary, self.hidden)
        self.emb_dec = nn.Embedding(options.target_vocabulary, self.hidden)
        self.transformer = nn.Transformer(
            self.hidden, options.heads, options.num_layers, options.num_layers,
            options.feed_forward_size, options.dropout, batch_first=True,
            norm_first=options.pre_norm)
        self.generator = nn.Linear(self.hidden, options.target_vocabulary)
        self.dropout = nn.Dropout(options.dropout)
        self.register_buffer("positions", positions(512, self.hidden))

    def embed(self, embedding, tokens):
        scaled = embedding(tokens) * math.sqrt(self.hidden)
        return self.dropout(scaled + self.positions[:tokens.size(1)])

    def forward(self, source, lengths, target_input):
        padding = source == PAD
        later = torch.ones(target_input.size(1), target_input.size(1), dtype=torch.bool,
                           device=source.device).triu(1)
        return self.transformer(self.embed(self.emb_src, source),
                                self.embed(self.emb_dec, target_input), tgt_mask=later,
                                src_key_padding_mask=padding, memory_key_padding_mask=padding)


def split_heads(columns, heads):
    """[N, T, H] -> [N, heads, T, H / heads]"""
    return columns.unflatten(2, (heads, -1)).transpose(1, 2)


def attend(query, keys, values, mask=None):
    """query [N, heads, Q, d], keys and values [N, heads, T, d] -> [N, Q, H]"""
    scores = torch.matmul(query / math.sqrt(query.size(-1)), keys.transpose(2, 3))
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    return torch.matmul(scores.softmax(-1), values).transpose(1, 2).flatten(2)


class TransformerLayer(nn.Module):
    def __init__(self, options, has_cross_attention):
        super().__init__()
        hidden = options.hidden_size
        self.heads, self.pre_norm = options.heads, options.pre_norm
        self.self_input = nn.Linear(hidden, 3 * hidden, bias=False)
        self.self_output = nn.Linear(hidden, hidden, bias=False)
        self.self_norm = nn.LayerNorm(hidden)
        if has_cross_attention:
            self.source_query = nn.Linear(hidden, hidden, bias=False)
            self.source_memory = nn.Linear(hidden, 2 * hidden, bias=False)
            self.source_output = nn.Linear(hidden, hidden, bias=False)
            self.source_norm = nn.LayerNorm(hidden)
        self.widen = nn.Linear(hidden, options.feed_forward_size)
        self.narrow = nn.Linear(options.feed_forward_size, hidden)
        self.feed_forward_norm = nn.LayerNorm(hidden)

    def residual(self, x, norm, sublayer):
        return x + sublayer(norm(x)) if self.pre_norm else norm(x + sublayer(x))

    def project(self, x):
        return (split_heads(part, self.heads) for part in self.self_input(x).chunk(3, -1))

    def feed_forward(self, x):
        return self.residual(x, self.feed_forward_norm,
                             lambda y: self.narrow(torch.relu(self.widen(y))))

    def encode(self, x, padding):
        def look(y):
            return self.self_output(attend(*self.project(y), padding))

        return self.feed_forward(self.residual(x, self.self_norm, look))

    def step(self, x, cache, memory, padding):
        """x [N, 1, H]; cache: keys and values so far, [2, N, heads, t, d], or None."""
        def look_back(y):
            query, key, value = self.project(y)
            new = torch.stack((key, value))
            nonlocal cache
            cache = new if cache is None else torch.cat((cache, new), 3)
            return self.self_output(attend(query, cache[0], cache[1]))

        def look_at_source(y):
            sentences = memory[0].size(0)
            query = split_heads(self.source_query(y).view(sentences, -1, y.size(2)), self.heads)
            return self.source_output(attend(query, *memory, padding).view_as(y))

        x = self.residual(x, self.self_norm, look_back)
        x = self.residual(x, self.source_norm, look_at_source)
        return self.feed_forward(x), cache


class TranslatingTransformer(nn.Module):
    """The model that pytorch_translate.py runs: keys and values are cached."""

    def __init__(self, options):
        super().__init__()
        self.hidden = options.hidden_size
        self.emb_src = nn.Embedding(options.source_vocabulary, self.hidden)
        self.emb_dec = nn.Embedding(options.target_vocabulary, self.hidden)
        layers = range(options.num_layers)
        self.encoder = nn.ModuleList(TransformerLayer(options, False) for _ in layers)
        self.decoder = nn.ModuleList(TransformerLayer(options, True) for _ in layers)
        last_norm = nn.LayerNorm if options.pre_norm else nn.Identity
        self.norm_src = last_norm(self.hidden)
        self.norm_dec = last_norm(self.hidden)
        self.generator = nn.Linear(self.hidden, options.target_vocabulary)
        self.register_buffer("positions", positions(512, self.hidden))

    def start(self, source, lengths, width):
        padding = (source == PAD)[:, None, None, :]
        x = self.emb_src(source) * math.sqrt(self.hidden) + self.positions[:source.size(1)]
        for layer in self.encoder:
            x = layer.encode(x, padding)
        x = self.norm_src(x)
        memory = [[split_heads(part, layer.heads) for part in layer.source_memory(x).chunk(2, -1)]
                  for layer in self.decoder]
        return [None] * len(memory), (memory, padding)

    def step(self, token, caches, memory):
        """token [B, K], caches of each layer (TransformerLayer.step) -> logits [B, K, V], caches"""
        position = 0 if caches[0] is None else caches[0].size(3)
        x = self.emb_dec(token.view(-1, 1)) * math.sqrt(self.hidden) + self.positions[position]
        caches = list(caches)
        for i, layer in enumerate(self.decoder):
            x, caches[i] = layer.step(x, caches[i], memory[0][i], memory[1])
        return self.generator(self.norm_dec(x).squeeze(1)).view(*token.size(), -1), caches

    def select(self, caches, rows):
        return [cache.index_select(1, rows) for cache in caches]
