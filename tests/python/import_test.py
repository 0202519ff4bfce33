#!/usr/bin/env python3
"""Tests the import of models of OpenNMT-py and simple-nmt: import_test.py NMT.

Files with random weights, as each version of OpenNMT-py writes them, go through `nmt import` to
`nmt score`, which must agree with the equations in PyTorch. Then designs that nmt lacks must be
refused by name, and translations must have the spaces that their subword marks imply.

Exit codes as score_agreement.py's.
"""

import argparse
import collections
import functools
import json
import pathlib
import subprocess
import sys
import tempfile
import types

from score_agreement import TOLERANCE, check  # exits with 77 where PyTorch is missing
import torch
from torch import nn

EMBEDDING, HIDDEN = 6, 8
SOURCE = ["ein", "Hund", "schläft", "▁da", "und", "zwei", "."]
TARGET = ["▁a", "▁dog", "▁sleep", "s", "▁and", "▁two", "."]
PAIRS = [("ein Hund schläft .", "▁a ▁dog ▁sleep s ."), ("zwei Katzen und Hund", "▁two ▁and ▁dog"),
         ("▁da", "s"), ("ein ein zwei . .", "▁a ▁cat ▁a s . .")]


def stand_in(module, name, value):
    """What a pickle calls MODULE.NAME."""
    parts = module.split(".")
    for i in range(1, len(parts) + 1):
        sys.modules.setdefault(".".join(parts[:i]), types.ModuleType(".".join(parts[:i])))
    value.__module__, value.__qualname__, value.__name__ = module, name, name
    setattr(sys.modules[module], name, value)
    return value


def new_class():
    class Made:
        def __init__(self, **attributes):
            self.__dict__.update(attributes)
    return Made


Field = stand_in("torchtext.data.field", "Field", new_class())
Vocab = stand_in("torchtext.vocab", "Vocab", new_class())
TextMultiField = stand_in("onmt.inputters.text_dataset", "TextMultiField", new_class())
tokenize = stand_in("onmt.inputters.text_dataset", "_feature_tokenize", lambda text: text.split())
Optimizer = stand_in("onmt.utils.optimizers", "Optimizer", new_class())
split = stand_in("torchtext.data.utils", "_split_tokenizer", lambda text: text.split())


def vocab(words):
    return Vocab(freqs=collections.Counter({word: 2 for word in words}), itos=words,
                 stoi={word: i for i, word in enumerate(words)}, unk_index=0, vectors=None)


def field(words, **more):
    tokenizer = functools.partial(tokenize, layer=0, truncate=None)
    return Field(sequential=True, init_token=None, tokenize=tokenizer, dtype="int64",
                 tokenizer_args=(tokenizer, "en"), pad_token="<blank>", vocab=vocab(words), **more)


SOURCE_1 = ["<unk>", "<blank>"] + SOURCE
TARGET_1 = ["<unk>", "<blank>", "<s>", "</s>"] + TARGET
SOURCE_3 = ["<blank>", "<unk>", "<s>", "</s>"] + SOURCE
TARGET_3 = ["<s>", "</s>", "<unk>"] + TARGET + ["<blank>"]


def pairs_of_vocabs():  # versions 0.2 to 0.7
    return [("src", vocab(SOURCE_1)), ("tgt", vocab(TARGET_1))], SOURCE_1, TARGET_1


def lists_of_fields():  # versions 0.8 and 0.9
    fields = {"src": [("src", field(SOURCE_1))], "tgt": [("tgt", field(TARGET_1))],
              "indices": [("indices", Field(tokenize=str.split))]}
    return fields, SOURCE_1, TARGET_1


def multi_fields():  # versions 1 and 2
    def multi(name, words):
        return TextMultiField(preprocessing=None, is_target=False, fields=[(name, field(words))])

    indices = Field(use_vocab=False, sequential=False, tokenize=split)
    return ({"src": multi("src", SOURCE_1), "tgt": multi("tgt", TARGET_1), "indices": indices},
            SOURCE_1, TARGET_1)


