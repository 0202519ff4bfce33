#!/usr/bin/env python3
"""Tests the exchange of models with PyTorch in both directions: exchange_test.py NMT PROJECT.

For each shape of the network, a model made in Python goes through `nmt import` to `nmt score`, then
through `nmt export` in every format back to Python, and must compute the same everywhere. Then the
sample model's TorchScript file and examples/torchscript/translate.py must translate as nmt does.

Exit codes as score_agreement.py's.
"""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import score_agreement as agreement  # exits with 77 where PyTorch is missing
import torch
from score_agreement import TOLERANCE, check
from transformer_reference import TransformerReference

try:
    import numpy
except ImportError:
    print("skipped: NumPy is not installed (python3-numpy)")
    sys.exit(77)

PAD, BOS, EOS = agreement.PAD, agreement.BOS, agreement.EOS
DTYPES = {torch.float32: "F32", torch.float64: "F64", torch.float16: "F16", torch.bfloat16: "BF16"}
# What differs from the first shape of main().
OTHER_KINDS = [{"attention": "none"}, {"attention": "dot"}, {"attention": "additive"},
               {"attention": "scaled-dot"}, {"attention": "multi-head", "heads": 4},
               {"coverage": True}, {"attention": "additive", "coverage": True},
               {"copy": True}, {"copy": True, "cell": "lstm", "attention": "multi-head", "heads": 4},
               {"attention": "location"}, {"attention": "local-m"}, {"attention": "local-p"},
               {"encoder_output": "summed", "layer_norm": True, "num_layers": 2}]
OTHER_KINDS += [{"architecture": "transformer", "embedding_size": 32, "num_layers": 2, "heads": 4,
                 "feed_forward_size": 48, "pre_norm": pre_norm} for pre_norm in (True, False)]


def run(*command, **more):
    result = subprocess.run([str(part) for part in command], capture_output=True, **more)
    check(result.returncode == 0, f"{command}: {result.stderr.decode()}")
    return result.stdout.decode()


