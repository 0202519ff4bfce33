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

from pytorch_models import BOS, EOS, PAD, RecurrentModel, TrainingTransformer, model_parser


class Translator(RecurrentModel):
    def forward(self, source, lengths, target_input):
        states, padding, state = self.encode(source, lengths)
        transposed = states.transpose(1, 2)
        attentional = states.new_zeros(source.size(0), 1, self.decoder.hidden_size)
        outputs = []
        for embedded in self.dropout(self.emb_dec(target_input)).split(1, dim=1):
            output, state = self.decoder(torch.cat((embedded, attentional), -1), state)
            scores = torch.bmm(self.attention(output), transposed).masked_fill(padding, -torch.inf)
            context = torch.bmm(scores.softmax(-1), states)
            attentional = self.dropout(torch.tanh(self.concat(torch.cat((output, context), -1))))
            outputs.append(attentional)
        return torch.cat(outputs, 1)


def read_batches(path):
    batches = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            batch = json.loads(line)
            source = [torch.tensor(ids) for ids in batch["source"]]
            target_input = [torch.tensor([BOS] + ids) for ids in batch["target"]]
            target_output = [torch.tensor(ids + [EOS]) for ids in batch["target"]]
            batches.append((pad_sequence(source, True, PAD),
                            torch.tensor([len(ids) for ids in source]),
                            pad_sequence(target_input, True, PAD),
                            pad_sequence(target_output, True, PAD)))
    return batches


def train(model, optimizer, batches, options):
    for source, lengths, target_input, target_output in batches:
        optimizer.zero_grad(set_to_none=True)
        attentional = model(source, lengths, target_input)
        real = target_output != PAD
        logits = model.generator(attentional[real])
        loss = functional.cross_entropy(logits, target_output[real],
                                        label_smoothing=options.label_smoothing)
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
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    is_transformer = options.architecture == "transformer"
    model = TrainingTransformer(options) if is_transformer else Translator(options)
    optimizer = torch.optim.Adam(model.parameters(), lr=options.learning_rate)
    batches = read_batches(options.batches)
    for _ in sys.stdin:
        start = time.perf_counter()
        train(model, optimizer, batches, options)
        print(time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()
