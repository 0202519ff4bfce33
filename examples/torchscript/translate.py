#!/usr/bin/env python3
"""Translates standard input, a sentence a line, with a file of `nmt export --to torchscript`.

translate.py MODEL.pt < SOURCE > TRANSLATIONS; needs PyTorch and SentencePiece's programs.
"""
import subprocess
import sys
import tempfile

import torch

files = {"source.spm": "", "target.spm": ""}
model = torch.jit.load(sys.argv[1], _extra_files=files)


def sentencepiece(program, tokenizer, lines):
    with tempfile.NamedTemporaryFile() as file:
        file.write(files[tokenizer])
        file.flush()
        command = [program, "--model=" + file.name] + ["--output_format=id"] * (program == "spm_encode")
        command += ["--input_format=id"] * (program == "spm_decode")
        text = "".join(line + "\n" for line in lines)
        result = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
    return result.stdout.decode().split("\n")[:len(lines)]


lines = sys.stdin.buffer.read().decode().split("\n")
if not lines[-1]:
    lines.pop()
sources = [list(map(int, ids.split())) for ids in sentencepiece("spm_encode", "source.spm", lines)]
chosen = [i for i, source in enumerate(sources) if source]  # an empty line stays empty
targets = [""] * len(lines)
if chosen:
    lengths = torch.tensor([len(sources[i]) for i in chosen])
    padded = torch.full((len(chosen), int(lengths.max())), model.pad_id)
    for row, i in zip(padded, chosen):
        row[:len(sources[i])] = torch.tensor(sources[i])
    with torch.jit.optimized_execution(False):  # PyTorch 2 would compile anew for every length
        tokens, log_probabilities = model.greedy(padded, lengths)
    for row, i in zip(tokens.tolist(), chosen):
        targets[i] = " ".join(str(token) for token in row if token != model.pad_id)
for translation in sentencepiece("spm_decode", "target.spm", targets):
    print(translation)
