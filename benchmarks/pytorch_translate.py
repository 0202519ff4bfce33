#!/usr/bin/env python3
"""Translation baseline: greedy and batched beam search in plain PyTorch, for `nmt bench translate --python PYTHON`.

Reads sentences of token ids, one JSON list per line. Then, for each line "BEAM BATCH COUNT" on standard
input, translates the first COUNT sentences, BATCH at a time, each to exactly --length tokens, and prints
the time in seconds. The weights are random, since the time does not depend on them.
"""

import json
import sys
import time

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils._pytree import tree_map

from pytorch_models import (BOS, EOS, PAD, RecurrentModel, TranslatingTransformer, model_parser, open_device,
                            synchronize)


class Translator(RecurrentModel):
    def __init__(self, options):
        super().__init__(options)
        self.to(self.dtype)
        if options.device != "cpu" and self.dtype != torch.float32:
            self.encoder.half()  # cuDNN's recurrent layers have no bfloat16

    def start(self, source, lengths, width):
        """The state of the hypotheses and what all steps read. As of step."""
        states, padding, hidden = self.encode(source, lengths)
        attentional = states.new_zeros(source.size(0), width, states.size(2))
        hidden = [layer.repeat_interleave(width, 1) for layer in hidden]
        state = [self.mark_dynamic(tensor, 0) for tensor in (attentional, *hidden)]
        return state, (states, padding)

    def step(self, token, state, memory):
        """token [B, K] -> logits [B, K, V], state"""
        attentional, *hidden = state
        attentional, hidden = self.decoder_step(self.decoder_weights(), self.emb_dec(token), attentional,
                                                hidden, *memory)
        return self.generator(attentional), [attentional, *hidden]

    def select(self, state, rows):
        return [tensor.flatten(0, 1).index_select(0, rows).view_as(tensor) for tensor in state]


def compiled(step, mode):
    """Like torch.compile, but results keep their values when the step runs again, also with CUDA graphs."""
    fast = torch.compile(step, mode=mode)

    def run(*arguments):
        torch.compiler.cudagraph_mark_step_begin()
        return tree_map(torch.clone, fast(*arguments))

    return run if mode == "reduce-overhead" else fast


class Search:
    """Greedy and beam search. Everything stays on the device until the translations are complete."""

    def __init__(self, model, device, options):
        self.model, self.device, self.length = model, device, options.length
        if options.compile:
            self.greedy_step = compiled(self.greedy_step, options.compile)
            self.beam_step = compiled(self.beam_step, options.compile)

    def greedy_step(self, token, state, memory):
        logits, state = self.model.step(token, state, memory)
        logits[:, :, EOS] = -torch.inf
        return logits.argmax(-1), state

    def beam_step(self, token, totals, first_rows, state, memory):
        """token and totals [B, K]; first_rows [B, 1]: the first of each sentence's B·K rows"""
        logits, state = self.model.step(token, state, memory)
        scores = logits.float().log_softmax(-1)
        scores[:, :, EOS] = -torch.inf
        totals, index = (scores + totals.unsqueeze(2)).flatten(1).topk(totals.size(1), 1)
        rows = (first_rows + index // scores.size(2)).flatten()
        return index % scores.size(2), totals, rows, self.model.select(state, rows)

    def first(self, batch, width):
        token = torch.full((batch, width), BOS, device=self.device)
        return self.mark(token)

    def mark(self, tensor):
        return self.model.mark_dynamic(tensor, 0) if isinstance(self.model, RecurrentModel) else tensor

    def greedy(self, source, lengths):
        state, memory = self.model.start(source, lengths, 1)
        token = self.first(source.size(0), 1)
        tokens = []
        for _ in range(self.length):
            token, state = self.greedy_step(token, state, memory)
            tokens.append(token)
        return torch.cat(tokens, 1).tolist()

    def beam(self, source, lengths, width):
        state, memory = self.model.start(source, lengths, width)
        batch = source.size(0)
        token = self.first(batch, width)
        totals = torch.full((batch, width), -torch.inf, device=self.device)
        totals[:, 0] = 0  # all beams of a sentence begin alike
        totals = self.mark(totals)
        first_rows = self.mark(torch.arange(batch, device=self.device).unsqueeze(1) * width)
        tokens = torch.empty(batch * width, 0, dtype=torch.long, device=self.device)
        for _ in range(self.length):
            token, totals, rows, state = self.beam_step(token, totals, first_rows, state, memory)
            tokens = torch.cat((tokens.index_select(0, rows), token.view(-1, 1)), 1)
        return tokens.view(batch, width, -1)[:, 0].tolist()

    def translate(self, sentences, width, batch_size):
        sentences = sorted(sentences, key=len)  # less padding
        for begin in range(0, len(sentences), batch_size):
            chunk = sentences[begin:begin + batch_size]
            source = pad_sequence([torch.tensor(ids) for ids in chunk], True, PAD).to(self.device)
            lengths = torch.tensor([len(ids) for ids in chunk])
            if width == 1:
                self.greedy(source, lengths)
            else:
                self.beam(source, lengths, width)


def main():
    parser = model_parser(__doc__)
    parser.add_argument("--sentences", required=True)
    parser.add_argument("--length", type=int, required=True)
    options = parser.parse_args()
    device = open_device(options)
    is_transformer = options.architecture == "transformer"
    model = (TranslatingTransformer if is_transformer else Translator)(options).to(device).eval()
    search = Search(model, device, options)
    with open(options.sentences, encoding="utf-8") as file:
        sentences = [json.loads(line) for line in file]
    without_gradient = torch.no_grad if options.compile else torch.inference_mode
    for line in sys.stdin:
        width, batch_size, count = map(int, line.split())
        synchronize(device)
        start = time.perf_counter()
        with without_gradient():
            search.translate(sentences[:count], width, batch_size)
        synchronize(device)
        print(time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()
