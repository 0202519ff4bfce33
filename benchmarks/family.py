#!/usr/bin/env python3
"""One row for each recurrent kind, as Markdown: training of the fused engine against the plain one,
and translation against general attention. Measures by nmt-bench, models of hidden size 512.

    benchmarks/family.py DIRECTORY_OF_PROGRAMS SOURCE TARGET [KIND ...]
"""

import json
import pathlib
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
    'LSTM': ['--model.cell', 'lstm'],
    'layer norm': ['--model.layer-norm', 'true'],
    'summed directions': ['--model.encoder-output', 'summed'],
    'no input feeding': ['--model.input-feeding', 'false'],
}
SIZES = ['--vocab.source-size', '8000', '--vocab.target-size', '8000',
         '--model.embedding-size', '512', '--model.hidden-size', '512']


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout


def best(entries, path, **conditions):
    """The fastest entry of a path, over the numbers of threads."""
    same = [entry for entry in entries if entry['path'] == path
            and all(entry[name] == value for name, value in conditions.items())]
    return min(same, key=lambda entry: entry['seconds'])


def measure_training(bench, corpus, options):
    report = json.loads(run(bench, 'train', '-t', *corpus, *options, '--batches', '4',
                            '--rounds', '3', '--json'))
    fused = best(report['paths'], 'fused')
    return best(report['paths'], 'plain')['seconds'] / fused['seconds'], fused['product_share']


def train_briefly(nmt, corpus, options, folder):
    run(nmt, 'train', '-t', *corpus, *options, '-m', folder, '--train.max-updates', '2',
        '--validation.interval', '1000000')


def measure_translation(bench, corpus, folder):
    """Seconds of beam 5 in batches of 64, in float32 and in int8."""
    report = json.loads(run(bench, 'translate', '-m', folder, '-i', corpus[0], '--sentences', '128',
                            '--single', '1', '--rounds', '2', '--json'))
    return [best(report['entries'], path, beam_size=5, batch_size=64)['seconds']
            for path in ('fused', 'int8')]


def main():
    programs = pathlib.Path(sys.argv[1])
    nmt, bench = str(programs / 'nmt'), str(programs / 'nmt-bench')
    corpus = sys.argv[2:4]
    kinds = sys.argv[4:] or list(KINDS)
    print('| kind | training, over plain | product share | beam 5, time over general | int8 |')
    print('|---|---|---|---|---|')
    with tempfile.TemporaryDirectory() as folder:
        general = f'{folder}/general'
        train_briefly(nmt, corpus, SIZES, general)
        options = [*SIZES, '--vocab.source-model', f'{general}/source.spm',
                   '--vocab.target-model', f'{general}/target.spm']
        for kind in kinds:
            speedup, share = measure_training(bench, corpus, [*options, *KINDS[kind]])
            train_briefly(nmt, corpus, [*options, *KINDS[kind]], f'{folder}/of {kind}')
            # General again for each kind: a machine's speed changes within minutes.
            base_seconds = measure_translation(bench, corpus, general)
            own_seconds = measure_translation(bench, corpus, f'{folder}/of {kind}')
            ratios = [mine / base for mine, base in zip(own_seconds, base_seconds)]
            print(f'| {kind} | {speedup:.2f} | {share:.2f} | {ratios[0]:.2f} | {ratios[1]:.2f} |',
                  flush=True)


if __name__ == '__main__':
    main()
