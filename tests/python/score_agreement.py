#!/usr/bin/env python3
"""Reproduces `nmt score` in plain PyTorch from an export.

Reads a safetensors file by hand, builds the model from torch.nn.GRU (or LSTM), Embedding and Linear
by the equations of docs/model.md, and compares the log-probability of every target, sentence by
sentence and in padded batches, with the figures that `nmt score` printed.

Exit code 0: they agree to 1e-4; 1: they do not; 77: something needed is not installed.
"""

import argparse
import json
import math
import shutil
import struct
import subprocess
import sys

try:
    import torch
    from torch import nn
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
except ImportError:
    print("skipped: PyTorch for Python is not installed (python3-torch)")
    sys.exit(77)

PAD, BOS, EOS = 0, 2, 3
TOLERANCE = 1e-4


def check(holds, what):
    if not holds:
        print(f"FAILED: {what}")
        sys.exit(1)


def read_safetensors(path):
    with open(path, "rb") as file:
        content = file.read()
    (size,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8:8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        assert entry["dtype"] == "F32", entry
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        flat = torch.frombuffer(bytearray(content[begin:end]), dtype=torch.float32)
        tensors[name] = flat.reshape(entry["shape"])
    return tensors


class Reference(nn.Module):
    """kh-kim/simple-nmt's design, with any attention; all but the heads and whether attention moves
    on with each step (local-m) is read off the weights."""

    def __init__(self, weights, heads=1, monotonic=False):
        super().__init__()
        self.heads, self.monotonic = heads, monotonic
        target_size, hidden = weights["generator.output.weight"].shape
        source_size, embedding = weights["emb_src.weight"].shape
        layers = sum(name.startswith("decoder.rnn.weight_hh_l") for name in weights)
        gates = weights["decoder.rnn.weight_hh_l0"].shape[0] // hidden
        recurrent = nn.GRU if gates == 3 else nn.LSTM
        self.input_feeding = weights["decoder.rnn.weight_ih_l0"].shape[1] == embedding + hidden
        decoder_input = embedding + hidden if self.input_feeding else embedding
        self.emb_src = nn.Embedding(source_size, embedding)
        self.emb_dec = nn.Embedding(target_size, embedding)
        width = weights["encoder.rnn.weight_hh_l0"].shape[1]  # of a direction
        self.summed = width == hidden
        self.encoder = nn.ModuleDict({"rnn": recurrent(
            embedding, width, layers, bidirectional=True, batch_first=True)})
        self.decoder = nn.ModuleDict({"rnn": recurrent(
            decoder_input, hidden, layers, batch_first=True)})
        self.attn = nn.ModuleDict({
            name.split(".")[1]: nn.Linear(hidden, weight.shape[0], bias=False)
            for name, weight in weights.items() if name.startswith("attn.")})
        self.concat = nn.Linear(weights["concat.weight"].shape[1], hidden)
        if "norm_src.weight" in weights:
            self.norm_src, self.norm_dec = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.generator = nn.ModuleDict({
            name: nn.Linear(hidden, weights[f"generator.{name}.weight"].shape[0])
            for name in ("output", "copy") if f"generator.{name}.weight" in weights})
        self.load_state_dict(weights, strict=True)
        self.eval()

    def together(self, forward, backward):
        """Both directions, side by side or summed: [..., H/2] twice or [..., H] twice -> [..., H]"""
        return forward + backward if self.summed else torch.cat([forward, backward], dim=-1)

    def join(self, state):
        """[2L, B, D] -> [L, B, H], both directions of a layer together."""
        return self.together(state[0::2], state[1::2]).contiguous()

    def attend(self, t, h_t, h_src, padding):
        """t from 1, h_t [B, 1, H], h_src [B, S, H], padding [B, S] -> context [B, 1, H]"""
        def of(name, x):
            return self.attn[name](x) if name in self.attn else x

        query, key, value = of("query", of("linear", h_t)), of("key", h_src), of("value", h_src)
        if "coverage" in self.attn:  # See et al. 2017, equations 10 and 11
            key = key + self.coverage.unsqueeze(2) * self.attn["coverage"].weight
        heads = self.heads if "output" in self.attn else 1
        query, key, value = (x.unflatten(2, (heads, -1)).transpose(1, 2) for x in (query, key, value))
        if "energy" in self.attn:
            scores = self.attn["energy"](torch.tanh(query.unsqueeze(3) + key.unsqueeze(2))).squeeze(-1)
        else:
            scores = query @ key.transpose(2, 3)  # [B, heads, 1, S]
        if "value" in self.attn:
            scores = scores / math.sqrt(query.shape[3])
        weights = scores.masked_fill(padding[:, None, None, :], -float("inf")).softmax(dim=-1)
        positions = torch.arange(1, h_src.shape[1] + 1)
        if "location" in self.attn:  # Luong et al. 2015, equation 8
            rows = self.attn["location"](h_t)[:, None]  # [B, 1, 1, 256]
            known = (positions <= rows.shape[3]) & ~padding[:, None, None, :]
            scores = torch.nn.functional.pad(rows, (0, h_src.shape[1] - rows.shape[3]))
            weights = scores.masked_fill(~known, -float("inf")).softmax(dim=-1)
        if self.monotonic:  # local-m: section 3.2
            center = (~padding).sum(dim=1).clamp(max=t)[:, None]
            near = ((positions - center).abs() <= 10) & ~padding
            weights = scores.masked_fill(~near[:, None, None, :], -float("inf")).softmax(dim=-1)
        if "center" in self.attn:  # local: Luong et al. 2015, section 3.2
            lengths = (~padding).sum(dim=1)[:, None, None]
            center = lengths * torch.sigmoid(self.attn["center"](torch.tanh(self.attn["position"](h_t))))
            distance = (positions - center).unsqueeze(1)  # [B, 1, 1, S]
            near = (distance.abs() <= 10) & ~padding[:, None, None, :]
            weights = scores.masked_fill(~near, -float("inf")).softmax(dim=-1)
            weights = weights * torch.exp(-(distance / 5) ** 2 / 2)
        self.weights = weights.mean(dim=1).squeeze(1)  # [B, S]
        self.coverage = self.coverage + self.weights
        return of("output", (weights @ value).transpose(1, 2).flatten(2))

    def copied(self, source, h_tilde):
        """What a token has from copying, σ(−γ) Σ_i a_i of its places: [B, 1, V]"""
        pointed = torch.sigmoid(-self.generator["copy"](h_tilde)).squeeze(2) * self.weights  # [B, S]
        vocabulary = self.generator["output"].out_features
        one_hot = torch.nn.functional.one_hot(source, vocabulary).to(pointed)  # [B, S, V]
        return pointed.unsqueeze(1) @ one_hot

    def forward(self, source, lengths, target_input):
        """source [B, S], lengths [B], target_input [B, T] -> log-probabilities [B, T, V]"""
        packed = pack_padded_sequence(self.emb_src(source), lengths, batch_first=True,
                                      enforce_sorted=False)
        output, state = self.encoder["rnn"](packed)
        output, _ = pad_packed_sequence(output, batch_first=True)
        h_src = self.together(*output.chunk(2, dim=-1))  # [B, S, H]
        if hasattr(self, "norm_src"):
            h_src = self.norm_src(h_src)
        state = tuple(map(self.join, state)) if isinstance(state, tuple) else self.join(state)
        padding = torch.arange(h_src.shape[1])[None, :] >= lengths[:, None]  # [B, S]
        h_tilde = torch.zeros(source.shape[0], 1, h_src.shape[2])
        self.coverage = torch.zeros(source.shape)  # [B, S]  the sum of the weights so far
        outputs, copied = [], []
        for t in range(target_input.shape[1]):
            step = self.emb_dec(target_input[:, t:t + 1])  # [B, 1, E]
            if self.input_feeding:
                step = torch.cat([step, h_tilde], dim=-1)
            h_t, state = self.decoder["rnn"](step, state)  # [B, 1, H]
            if hasattr(self, "norm_dec"):
                h_t = self.norm_dec(h_t)
            known = [h_t]
            if self.concat.in_features > h_t.shape[2]:  # else there is no attention
                known.append(self.attend(t + 1, h_t, h_src, padding))
            h_tilde = torch.tanh(self.concat(torch.cat(known, dim=-1)))
            outputs.append(h_tilde)
            if "copy" in self.generator:
                copied.append(self.copied(source, h_tilde))
        h_tilde = torch.cat(outputs, dim=1)
        if not copied:
            return self.generator["output"](h_tilde).log_softmax(dim=-1)
        # See, Liu and Manning 2017, equation 9
        generated = self.generator["output"](h_tilde).softmax(dim=-1)
        gate = torch.sigmoid(self.generator["copy"](h_tilde))
        return (gate * generated + torch.cat(copied, dim=1)).log()


def pad(rows):
    width = max(map(len, rows))
    return torch.tensor([row + [PAD] * (width - len(row)) for row in rows])


@torch.no_grad()
def score(model, sources, targets):
    output = pad([target + [EOS] for target in targets])
    log_probabilities = model(pad(sources), torch.tensor([len(source) for source in sources]),
                              pad([[BOS] + target for target in targets]))
    chosen = log_probabilities.gather(2, output.unsqueeze(2)).squeeze(2)
    return chosen.masked_fill(output == PAD, 0).double().sum(dim=1).tolist()


def encode(model, path, limit):
    with open(path, "rb") as text:
        lines = text.read().splitlines()[:limit]
    result = subprocess.run(["spm_encode", "--model=" + model, "--output_format=id"],
                            input=b"\n".join(lines) + b"\n", stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, check=True)
    encoded = result.stdout.decode().split("\n")[:len(lines)]
    return [[int(word) for word in line.split()] for line in encoded]


def single_and_batched(model, sources, targets, batch_size=32):
    single = [score(model, [source], [target])[0] for source, target in zip(sources, targets)]
    batched = []
    for begin in range(0, len(sources), batch_size):
        end = begin + batch_size
        batched += score(model, sources[begin:end], targets[begin:end])
    return single, batched


def largest_difference(ours, expected):
    """Not-a-number counts as the largest, wherever it stands: max() alone would pass over it."""
    differences = [abs(a - b) for a, b in zip(ours, expected)]
    return max((math.inf if math.isnan(d) else d for d in differences), default=math.inf)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("weights", "source-spm", "target-spm", "source", "target", "scores"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--limit", type=int, default=200)
    arguments = parser.parse_args()
    if shutil.which("spm_encode") is None:
        print("skipped: spm_encode is not installed (sentencepiece)")
        return 77
    model = Reference(read_safetensors(arguments.weights))
    sources = encode(arguments.source_spm, arguments.source, arguments.limit)
    targets = encode(arguments.target_spm, arguments.target, arguments.limit)
    with open(arguments.scores, encoding="utf-8") as file:
        expected = [float(line) for line in file][:arguments.limit]
    if not len(sources) == len(targets) == len(expected):
        print(f"{len(sources)} sources, {len(targets)} targets, {len(expected)} scores: unequal")
        return 1
    if not all(sources):
        print(f"line {sources.index([]) + 1}: an empty source has no probability to reproduce")
        return 1
    single, batched = single_and_batched(model, sources, targets)
    worst = max(largest_difference(single, expected), largest_difference(batched, expected))
    lengths = [len(source) for source in sources]
    print(f"{len(expected)} sentences of {min(lengths)} to {max(lengths)} tokens, "
          f"single and batched: largest difference {worst:.2e}")
    return 0 if worst <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
