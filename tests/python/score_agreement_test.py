#!/usr/bin/env python3
"""Checks the reference of score_agreement.py by an independent computation.

For every shape of the model, with random weights, computes each number again in plain Python from the
equations, one multiplication at a time, without torch.nn. Exit codes as score_agreement.py's.
"""

import math
import random
import sys

import score_agreement as agreement  # exits with 77 where PyTorch is missing
import torch
from score_agreement import TOLERANCE, check

HIDDEN, EMBEDDING, SOURCE_SIZE, TARGET_SIZE = 6, 5, 11, 9


def random_weights(gates, layers, input_feeding):
    """gates: 3 for a GRU, 4 for an LSTM"""
    half = HIDDEN // 2
    shapes = {"emb_src.weight": (SOURCE_SIZE, EMBEDDING),
              "emb_dec.weight": (TARGET_SIZE, EMBEDDING),
              "attn.linear.weight": (HIDDEN, HIDDEN), "concat.weight": (HIDDEN, 2 * HIDDEN),
              "concat.bias": (HIDDEN,), "generator.output.weight": (TARGET_SIZE, HIDDEN),
              "generator.output.bias": (TARGET_SIZE,)}
    for layer in range(layers):
        decoder_input = HIDDEN if layer else EMBEDDING + HIDDEN * input_feeding
        for name, width, inputs in (
                (f"encoder.rnn.{{}}_l{layer}", half, HIDDEN if layer else EMBEDDING),
                (f"encoder.rnn.{{}}_l{layer}_reverse", half, HIDDEN if layer else EMBEDDING),
                (f"decoder.rnn.{{}}_l{layer}", HIDDEN, decoder_input)):
            shapes[name.format("weight_ih")] = (gates * width, inputs)
            shapes[name.format("weight_hh")] = (gates * width, width)
            shapes[name.format("bias_ih")] = shapes[name.format("bias_hh")] = (gates * width,)
    return {name: torch.randn(shape) * 0.7 for name, shape in shapes.items()}


def linear(weight, x, bias=None):
    rows = [sum(w * v for w, v in zip(row, x)) for row in weight]
    return rows if bias is None else [row + b for row, b in zip(rows, bias)]


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


class Cell:
    """One layer in one direction; `cell` is an LSTM's second state and idle in a GRU."""

    def __init__(self, weights, part, suffix):
        self.parameters = [weights[f"{part}.rnn.{kind}_{suffix}"]
                           for kind in ("weight_ih", "bias_ih", "weight_hh", "bias_hh")]
        self.size = len(self.parameters[2][0])
        self.hidden, self.cell = [0.0] * self.size, [0.0] * self.size

    def step(self, x):
        weight_ih, bias_ih, weight_hh, bias_hh = self.parameters
        n = self.size
        from_input = linear(weight_ih, x, bias_ih)
        from_state = linear(weight_hh, self.hidden, bias_hh)
        if len(from_input) == 3 * n:  # gates r, z, n
            for i, old in enumerate(list(self.hidden)):
                reset = sigmoid(from_input[i] + from_state[i])
                update = sigmoid(from_input[n + i] + from_state[n + i])
                new = math.tanh(from_input[2 * n + i] + reset * from_state[2 * n + i])
                self.hidden[i] = (1 - update) * new + update * old
        else:  # gates i, f, g, o
            gates = [a + b for a, b in zip(from_input, from_state)]
            for i in range(n):
                self.cell[i] = (sigmoid(gates[n + i]) * self.cell[i]
                                + sigmoid(gates[i]) * math.tanh(gates[2 * n + i]))
                self.hidden[i] = sigmoid(gates[3 * n + i]) * math.tanh(self.cell[i])
        return list(self.hidden)


def log_softmax(x):
    total = math.log(sum(math.exp(v - max(x)) for v in x)) + max(x)
    return [v - total for v in x]


def scalar_score(tensors, layers, input_feeding, source, target):
    weights = {name: tensor.double().tolist() for name, tensor in tensors.items()}
    states = [weights["emb_src.weight"][token] for token in source]
    decoder = [Cell(weights, "decoder", f"l{layer}") for layer in range(layers)]
    for layer in range(layers):
        ahead = Cell(weights, "encoder", f"l{layer}")
        back = Cell(weights, "encoder", f"l{layer}_reverse")
        left_to_right = [ahead.step(x) for x in states]
        right_to_left = [back.step(x) for x in reversed(states)][::-1]
        states = [a + b for a, b in zip(left_to_right, right_to_left)]
        decoder[layer].hidden = ahead.hidden + back.hidden
        decoder[layer].cell = ahead.cell + back.cell
    attentional, total = [0.0] * HIDDEN, 0.0
    for previous, token in zip([agreement.BOS] + target, target + [agreement.EOS]):
        x = weights["emb_dec.weight"][previous] + (attentional if input_feeding else [])
        for cell in decoder:
            x = cell.step(x)
        query = linear(weights["attn.linear.weight"], x)
        attention = [math.exp(v) for v in log_softmax(linear(states, query))]
        context = linear(zip(*states), attention)
        attentional = [math.tanh(v) for v in
                       linear(weights["concat.weight"], x + context, weights["concat.bias"])]
        total += log_softmax(linear(weights["generator.output.weight"], attentional,
                                    weights["generator.output.bias"]))[token]
    return total


def main():
    torch.manual_seed(5)
    random.seed(5)
    sources = [[random.randrange(1, SOURCE_SIZE) for _ in range(n)] for n in (4, 1, 7, 2, 5)]
    targets = [[random.randrange(4, TARGET_SIZE) for _ in range(n)] for n in (3, 6, 0, 1, 5)]
    shapes = ((3, 1, True), (3, 2, True), (3, 2, False), (4, 1, False), (4, 2, True))
    for gates, layers, feeding in shapes:
        weights = random_weights(gates, layers, feeding)
        model = agreement.Reference(weights)
        expected = [scalar_score(weights, layers, feeding, *pair) for pair in zip(sources, targets)]
        # Batches of 2 leave one sentence over.
        for ours in agreement.single_and_batched(model, sources, targets, batch_size=2):
            worst = agreement.largest_difference(ours, expected)
            name = f"{'GRU' if gates == 3 else 'LSTM'}, layers {layers}, input feeding {feeding}"
            print(f"{name}: largest difference {worst:.1e}")
            check(worst <= TOLERANCE, name)
    with_nan = agreement.largest_difference([0.0, math.nan], [0.0, 0.0])
    check(with_nan == math.inf, "NaN is a difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
