"""The models of docs/model.md in plain PyTorch, for pytorch_train.py and pytorch_translate.py."""

import argparse
import math

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, BOS, EOS = 0, 2, 3


def model_parser(description):
    """The arguments that describe a model, and --threads."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--architecture", choices=["recurrent", "transformer"], required=True)
    parser.add_argument("--pre-norm", action="store_true")
    for name in ("source-vocabulary", "target-vocabulary", "embedding-size", "hidden-size",
                 "num-layers", "heads", "feed-forward-size", "threads"):
        parser.add_argument("--" + name, type=int, required=True)
    return parser


class RecurrentModel(nn.Module):
    """The layers and the encoder; training and translating differ in the decoder's steps."""

    def __init__(self, options):
        super().__init__()
        hidden, embedding, layers = options.hidden_size, options.embedding_size, options.num_layers
        dropout = getattr(options, "dropout", 0.0)
        between = dropout if layers > 1 else 0.0
        self.emb_src = nn.Embedding(options.source_vocabulary, embedding)
        self.emb_dec = nn.Embedding(options.target_vocabulary, embedding)
        self.encoder = nn.GRU(embedding, hidden // 2, layers, batch_first=True, bidirectional=True,
                              dropout=between)
        self.decoder = nn.GRU(embedding + hidden, hidden, layers, batch_first=True, dropout=between)
        self.attention = nn.Linear(hidden, hidden, bias=False)
        self.concat = nn.Linear(2 * hidden, hidden)
        self.generator = nn.Linear(hidden, options.target_vocabulary)
        self.dropout = nn.Dropout(dropout)

    def encode(self, source, lengths):
        """The states [B, T, H], padding [B, 1, T] and the decoder's first state [layers, B, H]."""
        packed = pack_padded_sequence(self.dropout(self.emb_src(source)), lengths, batch_first=True,
                                      enforce_sorted=False)
        states, final = self.encoder(packed)
        states, _ = pad_packed_sequence(states, batch_first=True, total_length=source.size(1))
        layers = self.decoder.num_layers
        final = final.view(layers, 2, source.size(0), -1).transpose(1, 2)
        return states, (source == PAD).unsqueeze(1), final.reshape(layers, source.size(0), -1)


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
        later = torch.ones(target_input.size(1), target_input.size(1), dtype=torch.bool).triu(1)
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
    def __init__(self, options, looks_at_source):
        super().__init__()
        hidden = options.hidden_size
        self.heads, self.pre_norm = options.heads, options.pre_norm
        self.self_input = nn.Linear(hidden, 3 * hidden, bias=False)
        self.self_output = nn.Linear(hidden, hidden, bias=False)
        self.self_norm = nn.LayerNorm(hidden)
        if looks_at_source:
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


class TransformerState:
    def __init__(self, memory, padding):
        self.memory, self.padding = memory, padding
        self.caches = [None] * len(memory)
        self.position = 0

    def select(self, rows):
        self.caches = [cache if cache is None else cache.index_select(1, rows)
                       for cache in self.caches]


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

    def start(self, source, lengths):
        padding = (source == PAD)[:, None, None, :]
        x = self.emb_src(source) * math.sqrt(self.hidden) + self.positions[:source.size(1)]
        for layer in self.encoder:
            x = layer.encode(x, padding)
        x = self.norm_src(x)
        memory = [[split_heads(part, layer.heads) for part in layer.source_memory(x).chunk(2, -1)]
                  for layer in self.decoder]
        return TransformerState(memory, padding)

    def step(self, token, state):
        """token [N] -> log-probabilities [N, V]"""
        x = self.emb_dec(token).unsqueeze(1) * math.sqrt(self.hidden)
        x = x + self.positions[state.position]
        state.position += 1
        for i, layer in enumerate(self.decoder):
            x, state.caches[i] = layer.step(x, state.caches[i], state.memory[i], state.padding)
        return self.generator(self.norm_dec(x).squeeze(1)).log_softmax(-1)
