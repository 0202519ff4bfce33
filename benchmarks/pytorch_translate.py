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

from pytorch_models import BOS, EOS, PAD, RecurrentModel, TranslatingTransformer, model_parser


class Translator(RecurrentModel):
    def start(self, source, lengths):
        return RecurrentState(*self.encode(source, lengths))

    def step(self, token, state):
        """token [N] -> log-probabilities [N, V], with N = B·K rows in order"""
        embedded = self.emb_dec(token).unsqueeze(1)
        output, state.hidden = self.decoder(torch.cat((embedded, state.attentional), -1),
                                            state.hidden)
        rows_each = token.size(0) // state.states.size(0)
        query = self.attention(output).view(state.states.size(0), rows_each, -1)
        scores = torch.bmm(query, state.states.transpose(1, 2))
        weights = scores.masked_fill(state.padding, -torch.inf).softmax(-1)
        context = torch.bmm(weights, state.states).view(token.size(0), 1, -1)
        state.attentional = torch.tanh(self.concat(torch.cat((output, context), -1)))
        return self.generator(state.attentional.squeeze(1)).log_softmax(-1)


class RecurrentState:
    def __init__(self, states, padding, hidden):
        self.states, self.padding, self.hidden = states, padding, hidden
        self.attentional = states.new_zeros(states.size(0), 1, states.size(2))

    def select(self, rows):
        self.hidden = self.hidden.index_select(1, rows)
        self.attentional = self.attentional.index_select(0, rows)


def greedy(model, source, lengths, length):
    state = model.start(source, lengths)
    token = torch.full((source.size(0),), BOS)
    tokens = []
    for _ in range(length):
        scores = model.step(token, state)
        scores[:, EOS] = -torch.inf
        token = scores.argmax(-1)
        tokens.append(token)
    return torch.stack(tokens, 1).tolist()


def beam(model, source, lengths, length, width):
    state = model.start(source, lengths)
    batch = source.size(0)
    state.select(torch.arange(batch).repeat_interleave(width))
    token = torch.full((batch * width,), BOS)
    totals = torch.full((batch, width), -torch.inf)
    totals[:, 0] = 0  # all beams of a sentence begin alike
    offsets = torch.arange(batch).unsqueeze(1) * width
    tokens = torch.empty(batch * width, 0, dtype=torch.long)
    for _ in range(length):
        scores = model.step(token, state)
        scores[:, EOS] = -torch.inf
        vocabulary = scores.size(1)
        sums = (scores.view(batch, width, vocabulary) + totals.unsqueeze(2)).view(batch, -1)
        totals, index = sums.topk(width, 1)
        rows = (offsets + index // vocabulary).view(-1)
        token = (index % vocabulary).view(-1)
        state.select(rows)
        tokens = torch.cat((tokens.index_select(0, rows), token.unsqueeze(1)), 1)
    return tokens.view(batch, width, -1)[:, 0].tolist()


@torch.inference_mode()
def translate(model, sentences, width, batch_size, length):
    for begin in range(0, len(sentences), batch_size):
        chunk = sentences[begin:begin + batch_size]
        source = pad_sequence([torch.tensor(ids) for ids in chunk], True, PAD)
        lengths = torch.tensor([len(ids) for ids in chunk])
        if width == 1:
            greedy(model, source, lengths, length)
        else:
            beam(model, source, lengths, length, width)


def main():
    parser = model_parser(__doc__)
    parser.add_argument("--sentences", required=True)
    parser.add_argument("--length", type=int, required=True)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    is_transformer = options.architecture == "transformer"
    model = (TranslatingTransformer if is_transformer else Translator)(options).eval()
    with open(options.sentences, encoding="utf-8") as file:
        sentences = [json.loads(line) for line in file]
    for line in sys.stdin:
        width, batch_size, count = map(int, line.split())
        start = time.perf_counter()
        translate(model, sentences[:count], width, batch_size, options.length)
        print(time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()
