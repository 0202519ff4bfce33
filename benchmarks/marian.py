#!/usr/bin/env python3
"""Compares the speed of nmt and of Marian's recurrent model (--type s2s), on one CPU, with the same text.

    benchmarks/marian.py NMT MARIAN SOURCE TARGET TEST [--threads N] [--size N] [--vocabulary N] [--rounds N]

NMT is the program, MARIAN the build folder with marian, marian-decoder and marian-conv (1.12, built for CPUs). Both
train on the lines of SOURCE and TARGET with the SentencePiece vocabularies that nmt makes, and translate TEST with the
models they trained. Every figure is a difference of two whole commands, so start-up does not count: of two epochs and
one, and of all lines and the first. The programs alternate. Prints a Markdown table: both medians and the median of the
rounds' ratios.

The sizes are the same, but the models differ: Marian's encoder has SIZE units in each direction, nmt's half of that;
Marian's decoder has two cells with attention between them (Sennrich et al. 2017), nmt's one cell with input feeding.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def seconds(command, output=None, **more):
    begin = time.monotonic()
    done = subprocess.run([str(part) for part in command], stdout=output or subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, **more)
    if done.returncode != 0:
        sys.exit(f'{command[0]}: {done.stderr[-2000:]}')
    return time.monotonic() - begin


def difference(longer, shorter):
    if longer - shorter < 0.5:
        sys.exit('half a second or less to measure; use more text')
    return longer - shorter


class Nmt:
    def __init__(self, options, folder):
        self.options, self.program, self.folder = options, options.nmt, folder
        self.model = folder / 'nmt'

    def train(self, epochs):
        size, vocabulary = self.options.size, self.options.vocabulary
        return seconds([self.program, 'train', '-m', self.model, '--overwrite',
                        '--train-sets', self.options.source, self.options.target, '--data.hold-out', 0,
                        '--vocab.type', 'unigram', '--vocab.joint', 'false',
                        '--vocab.source-size', vocabulary, '--vocab.target-size', vocabulary,
                        '--model.embedding-size', size, '--model.hidden-size', size, '--model.dropout', 0.2,
                        '--model.tied-embeddings', 'none', '--data.batch-size', 64, '--data.max-ratio', 0,
                        '--data.source-subword-sampling', 0, '--data.target-subword-sampling', 0,
                        '--train.max-epochs', epochs, '--train.schedule', 'constant',
                        '--train.learning-rate', 1e-3, '--train.threads', self.options.threads,
                        '--train.precision', 'float32', '--train.ema-decay', 0, '--train.save-every-minutes', 0])

    def translate(self, text, output, beam, precision):
        return seconds([self.program, 'translate', '-m', self.model, '-i', text, '-o', output,
                        '--beam-size', beam, '--batch-size', 64, '--precision', precision,
                        '--threads', self.options.threads])


class Marian:
    def __init__(self, options, folder):
        self.options, self.bin, self.folder = options, options.marian, folder
        self.vocabularies = [folder / 'nmt' / 'source.spm', folder / 'nmt' / 'target.spm']
        self.model = folder / 'marian.npz'
        self.model_int8 = folder / 'marian.int8.bin'

    def train(self, epochs):
        for old in self.folder.glob('marian.*'):
            old.unlink()
        size = self.options.size
        used = seconds([self.bin / 'marian', '--type', 's2s', '--model', self.model,
                        '--train-sets', self.options.source, self.options.target, '--vocabs', *self.vocabularies,
                        '--dim-emb', size, '--dim-rnn', size, '--enc-cell', 'gru', '--dec-cell', 'gru',
                        '--dropout-rnn', 0.2, '--mini-batch', 64, '--maxi-batch', 100, '--max-length', 100,
                        '--optimizer', 'adam', '--learn-rate', 1e-3, '--clip-norm', 5, '--after', f'{epochs}e',
                        '--cpu-threads', self.options.threads, '--sync-sgd', '--quiet'])
        self.model_int8.unlink(missing_ok=True)
        seconds([self.bin / 'marian-conv', '-f', self.model, '-t', self.model_int8, '--gemm-type', 'intgemm8'])
        return used

    def translate(self, text, output, beam, precision):
        model = self.model if precision == 'float32' else self.model_int8
        with open(text) as lines, open(output, 'w') as translations:
            return seconds([self.bin / 'marian-decoder', '-m', model, '-v', *self.vocabularies, '-b', beam,
                            '--normalize', 1, '--mini-batch', 64, '--maxi-batch', 100, '--maxi-batch-sort', 'src',
                            '--cpu-threads', self.options.threads, '--quiet', '--quiet-translation'],
                           output=translations, stdin=lines)


def words_per_second(program, texts, folder, beam, precision):
    """Of the translations: models of few epochs may write longer ones than others."""
    times, words = [], []
    for text in texts:
        times.append(program.translate(text, folder / 'translations', beam, precision))
        words.append(len((folder / 'translations').read_text().split()))
    return (words[0] - words[1]) / difference(*times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('nmt', type=pathlib.Path)
    for name in ('marian', 'source', 'target', 'test'):
        parser.add_argument(name, type=pathlib.Path)
    for name, value in (('threads', 2), ('size', 512), ('vocabulary', 8000), ('rounds', 3)):
        parser.add_argument(f'--{name}', type=int, default=value)
    options = parser.parse_args()
    pairs = len(options.source.read_text().splitlines())
    searches = [(beam, precision) for precision in ('float32', 'int8') for beam in (1, 5)]
    figures = {'training, pairs/s': []}
    figures.update({f'{"greedy" if beam == 1 else f"beam {beam}"}, {precision}, words/s': []
                    for beam, precision in searches})
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        first = folder / 'first'
        first.write_text(options.test.read_text().splitlines()[0] + '\n')
        programs = [Nmt(options, folder), Marian(options, folder)]
        for _ in range(options.rounds):
            one, two = ([program.train(epochs) for program in programs] for epochs in (1, 2))
            speeds = [[pairs / difference(later, sooner) for sooner, later in zip(one, two)]]
            for beam, precision in searches:
                speeds.append([words_per_second(program, (options.test, first), folder, beam, precision)
                               for program in programs])
            for values, speed in zip(figures.values(), speeds):
                values.append(speed)
    print('| | nmt | Marian | ratio |\n|---|---|---|---|')
    for figure, values in figures.items():
        ours, theirs = (statistics.median(speed[i] for speed in values) for i in (0, 1))
        ratio = statistics.median(speed[0] / speed[1] for speed in values)
        print(f'| {figure} | {ours:.0f} | {theirs:.0f} | {ratio:.2f} |')


main()