def write_safetensors(path, tensors):
    header, at = {}, 0
    for name, tensor in tensors.items():
        size = tensor.numel() * tensor.element_size()
        header[name] = {"dtype": DTYPES[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(tensor.contiguous().view(-1).view(torch.uint8).numpy().tobytes())


def attention_weights(kind, hidden):
    matrices = {"none": [], "dot": [], "general": ["linear"], "additive": ["query", "key", "energy"],
                "scaled-dot": ["query", "key", "value"],
                "multi-head": ["query", "key", "value", "output"],
                "location": ["location"], "local-m": ["linear"],
                "local-p": ["linear", "position", "center"]}[kind]
    rows = {"energy": 1, "center": 1, "location": 256}
    return {name + ".weight": torch.randn(rows.get(name, hidden), hidden) / hidden ** 0.5
            for name in matrices}


def transformer_weights(shape, source_size, target_size):
    hidden, wide = shape["hidden_size"], shape["feed_forward_size"]
    parts = {"emb_src": torch.nn.Embedding(source_size, hidden),
             "emb_dec": torch.nn.Embedding(target_size, hidden),
             "generator.output": torch.nn.Linear(hidden, target_size)}
    if shape["pre_norm"]:
        parts.update({"norm_src": torch.nn.LayerNorm(hidden), "norm_dec": torch.nn.LayerNorm(hidden)})
    weights = {}
    for i in range(shape["num_layers"]):
        for side, looks in (("encoder", ["self"]), ("decoder", ["self", "source"])):
            prefix = f"{side}.{i}."
            parts[prefix + "widen"] = torch.nn.Linear(hidden, wide)
            parts[prefix + "narrow"] = torch.nn.Linear(wide, hidden)
            for name in looks + ["feed_forward"]:
                parts[f"{prefix}around_{name}.norm"] = torch.nn.LayerNorm(hidden)
            for name in looks:
                for matrix, weight in attention_weights("multi-head", hidden).items():
                    weights[f"{prefix}{name}_attn.{matrix}"] = weight
    for part, module in parts.items():
        for name, tensor in module.state_dict().items():
            # Norms too are drawn, so that none can be left out unseen.
            weights[f"{part}.{name}"] = tensor + 0.1 * torch.randn_like(tensor)
    return weights


def fresh_weights(shape, source_size, target_size):
    """The state_dict of a new model; its shapes by PyTorch's own modules."""
    if shape.get("architecture") == "transformer":
        return transformer_weights(shape, source_size, target_size)
    embedding, hidden, layers = shape["embedding_size"], shape["hidden_size"], shape["num_layers"]
    recurrent = torch.nn.LSTM if shape["cell"] == "lstm" else torch.nn.GRU
    feeding = hidden if shape["input_feeding"] else 0
    kind = shape.get("attention", "general")
    width = hidden if shape.get("encoder_output") == "summed" else hidden // 2
    parts = {
        "emb_src": torch.nn.Embedding(source_size, embedding),
        "emb_dec": torch.nn.Embedding(target_size, embedding),
        "encoder.rnn": recurrent(embedding, width, layers, bidirectional=True),
        "decoder.rnn": recurrent(embedding + feeding, hidden, layers),
        "concat": torch.nn.Linear(hidden if kind == "none" else 2 * hidden, hidden),
        "generator.output": torch.nn.Linear(hidden, target_size)}
    weights = {f"{part}.{name}": tensor.detach()
               for part, module in parts.items() for name, tensor in module.state_dict().items()}
    for name, weight in attention_weights(kind, hidden).items():
        weights["attn." + name] = weight
    if shape.get("coverage"):
        weights["attn.coverage.weight"] = torch.randn(1, hidden)
    if shape.get("copy"):
        gate = torch.nn.Linear(hidden, 1).state_dict()
        weights.update({"generator.copy." + name: tensor for name, tensor in gate.items()})
    if shape.get("layer_norm"):
        for name in ("norm_src", "norm_dec"):
            weights[name + ".weight"] = 1 + 0.1 * torch.randn(hidden)
            weights[name + ".bias"] = 0.1 * torch.randn(hidden)
    if shape["tied_embeddings"] == "target":
        weights["generator.output.weight"] = weights["emb_dec.weight"]
    return weights


def reference_of(weights, shape):
    if shape.get("architecture") == "transformer":
        return TransformerReference(weights, shape["heads"], shape["pre_norm"])
    return agreement.Reference(weights, shape.get("heads", 1),
                               monotonic=shape.get("attention") == "local-m")


def train(model, sources, targets, updates):
    """A few updates, so that the model has been trained where it comes from."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    inputs = agreement.pad([[BOS] + target for target in targets])
    outputs = agreement.pad([target + [EOS] for target in targets])
    lengths = torch.tensor([len(source) for source in sources])
    for _ in range(updates):
        optimizer.zero_grad()
        log_probabilities = model(agreement.pad(sources), lengths, inputs)
        torch.nn.functional.nll_loss(log_probabilities.flatten(0, 1), outputs.flatten(),
                                     ignore_index=PAD).backward()
        optimizer.step()


def script_scores(script, sources, targets):
    """What `nmt score` says, by the script's encode and step."""
    lengths = torch.tensor([len(source) for source in sources])
    inputs = agreement.pad([[BOS] + target for target in targets])
    outputs = agreement.pad([target + [EOS] for target in targets])
    states, padding, state = script.encode(agreement.pad(sources), lengths)
    total = torch.zeros(len(sources), dtype=torch.float64)
    for t in range(inputs.shape[1]):
        log_p, state, attention = script.step(inputs[:, t], state, states, padding)
        if attention.shape[1]:
            is_local = hasattr(getattr(script, "attn", None), "center")
            sums = attention.sum(1)
            check((sums < 1).all() if is_local else torch.allclose(sums, torch.ones(len(sources))),
                  "attention sums to 1, or to less within a window")
        chosen = log_p.gather(1, outputs[:, t:t + 1]).squeeze(1).double()
        total += chosen.masked_fill(outputs[:, t] == PAD, 0)
    return total.tolist()


class Exchange:
    def __init__(self, nmt, project, folder):
        self.nmt, self.project, self.folder = nmt, pathlib.Path(project), pathlib.Path(folder)
        self.set_source("ko")

    def set_source(self, language):
        """Korean, or English and its vocabulary on both sides."""
        sample = self.project / "models/sample"
        model = {"ko": sample / "source.spm", "en": sample / "target.spm"}
        self.tokenizers = [model[language], model["en"]]
        for side, text in (("source", language), ("target", "en")):
            lines = (self.project / f"data/sample/test.{text}").read_bytes().splitlines()[:24]
            (self.folder / side).write_bytes(b"\n".join(lines) + b"\n")
        self.sources = agreement.encode(str(self.tokenizers[0]), self.folder / "source", 24)
        self.targets = agreement.encode(str(self.tokenizers[1]), self.folder / "target", 24)

    def export(self, model, form):
        path = self.folder / ("exported." + form)
        said = run(self.nmt, "export", "-m", model, "--to", form, "-o", path, "--overwrite",
                   "--verify", "--sample", self.folder / "source")
        check("verified over 24 sentences" in said, said)
        return path

    def nmt_scores(self, model):
        return list(map(float, run(self.nmt, "score", "-m", model, "-s", self.folder / "source",
                                   "-t", self.folder / "target").split()))

    def import_model(self, shape, weights):
        config, file = self.folder / "config.yaml", self.folder / "made-in-python.safetensors"
        joint = self.tokenizers[0] == self.tokenizers[1]
        config.write_text(json.dumps({"model": shape, "vocab": {"joint": joint}}) + "\n")
        write_safetensors(file, weights)
        run(self.nmt, "import", file, "--config", config, "--source-tokenizer", self.tokenizers[0],
            "--target-tokenizer", self.tokenizers[1], "-o", self.folder / "imported", "--overwrite")
        return self.folder / "imported"

    def agree(self, ours, expected, what):
        worst = agreement.largest_difference(ours, expected)
        print(f"{what}: largest difference {worst:.1e}")
        check(worst <= TOLERANCE, what)

    def there_and_back(self, shape, dtype, updates):
        name = " ".join(str(value) for value in shape.values()) + f" {DTYPES[dtype]}"
        self.set_source("en" if shape.get("copy") else "ko")
        weights = fresh_weights(shape, 814 if shape.get("copy") else 1500, 814)
        if updates:
            trained = agreement.Reference(weights)
            train(trained.train(), self.sources, self.targets, updates)
            weights = {key: tensor.detach() for key, tensor in trained.state_dict().items()}
        weights = {key: tensor.to(dtype) for key, tensor in weights.items()}
        model = self.import_model(shape, weights)
        reference = reference_of({key: tensor.float() for key, tensor in weights.items()}, shape)
        expected = agreement.score(reference, self.sources, self.targets)
        self.agree(self.nmt_scores(model), expected, name + ", imported")

        exported = agreement.read_safetensors(self.export(model, "safetensors"))
        check(set(exported) == set(weights), "the same names")
        for key, tensor in exported.items():
            check(torch.equal(tensor, weights[key].float()), key)
        script = torch.jit.load(str(self.export(model, "torchscript")))
        check(set(script.state_dict()) == set(weights), "the same names in TorchScript")
        self.agree(script_scores(script, self.sources, self.targets), expected, name + ", TorchScript")

    def sample_model_translates(self):
        sample = self.project / "models/sample"
        path = self.export(sample, "torchscript")
        said = run(self.nmt, "translate", "-m", sample, "--beam-size", "1", "--json", "--input",
                   self.folder / "source").splitlines()
        expected = [json.loads(line)["candidates"][0] for line in said]
        script = torch.jit.load(str(path))
        lengths = torch.tensor([len(source) for source in self.sources])
        tokens, log_probabilities = script.greedy(agreement.pad(self.sources), lengths)
        pieces = run("spm_export_vocab", f"--model={self.tokenizers[1]}").splitlines()
        pieces = [line.split("\t")[0] for line in pieces]
        for row, candidate in zip(tokens.tolist(), expected):
            found = [pieces[token] for token in row if token != script.pad_id]
            check(found == candidate["tokens"], f"{found} for {candidate['tokens']}")
        self.agree(log_probabilities.tolist(), [c["log_probability"] for c in expected],
                   "greedy in Python")

    def example_translates(self):
        sample, text = self.project / "models/sample", self.folder / "text"
        program = self.project / "examples/torchscript/translate.py"
        text.write_bytes((self.folder / "source").read_bytes() + "\n  \n저는 물을 마셔요.".encode())
        expected = run(self.nmt, "translate", "-m", sample, "--beam-size", "1", "--input", text)
        with open(text, "rb") as source:
            found = run(sys.executable, "-B", program, self.export(sample, "torchscript"),
                        stdin=source)
        check(found == expected, f"translate.py says\n{found}\nnmt says\n{expected}")
        print(f"translate.py: {len(found.splitlines())} lines as nmt translates them")


def main():
    torch.manual_seed(1)
    torch.set_num_threads(2)
    shapes = [("gru", 24, 32, 1, True, "none", torch.float32, 25),
              ("gru", 32, 32, 2, False, "target", torch.float16, 0),
              ("lstm", 24, 32, 2, True, "none", torch.bfloat16, 0),
              ("lstm", 24, 32, 1, False, "none", torch.float64, 0)]
    names = ("cell", "embedding_size", "hidden_size", "num_layers", "input_feeding", "tied_embeddings")
    with tempfile.TemporaryDirectory() as folder:
        exchange = Exchange(sys.argv[1], sys.argv[2], folder)
        for *values, dtype, updates in shapes:
            exchange.there_and_back(dict(zip(names, values)), dtype, updates)
        for more in OTHER_KINDS:
            exchange.there_and_back({**dict(zip(names, shapes[0])), **more}, torch.float32, 0)
        exchange.sample_model_translates()
        exchange.example_translates()
    return 0


if __name__ == "__main__":
    sys.exit(main())
