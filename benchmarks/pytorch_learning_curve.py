#!/usr/bin/env python3
"""Trains the network of an nmt run in plain PyTorch, on the same texts and pieces, and writes its validation scores to
DIR/metrics.jsonl; plot_learning_curves.py draws them next to those of the run.

pytorch_learning_curve.py NMT MODEL_DIR --minutes 12 [--threads 1] -o DIR

It trains as scripts on PyTorch usually do: packed sequences, batches of sentences of similar length, cross-entropy,
Adam, clipped gradients, and a learning rate that falls when validation BLEU stalls. Sizes, dropout, batch size and
the other settings are the run's. Needs spm_encode, spm_decode and spm_export_vocab.
"""

import argparse
import json
import random
import subprocess
import sys
import time
from pathlib import Path

import torch
import yaml
from torch import nn
from torch.nn.utils.rnn import pad_sequence

from pytorch_models import BOS, EOS, PAD
from pytorch_train import Translator, make_batch, train

LONGEST = 100  # tokens of a translation


def run(*command, text=None):
    return subprocess.run(list(map(str, command)), input=text, capture_output=True, check=True, encoding="utf-8").stdout


def encode(model, path):
    ids = run("spm_encode", f"--model={model}", "--output_format=id", f"--input={path}")
    return [list(map(int, line.split())) for line in ids.splitlines()]


def check_settings(config):
    """Stops if the run has settings that this script does not know."""
    known = {"data": {"batch_type": "sentences"}, "vocab": {"joint": False},
             "model": {"architecture": "recurrent", "cell": "gru", "attention": "general", "input_feeding": True,
                       "cell_layer_norm": False},
             "train": {"objective": "likelihood", "optimizer": "adam", "schedule": "plateau"}}
    for section, settings in known.items():
        for name, value in settings.items():
            if config[section][name] != value:
                sys.exit(f"{section}.{name}: {config[section][name]}; only {value} is computed here")
    if not isinstance(config["data"]["train_source"], str):
        sys.exit("data.train_source: several corpora; only one is read here")


@torch.inference_mode()
def translate(model, sources, batch_size=64):
    """Greedy search: the ids of each translation."""
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    translations = [[] for _ in sources]
    for begin in range(0, len(order), batch_size):
        chunk = order[begin:begin + batch_size]
        states, padding, hidden = model.encode(
            pad_sequence([torch.tensor(sources[i]) for i in chunk], True, PAD),
            torch.tensor([len(sources[i]) for i in chunk]))
        weights = model.decoder_weights()
        attentional, token = torch.zeros_like(hidden[-1]), torch.full((len(chunk), 1), BOS)
        open_rows = set(range(len(chunk)))
        for _ in range(LONGEST):
            attentional, hidden = model.decoder_step(weights, model.emb_dec(token), attentional, hidden, states,
                                                     padding)
            token = model.generator(attentional).argmax(-1)
            for row in list(open_rows):
                if token[row, 0] == EOS:
                    open_rows.remove(row)
                else:
                    translations[chunk[row]].append(int(token[row, 0]))
            if not open_rows:
                break
    return translations


def validation_bleu(options, translations, vocabulary, reference):
    hypothesis = options.output / "validation.txt"
    hypothesis.write_text(run("spm_decode", f"--model={vocabulary}", "--input_format=id",
                              text="".join(" ".join(map(str, ids)) + "\n" for ids in translations)), encoding="utf-8")
    scores = run(options.nmt, "evaluate", "--hypothesis", hypothesis, "-r", reference, "--metrics", "bleu", "--json")
    return json.loads(scores)["bleu"]["score"]


def shuffled_batches(pairs, batch_size):
    """Sorted by length within a hundred batches, then in random order."""
    random.shuffle(pairs)
    batches = []
    for begin in range(0, len(pairs), 100 * batch_size):
        block = sorted(pairs[begin:begin + 100 * batch_size], key=lambda pair: (len(pair[0]), len(pair[1])))
        batches += [block[i:i + batch_size] for i in range(0, len(block), batch_size)]
    random.shuffle(batches)
    return batches


def make_model(config, options):
    sizes = config["model"]
    pieces = [run("spm_export_vocab", f"--model={options.run / side}.spm").count("\n") for side in ("source", "target")]
    model = Translator(argparse.Namespace(
        source_vocabulary=pieces[0], target_vocabulary=pieces[1], embedding_size=sizes["embedding_size"],
        hidden_size=sizes["hidden_size"], num_layers=sizes["num_layers"], dropout=sizes["dropout"],
        label_smoothing=config["train"]["label_smoothing"], precision="float32", compile=None))
    for embedding in (model.emb_src, model.emb_dec):
        nn.init.normal_(embedding.weight, std=sizes["embedding_init_std"])
    if sizes["tied_embeddings"] == "target":
        model.generator.weight = model.emb_dec.weight
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nmt", metavar="NMT")
    parser.add_argument("run", metavar="MODEL_DIR", type=Path)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    random.seed(1)

    start = time.perf_counter()
    config = yaml.safe_load((options.run / "config.yaml").read_text(encoding="utf-8"))
    check_settings(config)
    data = config["data"]
    source_model, target_model = options.run / "source.spm", options.run / "target.spm"
    model = make_model(config, options)
    optimizer = torch.optim.Adam(model.parameters(), lr=config["train"]["learning_rate"])
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, "max", config["train"]["decay_factor"],
                                                         config["train"]["plateau_patience"])
    texts = encode(source_model, data["train_source"]), encode(target_model, data["train_target"])
    pairs = [pair for pair in zip(*texts)
             if 0 < min(map(len, pair)) and max(map(len, pair)) <= data["max_length"]]
    validation = encode(source_model, data["valid_source"])
    if not all(validation):
        sys.exit(f"{data['valid_source']}: has an empty line")
    step = argparse.Namespace(compile=None, precision="float32", clip_norm=config["train"]["clip_norm"])
    updates = 0
    with (options.output / "metrics.jsonl").open("w", encoding="utf-8") as metrics:
        while time.perf_counter() - start < options.minutes * 60:
            model.train()
            batches = shuffled_batches(pairs, data["batch_size"])
            train(model, optimizer, (make_batch(*zip(*batch), "cpu") for batch in batches), torch.device("cpu"), step)
            updates += len(batches)
            score = validation_bleu(options, translate(model.eval(), validation), target_model, data["valid_target"])
            plateau.step(score)
            row = {"type": "validation", "update": updates, "seconds": time.perf_counter() - start, "bleu": score}
            print(json.dumps(row), file=metrics, flush=True)


if __name__ == "__main__":
    main()
