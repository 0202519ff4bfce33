#!/usr/bin/env python3
"""Prints a Markdown row for each recurrent kind: the fused engine's training speed, in float32 and in bfloat16,
relative to the plain engine's, and translation relative to general attention. Models of hidden size 512.

    benchmarks/family.py DIRECTORY_OF_PROGRAMS SOURCE TARGET [KIND ...]
"""

import itertools
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

KINDS = {
    'general': [],
    'none': ['--model.attention', 'none'],
    'dot': ['--model.attention', 'dot'],
    'additive': ['--model.attention', 'additive'],
    'scaled-dot': ['--model.attention', 'scaled-dot'],
    'multi-head': ['--model.attention', 'multi-head'],
    'location': ['--model.attention', 'location'],
    'local-m': ['--model.attention', 'local-m'],
    'local-p': ['--model.attention', 'local-p'],
    'coverage': ['--model.coverage', 'true'],
    'copying': ['--model.copy', 'true', '--vocab.joint', 'true'],
    'LSTM': ['--model.cell', 'lstm'],
    'layer norm': ['--model.layer-norm', 'true'],
    'summed directions': ['--model.encoder-output', 'summed'],
    'no input feeding': ['--model.input-feeding', 'false'],
}
SIZES = ['--model.embedding-size', '512', '--model.hidden-size', '512']
VOCABULARIES = ['--vocab.source-size', '8000', '--vocab.target-size', '8000']


def run(*command):
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f'{" ".join(command)}: exit code {result.returncode}\n{result.stderr}')
    return result.stdout


def best(entries, path):
    """The fastest entry of a path, over the numbers of threads; None without one."""
    return min((entry for entry in entries if entry['path'] == path),
               key=lambda entry: entry['seconds'], default=None)


def measure_training(bench, corpus, options):
    """Speed in float32 and in bfloat16 (None: this machine has no products of it) over the plain engine, each with
    its best number of threads, and the share of float32's products in its step."""
    paths = json.loads(run(bench, 'train', '-t', *corpus, *options, '--batches', '4',
                           '--rounds', '3', '--json'))['paths']
    plain, fused = best(paths, 'plain'), best(paths, 'fused')
    bfloat16 = best(paths, 'bfloat16')
    return (plain['seconds'] / fused['seconds'], bfloat16 and plain['seconds'] / bfloat16['seconds'],
            fused['product_share'])


def train_briefly(nmt, corpus, options, folder):
    run(nmt, 'train', '-t', *corpus, *options, '-m', folder, '--train.max-updates', '2',
        '--validation.interval', '1000000')


def cpu_seconds(nmt, model, text, precision):
    """CPU time of translating `text`, 20 tokens a sentence, with one thread."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run(nmt, 'translate', '-m', model, '-i', text, '--beam-size', '5', '--batch-size', '64',
        '--min-length', '20', '--max-length', '20', '--precision', precision, '--threads', '1')
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def measure_translation(nmt, base, kind, texts, precision):
    """Time of beam 5 over that of the base model, without start-up. The runs alternate, and the
    fastest count: a machine's speed changes within seconds."""
    commands = list(itertools.product((base, kind), texts))
    rounds = [[cpu_seconds(nmt, *command, precision) for command in commands] for _ in range(5)]
    base_start, base_all, start, everything = (min(times) for times in zip(*rounds))
    return (everything - start) / (base_all - base_start)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    programs = pathlib.Path(sys.argv[1])
    nmt, bench = str(programs / 'nmt'), str(programs / 'nmt-bench')
    corpus = sys.argv[2:4]
    kinds = sys.argv[4:] or list(KINDS)
    print('| kind | training, float32 | bfloat16 | product share | beam 5, float32 | beam 5, int8 |')
    print('|---|---|---|---|---|---|')
    with tempfile.TemporaryDirectory() as folder:
        general = f'{folder}/general'
        train_briefly(nmt, corpus, [*SIZES, *VOCABULARIES], general)
        same = ['--vocab.source-model', f'{general}/source.spm',
                '--vocab.target-model', f'{general}/target.spm']
        texts = [f'{folder}/1', f'{folder}/256']
        with open(corpus[0], encoding='utf-8') as source:
            lines = list(itertools.islice(source, 256))
        for text in map(pathlib.Path, texts):
            text.write_text(''.join(lines[:int(text.name)]), encoding='utf-8')
        for kind in kinds:
            joint = '--vocab.joint' in KINDS[kind]
            options = [*SIZES, *(VOCABULARIES if joint else same), *KINDS[kind]]
            float32, bfloat16, share = measure_training(bench, corpus, options)
            model = f'{folder}/of {kind}'
            train_briefly(nmt, corpus, options, model)
            ratios = [measure_translation(nmt, general, model, texts, precision)
                      for precision in ('float32', 'int8')]
            print(f'| {kind} | {float32:.2f} | {f"{bfloat16:.2f}" if bfloat16 else "–"} | {share:.2f} | '
                  f'{ratios[0]:.2f} | {ratios[1]:.2f} |', flush=True)


if __name__ == '__main__':
    main()
