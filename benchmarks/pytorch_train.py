#!/usr/bin/env python3
"""Training baseline: the model of docs/model.md in plain PyTorch, for `nmt bench train --python PYTHON`.

Reads batches of token ids, one JSON object per line ({"source": [[...]], "target": [[...]]}). Then, for each
line on standard input, trains on all batches once and prints the time in seconds.
"""

import json
import sys
import time

import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from pytorch_models import (BOS, EOS, PAD, RecurrentModel, TrainingTransformer, model_parser, open_device,
                            synchronize)


class Translator(RecurrentModel):
    def __init__(self, options):
        super().__init__(options)
        self.label_smoothing = options.label_smoothing
        if options.compile:
            self.decoder_step = torch.compile(self.decoder_step, mode=options.compile)
            self.token_loss = torch.compile(self.token_loss, mode=options.compile)

    def token_loss(self, attentional, target_output):
        """attentional [N, H], target_output [N]"""
        return functional.cross_entropy(self.generator(attentional), target_output,
                                        label_smoothing=self.label_smoothing)

    def loss(self, source, lengths, target_input, places, target_output):
        states, padding, hidden = self.encode(source, lengths)
        weights = self.decoder_weights()
        # With a gradient, as in later steps: they are then compiled once for all.
        attentional = self.mark_dynamic(torch.zeros_like(hidden[-1], requires_grad=bool(self.compile_mode)), 0)
        embedded = self.dropout(self.emb_dec(target_input.t())).to(self.dtype).unsqueeze(2)  # [T, B, 1, E]
        outputs = []
        for one in embedded.unbind():
            attentional, hidden = self.decoder_step(weights, self.mark_dynamic(one, 0), attentional, hidden,
                                                    states, padding)
            outputs.append(attentional)
        real = torch.cat(outputs, 1).flatten(0, 1).index_select(0, places)
        return self.token_loss(self.mark_dynamic(real, 0), self.mark_dynamic(target_output, 0))


class Transformer(TrainingTransformer):
    def __init__(self, options):
        super().__init__(options)
        self.label_smoothing = options.label_smoothing

    def loss(self, source, lengths, target_input, places, target_output):
        logits = self.generator(self(source, lengths, target_input).flatten(0, 1).index_select(0, places))
        return functional.cross_entropy(logits, target_output, label_smoothing=self.label_smoothing)


def make_batch(source, target, device):
    """source and target: lists of token ids -> source [B, S], lengths [B] on the CPU, target input [B, T], the places in
    B·T of the tokens that are no padding, and these tokens. All that a step needs is on the device before it begins."""
    padded_output = pad_sequence([torch.tensor(ids + [EOS]) for ids in target], True, PAD).flatten()
    places = (padded_output != PAD).nonzero().squeeze(1)
    return (pad_sequence([torch.tensor(ids) for ids in source], True, PAD).to(device),
            torch.tensor([len(ids) for ids in source]),
            pad_sequence([torch.tensor([BOS] + ids) for ids in target], True, PAD).to(device),
            places.to(device), padded_output[places].to(device))


def read_batches(path, device):
    with open(path, encoding="utf-8") as file:
        batches = [json.loads(line) for line in file]
    return [make_batch(batch["source"], batch["target"], device) for batch in batches]


def train(model, optimizer, batches, device, options):
    for batch in batches:
        optimizer.zero_grad(set_to_none=True)
        if options.compile:
            torch.compiler.cudagraph_mark_step_begin()  # only reduce-overhead needs it
        with torch.autocast(device.type, torch.bfloat16, options.precision == "bfloat16"):
            loss = model.loss(*batch)
        loss.backward()
        if options.clip_norm > 0:
            nn.utils.clip_grad_norm_(model.parameters(), options.clip_norm)
        optimizer.step()


def main():
    parser = model_parser(__doc__)
    parser.add_argument("--batches", required=True)
    for name in ("dropout", "learning-rate", "label-smoothing", "clip-norm"):
        parser.add_argument("--" + name, type=float, required=True)
    options = parser.parse_args()
    device = open_device(options)
    model = (Transformer if options.architecture == "transformer" else Translator)(options).to(device)
    fused = {"fused": True} if device.type == "cuda" else {}
    optimizer = torch.optim.Adam(model.parameters(), lr=options.learning_rate, **fused)
    batches = read_batches(options.batches, device)
    for _ in sys.stdin:
        synchronize(device)
        start = time.perf_counter()
        train(model, optimizer, batches, device, options)
        synchronize(device)
        print(time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()
