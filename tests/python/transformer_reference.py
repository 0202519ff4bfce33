"""The Transformer built from torch.nn's own layers, with the weights of an nmt model."""

import math

import torch
from torch import nn


def positions(count, size):
    """[count, size], Vaswani et al. 2017, section 3.5."""
    table = torch.zeros(count, size)
    for p in range(count):
        for i in range(0, size, 2):
            table[p, i] = math.sin(p / 10000 ** (i / size))
            table[p, i + 1] = math.cos(p / 10000 ** (i / size))
    return table


class TransformerReference(nn.Module):
    """The module's parameters bear nmt's names in `weights`; the layers' own are filled from them."""

    def __init__(self, weights, heads, pre_norm):
        super().__init__()
        self.weights = weights
        self.size = weights["emb_src.weight"].shape[1]
        wide = weights["encoder.0.widen.weight"].shape[0]
        count = sum(name.startswith("encoder.") and name.endswith("widen.bias") for name in weights)
        shape = dict(d_model=self.size, nhead=heads, dim_feedforward=wide, dropout=0.0,
                     batch_first=True, norm_first=pre_norm)
        self.encoder = nn.ModuleList(nn.TransformerEncoderLayer(**shape) for _ in range(count))
        self.decoder = nn.ModuleList(nn.TransformerDecoderLayer(**shape) for _ in range(count))
        with torch.no_grad():
            for i in range(count):
                self.fill(self.encoder[i], f"encoder.{i}.", ["around_self", "around_feed_forward"])
                self.fill(self.decoder[i], f"decoder.{i}.",
                          ["around_self", "around_source", "around_feed_forward"])

    def fill(self, layer, prefix, norms):
        def copy(parameter, name):
            parameter.copy_(self.weights[prefix + name])

        def fill_attention(attention, name):
            parts = [self.weights[f"{prefix}{name}.{part}.weight"] for part in ("query", "key", "value")]
            attention.in_proj_weight.copy_(torch.cat(parts))
            copy(attention.out_proj.weight, name + ".output.weight")
            attention.in_proj_bias.zero_()
            attention.out_proj.bias.zero_()

        fill_attention(layer.self_attn, "self_attn")
        if "around_source" in norms:
            fill_attention(layer.multihead_attn, "source_attn")
        for part in ("weight", "bias"):
            copy(getattr(layer.linear1, part), "widen." + part)
            copy(getattr(layer.linear2, part), "narrow." + part)
            for number, name in enumerate(norms, start=1):
                copy(getattr(getattr(layer, f"norm{number}"), part), f"{name}.norm.{part}")

    def embed(self, name, tokens):
        words = nn.functional.embedding(tokens, self.weights[name]) * math.sqrt(self.size)
        return words + positions(tokens.shape[1], self.size)

    def norm(self, name, x):
        if name + ".weight" not in self.weights:
            return x
        weight, bias = self.weights[name + ".weight"], self.weights[name + ".bias"]
        return nn.functional.layer_norm(x, [self.size], weight, bias)

    def forward(self, source, lengths, target_input):
        """source [B, S], lengths [B], target_input [B, T] -> log-probabilities [B, T, V]"""
        padding = torch.arange(source.shape[1])[None, :] >= lengths[:, None]  # [B, S]
        h_src = self.embed("emb_src.weight", source)
        for layer in self.encoder:
            h_src = layer(h_src, src_key_padding_mask=padding)
        h_src = self.norm("norm_src", h_src)
        length = target_input.shape[1]
        later = torch.ones(length, length, dtype=torch.bool).triu(1)
        x = self.embed("emb_dec.weight", target_input)
        for layer in self.decoder:
            x = layer(x, h_src, tgt_mask=later, memory_key_padding_mask=padding)
        logits = nn.functional.linear(self.norm("norm_dec", x), self.weights["generator.output.weight"],
                                      self.weights["generator.output.bias"])
        return logits.log_softmax(dim=-1)
