#!/usr/bin/env python3
"""Prints what each instruction set of this processor gains, as Markdown: limits nmt to each in turn
(NMT_CPU) and compares its CPU time with one thread with that of the first. Fails if a set changes a
translation in float32.

    benchmarks/instruction_sets.py NMT MODEL_DIRECTORY SOURCE TARGET
"""

import itertools
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

SETS = {'avx2': 'AVX2', 'avx512': 'AVX-512', 'avx512vnni': 'AVX-512 with VNNI', '': 'no limit'}
ROUNDS = 3
SENTENCES = 500
UPDATES = 20


def run(limit, *command):
    """Returns what the command prints, and its CPU time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            text=True, env={**os.environ, 'NMT_CPU': limit}).stdout
    return output, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    nmt, model, source, target = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder, open(source, encoding='utf-8') as lines:
        short, text = pathlib.Path(folder, 'short'), pathlib.Path(folder, 'text')
        text.write_text(''.join(itertools.islice(lines, SENTENCES)), encoding='utf-8')
        short.write_text(text.read_text(encoding='utf-8').split('\n')[0] + '\n', encoding='utf-8')

        def translate(limit, precision, beam):
            """Time without start-up."""
            options = ['-m', model, '--precision', precision, '--beam-size', beam, '--threads', '1']
            start = run(limit, nmt, 'translate', *options, '-i', short)[1]
            output, everything = run(limit, nmt, 'translate', *options, '-i', text)
            if precision == 'float32' and output != expected.setdefault(beam, output):
                sys.exit(f'{limit or "no limit"}: other translations than {next(iter(SETS))}')
            return everything - start

        def train(limit, precision):
            """Time of UPDATES, without what precedes the first."""
            seconds = []
            for updates in (1, 1 + UPDATES):
                directory = tempfile.mkdtemp(dir=folder)
                seconds.append(run(
                    limit, nmt, 'train', '-t', source, target, '--train.initial-model', model,
                    '-m', directory, '--train.precision', precision, '--train.threads', '1',
                    '--data.hold-out', '0', '--train.max-updates', str(updates))[1])
            return seconds[1] - seconds[0]

        bfloat16 = re.search('bfloat16 products +yes', run('', nmt, 'info')[0])
        expected = {}
        columns = {
            'training': lambda limit: train(limit, 'float32'),
            'training, bfloat16 where available':
                lambda limit: train(limit, 'bfloat16' if bfloat16 and not limit else 'float32'),
            'greedy': lambda limit: translate(limit, 'float32', '1'),
            'int8': lambda limit: translate(limit, 'int8', '1'),
            'beam 5': lambda limit: translate(limit, 'float32', '5'),
            'beam 5, int8': lambda limit: translate(limit, 'int8', '5'),
        }
        times = {(limit, name): [] for limit in SETS for name in columns}
        for _ in range(ROUNDS):
            for limit, name in times:
                times[limit, name].append(columns[name](limit))
    print('|', ' | '.join(['limit', *columns]), '|')
    print('|---' * (1 + len(columns)) + '|')
    first = next(iter(SETS))
    for limit, description in SETS.items():
        gains = [min(times[first, name]) / min(times[limit, name]) for name in columns]
        print('|', ' | '.join([description, *(f'{gain:.2f}' for gain in gains)]), '|')


if __name__ == '__main__':
    main()
