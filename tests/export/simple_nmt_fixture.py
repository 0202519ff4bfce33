#!/usr/bin/env python3
"""Writes simple_nmt.pth, a model with random weights as simple-nmt saves it, and simple_nmt.json, what
its equations compute for two sentences. Needs PyTorch; run it manually. The tests read the two files.

The equations: a bidirectional LSTM encoder of half the width, whose concatenated last states of both
directions initialize the decoder; an LSTM decoder fed its previous h~; weights softmax(h_src W_a y);
h~ = tanh(W_c [y; c]); log softmax of W_o h~.
"""
import argparse
import collections
import json
import pathlib
import sys
import types

import torch

torch.manual_seed(1)
EMBEDDING, HIDDEN, LAYERS = 6, 8, 2
SOURCE = ["<unk>", "<pad>", "나는", "책을", "읽는다", "."]
TARGET = ["<unk>", "<pad>", "<BOS>", "<EOS>", "i", "read", "books", "."]


# torchtext's class, as far as a pickle knows it.
torchtext_vocab = types.ModuleType("torchtext.vocab")
torchtext_vocab.Vocab = type("Vocab", (), {"__module__": "torchtext.vocab"})
sys.modules["torchtext"] = types.ModuleType("torchtext")
sys.modules["torchtext.vocab"] = torchtext_vocab


def vocabulary(words):
    made = torchtext_vocab.Vocab()
    made.freqs = collections.Counter({word: 3 for word in words[4:]})
    made.itos = words
    made.stoi = collections.defaultdict(int, {word: i for i, word in enumerate(words)})
    made.vectors = None
    return made


class Part(torch.nn.Module):
    def __init__(self, **modules):
        super().__init__()
        for name, module in modules.items():
            self.add_module(name, module)


nn = torch.nn
model = Part(
    emb_src=nn.Embedding(len(SOURCE), EMBEDDING),
    emb_dec=nn.Embedding(len(TARGET), EMBEDDING),
    encoder=Part(rnn=nn.LSTM(EMBEDDING, HIDDEN // 2, LAYERS, bidirectional=True, batch_first=True)),
    decoder=Part(rnn=nn.LSTM(EMBEDDING + HIDDEN, HIDDEN, LAYERS, batch_first=True)),
    attn=Part(linear=nn.Linear(HIDDEN, HIDDEN, bias=False)),
    concat=nn.Linear(2 * HIDDEN, HIDDEN),
    generator=Part(output=nn.Linear(HIDDEN, len(TARGET))),
)
for parameter in model.parameters():
    nn.init.uniform_(parameter, -1, 1)


def log_probabilities(source, target):
    """One sentence: [T, V], the log-probabilities of each token of `target` and of the end."""
    ids = torch.tensor([[SOURCE.index(w) if w in SOURCE else 0 for w in source.split()]])
    states, final = model.encoder.rnn(model.emb_src(ids))
    state = tuple(torch.stack([torch.cat([s[2 * k], s[2 * k + 1]], -1) for k in range(LAYERS)])
                  for s in final)
    fed, rows = torch.zeros(1, 1, HIDDEN), []
    for token in [TARGET.index("<BOS>")] + target:
        embedded = model.emb_dec(torch.tensor([[token]]))
        output, state = model.decoder.rnn(torch.cat([embedded, fed], -1), state)
        weights = torch.softmax(model.attn.linear(output) @ states.transpose(1, 2), -1)
        fed = torch.tanh(model.concat(torch.cat([output, weights @ states], -1)))
        rows.append(torch.log_softmax(model.generator.output(fed)[0, 0], -1))
    return torch.stack(rows)


cases = []
with torch.no_grad():
    for source, target in [("나는 책을 읽는다 .", "i read books ."), ("책을 펴 .", "books i")]:
        ids = [TARGET.index(word) for word in target.split()]
        rows = log_probabilities(source, ids)
        picked = [row[i].item() for row, i in zip(rows, ids + [TARGET.index("<EOS>")])]
        cases.append({"source": source, "target": target, "log_probabilities": picked})

optimizer = torch.optim.Adam(model.concat.parameters())
sum(p.sum() for p in model.concat.parameters()).backward()
optimizer_state = optimizer.state_dict()
here = pathlib.Path(__file__).parent
config = argparse.Namespace(model_fn="simple_nmt.pth", gpu_id=-1, word_vec_size=EMBEDDING,
                            hidden_size=HIDDEN, n_layers=LAYERS, dropout=0.2, lr=1e-3,
                            max_vocab=99999999, use_adam=True, use_transformer=False, lang="koen",
                            rl_n_epochs=0)
torch.save({"model": model.state_dict(), "opt": optimizer_state, "config": config,
            "src_vocab": vocabulary(SOURCE), "tgt_vocab": vocabulary(TARGET)},
           here / "simple_nmt.pth")
(here / "simple_nmt.json").write_text(json.dumps(cases, ensure_ascii=False, indent=1) + "\n")