def lists_of_words():  # version 3
    return ({"src": SOURCE_3, "tgt": TARGET_3, "data_task": "seq2seq", "decoder_start_token": "<s>"},
            SOURCE_3, TARGET_3)


class Model(nn.Module):
    """OpenNMT-py's RNNEncoder, its decoders with and without input feeding, GlobalAttention."""

    def __init__(self, sizes, cell, layers, attention, input_feed, tied):
        super().__init__()
        source_size, target_size = sizes
        embedding = HIDDEN if tied else EMBEDDING
        whole, step = (nn.LSTM, nn.LSTMCell) if cell == "LSTM" else (nn.GRU, nn.GRUCell)

        def embeddings(size):
            return nn.ModuleDict({"make_embedding": nn.ModuleDict(
                {"emb_luts": nn.ModuleList([nn.Embedding(size, embedding)])})})

        self.layers, self.input_feed = layers, input_feed
        self.encoder = nn.ModuleDict({"embeddings": embeddings(source_size), "rnn": whole(
            embedding, HIDDEN // 2, layers, bidirectional=True)})
        if input_feed:
            widths = [embedding + HIDDEN] + [HIDDEN] * (layers - 1)
            decoder = nn.ModuleDict({"layers": nn.ModuleList([step(w, HIDDEN) for w in widths])})
        else:
            decoder = whole(embedding, HIDDEN, layers)
        attn = {"linear_out": nn.Linear(2 * HIDDEN, HIDDEN, bias=False)}
        if attention == "general":
            attn["linear_in"] = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.decoder = nn.ModuleDict({"embeddings": embeddings(target_size), "rnn": decoder,
                                      "attn": nn.ModuleDict(attn)})
        self.output = nn.Linear(HIDDEN, target_size)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -1, 1)
        if tied:
            self.output.weight = self.look_up("decoder").weight

    def look_up(self, side):
        return getattr(self, side)["embeddings"]["make_embedding"]["emb_luts"][0]

    def recur(self, x, state):
        """x [E] and the state of each layer -> the last layer's output [H], the new state"""
        rnn = self.decoder["rnn"]
        if not self.input_feed:
            output, state = rnn(x[None], state)
            return output[0], state
        new = []
        parts = state if isinstance(state, tuple) else (state,)
        for k, layer in enumerate(rnn["layers"]):
            before = tuple(part[k:k + 1] for part in parts)
            after = layer(x[None], before if len(parts) == 2 else before[0])
            after = after if isinstance(after, tuple) else (after,)
            new.append(after)
            x = after[0][0]
        state = tuple(torch.cat(part) for part in zip(*new))
        return x, state if len(parts) == 2 else state[0]

    @torch.no_grad()
    def score(self, source, target, bos, eos):
        """One sentence, ids -> the log-probability of `target` and its end."""
        memory, final = self.encoder["rnn"](self.look_up("encoder")(torch.tensor(source)))  # [S, H]
        parts = final if isinstance(final, tuple) else (final,)
        state = tuple(torch.cat([part[0::2], part[1::2]], -1) for part in parts)  # [L, H]
        state = state if len(parts) == 2 else state[0]
        attn, fed, total = self.decoder["attn"], torch.zeros(HIDDEN), 0.0
        for token, following in zip([bos] + target, target + [eos]):
            x = self.look_up("decoder")(torch.tensor(token))
            h, state = self.recur(torch.cat([x, fed]) if self.input_feed else x, state)
            query = attn["linear_in"](h) if "linear_in" in attn else h
            context = torch.softmax(memory @ query, 0) @ memory
            fed = torch.tanh(attn["linear_out"](torch.cat([context, h])))
            total += torch.log_softmax(self.output(fed), -1)[following].item()
        return total


def options(**changed):
    defaults = dict(model_type="text", encoder_type="brnn", decoder_type="rnn", rnn_type="LSTM",
                    layers=2, enc_layers=2, dec_layers=2, rnn_size=HIDDEN, word_vec_size=EMBEDDING,
                    input_feed=1, global_attention="general", global_attention_function="softmax",
                    generator_function="softmax", context_gate=None, copy_attn=False,
                    coverage_attn=False, bridge=False, position_encoding=False, dropout=[0.3],
                    share_decoder_embeddings=False, gpu_ranks=[], learning_rate=1.0, seed=3435)
    return argparse.Namespace(**{**defaults, **changed})


def checkpoint(model, vocabulary, opt, generator="0."):
    own = {"model": {}, "generator": {}}
    for key, tensor in model.state_dict().items():
        part = "generator" if key.startswith("output.") else "model"
        # Some trainers save parameters, not their tensors.
        own[part][key.replace("output.", generator)] = tensor if part == "model" else nn.Parameter(tensor)
    optimizer = torch.optim.Adam(model.parameters())
    sum(parameter.sum() for parameter in model.parameters()).backward()
    optimizer.step()  # changes the weights that were just listed, which share their memory
    optim = {"training_step": 7, "optimizer": optimizer.state_dict()}
    if isinstance(vocabulary, list):  # before version 0.9
        optim = Optimizer(optimizer=optimizer, _step=7)
    return {**own, "vocab": vocabulary, "opt": opt, "optim": optim}


class Import:
    def __init__(self, nmt, folder):
        self.nmt, self.folder = nmt, pathlib.Path(folder)
        self.file, self.model = self.folder / "foreign.pt", self.folder / "imported"
        self.restored = 0  # translations with fewer words than tokens

    def run(self, *command):
        return subprocess.run([self.nmt, *map(str, command)], input="", capture_output=True,
                              encoding="utf-8")

    def succeed(self, *command):
        result = self.run(*command)
        check(result.returncode == 0, f"{command}: {result.stderr}")
        return result.stdout

    def load(self, content, **how):
        torch.save(content, self.file, **how)
        self.succeed("import", self.file, "-o", self.model, "--overwrite")

    def scores_agree(self, make_vocabulary, cell, layers, attention="general", input_feed=1,
                     tied=False, generator="0.", **how):
        vocabulary, source_words, target_words = make_vocabulary()
        model = Model((len(source_words), len(target_words)), cell, layers, attention, input_feed,
                      tied)
        opt = options(rnn_type=cell, global_attention=attention, input_feed=input_feed,
                      share_decoder_embeddings=tied)
        self.load(checkpoint(model, vocabulary, opt, generator), **how)

        def ids(words, line):
            unknown = words.index("<unk>")
            return [words.index(word) if word in words else unknown for word in line.split()]

        for name, lines in (("source", [p[0] for p in PAIRS]), ("target", [p[1] for p in PAIRS])):
            (self.folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        found = list(map(float, self.succeed("score", "-m", self.model, "-s", self.folder / "source",
                                             "-t", self.folder / "target").split()))
        expected = [model.score(ids(source_words, source), ids(target_words, target),
                                target_words.index("<s>"), target_words.index("</s>"))
                    for source, target in PAIRS]
        worst = max(abs(a - b) for a, b in zip(found, expected, strict=True))
        what = f"{make_vocabulary.__name__} {cell} {layers} layers {attention} feed {input_feed}"
        print(f"{what}: largest difference {worst:.1e}")
        check(worst <= TOLERANCE, what)
        self.spaces_are_the_texts()

    def spaces_are_the_texts(self, mark="␣"):
        said = self.succeed("translate", "-m", self.model, "--json", "--sample", "--n-best", 20,
                            "--no-copy-unknown", "--input", self.folder / "source")
        for line in said.splitlines():
            for found in json.loads(line)["candidates"]:
                if "<unk>" in found["tokens"]:
                    continue
                tokens = "".join(token[1:] for token in found["tokens"])  # each after U+2581
                text = tokens.replace(mark, " ").replace("␣", "").strip()
                check(found["text"] == text, f"{found['text']!r} of {found['tokens']}")
                self.restored += " " in text and len(text.split()) < len(found["tokens"])

    def targets_are_tokens(self):
        """Of the model and the texts of scores_agree."""
        given = ("-m", self.model, "-s", self.folder / "source", "-t", self.folder / "target")
        lines = self.succeed("score", *given, "--words").splitlines()
        for line, (_, target) in zip(lines, PAIRS, strict=True):
            words = [word.rpartition("|")[0] for word in line.split("\t")[1].split()]
            check(words == target.split() + ["</s>"], f"{words} of {target}")
        links = self.succeed("align", *given).splitlines()
        check(len(links) == len(PAIRS) and all(links), f"alignments {links}")
        evaluate = ("evaluate", "-m", self.model, "-s", self.folder / "source", "--json", "-r")
        by_tokens = json.loads(self.succeed(*evaluate, self.folder / "target"))
        text = "\n".join(target.replace(" ", "").replace("▁", " ").strip() for _, target in PAIRS)
        (self.folder / "text").write_text(text + "\n", encoding="utf-8")
        by_text = json.loads(self.succeed(*evaluate, self.folder / "text"))
        check(by_tokens.pop("perplexity") > 1, "no perplexity")
        check("perplexity" not in by_text, "a perplexity of text")
        check(by_tokens == by_text, f"{by_tokens} of tokens, {by_text} of text")

    def refused(self, content, message):
        torch.save(content, self.file)
        self.file_is_refused(message)

    def file_is_refused(self, message):
        result = self.run("import", self.file, "-o", self.folder / "refused")
        line = f"{self.file}: {message}"
        check(result.returncode == 1 and result.stderr.count("\n") == 1 and line in result.stderr,
              f"refused with {result.stderr!r}, not {line!r}")
        check(not (self.folder / "refused").exists(), "a refused model leaves nothing")

    def what_nmt_lacks_is_refused(self):
        vocabulary, source_words, target_words = multi_fields()
        model = Model((len(source_words), len(target_words)), "LSTM", 2, "general", 1, False)
        good = checkpoint(model, vocabulary, options())
        for key, value in [("copy_attn", True), ("coverage_attn", True), ("bridge", True),
                           ("position_encoding", True), ("context_gate", "both"),
                           ("decoder_type", "transformer"), ("encoder_type", "transformer"),
                           ("rnn_type", "SRU"), ("global_attention", "mlp"),
                           ("global_attention_function", "sparsemax"), ("model_type", "img"),
                           ("model_task", "lm"), ("generator_function", "sparse\nmax")]:
            self.refused({**good, "opt": options(**{key: value})}, f"trained with {key} ")
        self.refused({**good, "model": {key: tensor for key, tensor in good["model"].items()
                                        if not key.endswith("_reverse")}}, "has an encoder of one")
        self.refused({**good, "model": {**good["model"], "encoder.ex\ntra": torch.ones(2)}},
                     "does not fit a recurrent model of its settings: encoder.ex\uFFFDtra is unexpected")
        self.refused({**good, "vocab": {"src": SOURCE_1, "tgt": TARGET_1[1:]}}, "tgt: lacks <unk>")
        self.refused({**good, "vocab": {"src": SOURCE_1, "tgt": TARGET_1[:3]}}, "tgt: lacks <s> or")
        self.refused({**good, "vocab": {"src": SOURCE_1[:-1], "tgt": TARGET_1}},
                     "encoder.embeddings.make_embedding.emb_luts.0.weight: has 9 rows")
        self.refused({**good, "vocab": 3}, "lacks src")
        self.refused({**good, "generator": 3}, "generator holds no tensors")
        self.refused({**good, "more": pathlib.PurePosixPath("a")},
                     f"holds {pathlib.PurePosixPath.__module__}.PurePosixPath")
        self.refused({key: value for key, value in good.items() if key != "opt"}, "lacks opt")
        self.refused({"model_state": good["model"]}, "a model of neither OpenNMT-py nor simple-nmt")

    def damage_is_refused(self):
        vocabulary, source_words, target_words = multi_fields()
        model = Model((len(source_words), len(target_words)), "LSTM", 1, "general", 1, False)
        for as_zip in (True, False):
            torch.save(checkpoint(model, vocabulary, options()), self.file,
                       _use_new_zipfile_serialization=as_zip)
            whole = self.file.read_bytes()
            for size in (len(whole) // 3, len(whole) - 9):
                self.file.write_bytes(whole[:size])
                self.file_is_refused("")
            self.file.write_bytes(whole.replace(b"little_endian", b"other__endian")
                                  .replace(b"data.pkl", b"data.pkx"))
            self.file_is_refused("not a file of torch.save" if as_zip else "written on a big-endian")
            self.file.write_bytes(whole.replace(b"decoder.attn.linear_out", b"decoder.attn.linear_xut"))
            self.file_is_refused("the tensor concat.weight is missing")

    def simple_nmt_with_marks(self):
        source = ["<unk>", "<pad>", "▁▁나", "▁는", "다"]
        target = ["<unk>", "<pad>", "<BOS>", "<EOS>", "▁▁I", "▁'m", "ing", "▁▁go"]
        lstm = functools.partial(nn.LSTM, num_layers=1)
        parts = {"emb_src": nn.Embedding(5, EMBEDDING), "emb_dec": nn.Embedding(8, EMBEDDING),
                 "encoder.rnn": lstm(EMBEDDING, HIDDEN // 2, bidirectional=True),
                 "decoder.rnn": lstm(EMBEDDING + HIDDEN, HIDDEN),
                 "attn.linear": nn.Linear(HIDDEN, HIDDEN, bias=False),
                 "concat": nn.Linear(2 * HIDDEN, HIDDEN),
                 "generator.output": nn.Linear(HIDDEN, 8)}
        weights = {f"{part}.{name}": tensor for part, module in parts.items()
                   for name, tensor in module.state_dict().items()}
        self.load({"model": weights, "config": argparse.Namespace(use_transformer=False),
                   "src_vocab": vocab(source), "tgt_vocab": vocab(target)})
        pieces = self.succeed("vocab", "--inspect", self.model / "target.spm")
        check(pieces.endswith("\n4\t▁␣␣I\n5\t▁␣'m\n6\t▁ing\n7\t▁␣␣go\n"), pieces)
        self.spaces_are_the_texts(mark="␣␣")


def main():
    torch.manual_seed(1)
    with tempfile.TemporaryDirectory() as folder:
        foreign = Import(sys.argv[1], folder)
        foreign.scores_agree(multi_fields, "LSTM", 1)
        foreign.targets_are_tokens()
        foreign.scores_agree(multi_fields, "GRU", 2)
        foreign.scores_agree(lists_of_words, "LSTM", 2, generator="")
        foreign.scores_agree(lists_of_words, "GRU", 1, generator="", tied=True)
        foreign.scores_agree(lists_of_fields, "LSTM", 2, attention="dot", input_feed=0,
                             _use_new_zipfile_serialization=False)
        foreign.scores_agree(pairs_of_vocabs, "GRU", 2, input_feed=0,
                             _use_new_zipfile_serialization=False)
        check(foreign.restored > 3, f"{foreign.restored} translations had spaces left out")
        foreign.what_nmt_lacks_is_refused()
        foreign.damage_is_refused()
        foreign.simple_nmt_with_marks()
    return 0


if __name__ == "__main__":
    sys.exit(main())
