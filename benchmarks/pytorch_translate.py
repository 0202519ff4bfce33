#!/usr/bin/env python3
"""Translation baseline: greedy and batched beam search in plain PyTorch, for `nmt bench translate --python PYTHON`.

Reads sentences of token ids, one JSON list per line. Then, for each line "BEAM BATCH COUNT" on standard
input, translates the first COUNT sentences, BATCH at a time, each to exactly --length tokens, and prints
the time in seconds. The weights are random, since the time does not depend on them.
"""

import argparse
import json
import sys
import time

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

PAD, BOS, EOS = 0, 2, 3


class Translator(nn.Module):
    def __init__(self, options):
        super().__init__()
        hidden, embedding, layers = options.hidden_size, options.embedding_size, options.num_layers
        self.emb_src = nn.Embedding(options.source_vocabulary, embedding)
        self.emb_dec = nn.Embedding(options.target_vocabulary, embedding)
        self.encoder = nn.GRU(embedding, hidden // 2, layers, batch_first=True, bidirectional=True)
        self.decoder = nn.GRU(embedding + hidden, hidden, layers, batch_first=True)
        self.attention = nn.Linear(hidden, hidden, bias=False)
        self.concat = nn.Linear(2 * hidden, hidden)
        self.generator = nn.Linear(hidden, options.target_vocabulary)

    def encode(self, source, lengths):
        packed = pack_padded_sequence(self.emb_src(source), lengths, batch_first=True,
                                      enforce_sorted=False)
        states, final = self.encoder(packed)
        states, _ = pad_packed_sequence(states, batch_first=True, total_length=source.size(1))
        layers = self.decoder.num_layers
        final = final.view(layers, 2, source.size(0), -1).transpose(1, 2)
        return states, final.reshape(layers, source.size(0), -1)

    def step(self, token, state, attentional, states, padding):
        """token [N] -> log-probabilities [N, V]; states [B, S, H] with N = B·K rows in order."""
        embedded = self.emb_dec(token).unsqueeze(1)
        output, state = self.decoder(torch.cat((embedded, attentional), -1), state)
        rows_each = token.size(0) // states.size(0)
        query = self.attention(output).view(states.size(0), rows_each, -1)
        scores = torch.bmm(query, states.transpose(1, 2)).masked_fill(padding, -torch.inf)
        context = torch.bmm(scores.softmax(-1), states).view(token.size(0), 1, -1)
        attentional = torch.tanh(self.concat(torch.cat((output, context), -1)))
        return self.generator(attentional.squeeze(1)).log_softmax(-1), state, attentional


def greedy(model, source, lengths, length):
    states, state = model.encode(source, lengths)
    padding = (source == PAD).unsqueeze(1)
    token = torch.full((source.size(0),), BOS)
    attentional = states.new_zeros(source.size(0), 1, states.size(2))
    tokens = []
    for _ in range(length):
        scores, state, attentional = model.step(token, state, attentional, states, padding)
        scores[:, EOS] = -torch.inf
        token = scores.argmax(-1)
        tokens.append(token)
    return torch.stack(tokens, 1).tolist()


def beam(model, source, lengths, length, width):
    states, state = model.encode(source, lengths)
    batch, hidden = source.size(0), states.size(2)
    padding = (source == PAD).unsqueeze(1)
    state = state.repeat_interleave(width, 1)
    attentional = states.new_zeros(batch * width, 1, hidden)
    token = torch.full((batch * width,), BOS)
    totals = torch.full((batch, width), -torch.inf)
    totals[:, 0] = 0  # all beams of a sentence begin alike
    offsets = torch.arange(batch).unsqueeze(1) * width
    tokens = torch.empty(batch * width, 0, dtype=torch.long)
    for _ in range(length):
        scores, state, attentional = model.step(token, state, attentional, states, padding)
        scores[:, EOS] = -torch.inf
        vocabulary = scores.size(1)
        sums = (scores.view(batch, width, vocabulary) + totals.unsqueeze(2)).view(batch, -1)
        totals, index = sums.topk(width, 1)
        rows = (offsets + index // vocabulary).view(-1)
        token = (index % vocabulary).view(-1)
        state = state.index_select(1, rows)
        attentional = attentional.index_select(0, rows)
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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", required=True)
    for name in ("source-vocabulary", "target-vocabulary", "embedding-size", "hidden-size",
                 "num-layers", "threads", "length"):
        parser.add_argument("--" + name, type=int, required=True)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    model = Translator(options).eval()
    with open(options.sentences, encoding="utf-8") as file:
        sentences = [json.loads(line) for line in file]
    for line in sys.stdin:
        width, batch_size, count = map(int, line.split())
        start = time.perf_counter()
        translate(model, sentences[:count], width, batch_size, options.length)
        print(time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()
