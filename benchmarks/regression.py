#!/usr/bin/env python3
"""Prints the main figures of a build as ratios to those of an earlier one, measured in alternating pairs.

    benchmarks/regression.py [--build] OLD NEW [ROUNDS]

OLD and NEW are build folders of the same kind (cmake --preset release), with `bin/nmt`. Every figure is a
whole command with the sample corpus or its model, as a user runs it. Prints a Markdown table: both
medians, and the median of the pairs' ratios with the smallest and the largest. Fails if a median ratio
is above 1.05: measure again on a quiet machine before you believe it.

With --build, both are first rebuilt, once each and without a compiler cache. This takes minutes and adds a row for
the build, which never fails, since code grows.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).parents[1]
SENTENCES = ROOT / 'data' / 'sample' / 'test.ko'
MODEL = ['-m', ROOT / 'models' / 'sample']
MOST = 1.05  # a ratio that is no slip yet


def run(program, arguments, text=''):
    """The seconds of wall time, and of CPU time, and the peak resident memory in MB."""
    with tempfile.TemporaryFile() as given:
        given.write(text.encode())
        given.seek(0)
        begin = time.monotonic()
        process = subprocess.Popen([program, *map(str, arguments)], stdin=given,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        errors = process.stderr.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f'{program}: {errors}')
        return time.monotonic() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000


def train(program, *more):
    with tempfile.TemporaryDirectory() as folder:
        return run(program, ['train', '--config', ROOT / 'configs' / 'sample.yaml', '-m', f'{folder}/model',
                             '--train.max-minutes', '0', '--train.max-updates', '150', *more])


def translate(program, *more, text=None):
    return run(program, ['translate', *MODEL, *more], SENTENCES.read_text() if text is None else text)


ONE = '저는 책을 읽어요.\n'
FIRST = ''.join(f'{line}\n' for line in SENTENCES.read_text().splitlines()[:100])

# The name of a figure, its unit, which of run()'s three it is, and the command.
FIGURES = [
    ('training, 150 updates', 's', 0, train),
    ('training, CPU time', 's', 1, train),
    ('training, memory', 'MB', 2, train),
    ('1,000 sentences, beam 5', 's', 0, translate),
    ('1,000 sentences, greedy', 's', 0, lambda program: translate(program, '-b', '1')),
    ('1,000 sentences, beam 5, int8', 's', 0, lambda program: translate(program, '--precision', 'int8')),
    ('100 sentences one by one, one thread', 's', 1,
     lambda program: translate(program, '--batch-size', '1', '--threads', '1', text=FIRST)),
    ('1,000 sentences, memory', 'MB', 2, translate),
    ('start-up: one sentence', 's', 0, lambda program: translate(program, text=ONE)),
    ('start-up, memory', 'MB', 2, lambda program: translate(program, text=ONE)),
]


def measure(programs, rounds):
    """For each figure, its values for each program: each command runs once for all figures of it."""
    values = [([], []) for _ in FIGURES]
    for number in range(rounds):
        for command in dict.fromkeys(figure[3] for figure in FIGURES):
            for side in ((0, 1), (1, 0))[number % 2]:
                results = command(programs[side])
                for place, figure in enumerate(FIGURES):
                    if figure[3] is command:
                        values[place][side].append(results[figure[2]])
    return values


def build(folder):
    """The seconds of wall time of a whole build with all cores."""
    command = ['cmake', '--build', folder, '--clean-first', '--parallel', str(os.cpu_count())]
    begin = time.monotonic()
    result = subprocess.run(command, check=False, env={**os.environ, 'CCACHE_DISABLE': '1'},
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        sys.exit(f'{folder}: does not build\n{result.stdout[-2000:]}')
    return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', action='store_true')
    parser.add_argument('old', type=pathlib.Path)
    parser.add_argument('new', type=pathlib.Path)
    parser.add_argument('rounds', type=int, nargs='?', default=7)
    options = parser.parse_args()
    folders = [options.old, options.new]
    rows = []
    if options.build:
        rows.append((('build', 's'), [[build(folder)] for folder in folders]))
    values = measure([folder / 'bin' / 'nmt' for folder in folders], options.rounds)
    rows += [(figure[:2], pairs) for figure, pairs in zip(FIGURES, values)]
    print('| figure | before | now | ratio | from | to |\n|---|---|---|---|---|---|')
    slips = []
    for (name, unit), (old, new) in rows:
        ratios = sorted(after / before for before, after in zip(old, new))
        ratio = statistics.median(ratios)
        print(f'| {name} | {statistics.median(old):.3g} {unit} | {statistics.median(new):.3g} {unit} | '
              f'{ratio:.2f} | {ratios[0]:.2f} | {ratios[-1]:.2f} |')
        if ratio > MOST and name != 'build':
            slips.append(name)
    if slips:
        sys.exit(f'above {MOST}: ' + ', '.join(slips))


if __name__ == '__main__':
    main()
