#!/usr/bin/env python3
"""Measures how much slower Python translates than C++: CPU time for the same lines, beam 5, in batches
of 64, alternately.

benchmarks/python_bindings.py MODEL FILE [--build build/dev] [--threads 1] [--rounds 7]
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def seconds_of(call):
    begin = time.process_time()
    call()
    return time.process_time() - begin


def main():
    parser = argparse.ArgumentParser(description=' '.join(__doc__.split('\n\n')[0].split()))
    parser.add_argument('model')
    parser.add_argument('file', type=pathlib.Path)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/dev')
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--rounds', type=int, default=7)
    options = parser.parse_args()
    os.environ['NMT_LIBRARY'] = str(options.build / 'libnmt.so')
    sys.path.insert(0, str(ROOT / 'python'))
    import nmt

    lines = options.file.read_text(encoding='utf-8').splitlines()
    translator = nmt.Translator(options.model, threads=options.threads)
    cpp = subprocess.Popen(
        [options.build / 'bin/translator_times', options.model, options.file, str(options.threads)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def cpp_seconds():
        print(file=cpp.stdin, flush=True)
        return float(cpp.stdout.readline())

    ways = {'C++': cpp_seconds, 'Python': lambda: seconds_of(lambda: translator.translate(lines))}
    for time_once in ways.values():  # warm up
        time_once()
    rounds = [{way: time_once() for way, time_once in ways.items()} for _ in range(options.rounds)]
    fastest = {way: min(times[way] for times in rounds) for way in ways}
    for way, seconds in fastest.items():
        print(f'{way:8}{len(lines) / seconds:10.0f} lines per CPU second')
    ratios = [times['Python'] / times['C++'] for times in rounds]
    print(f'Python needs {fastest["Python"] / fastest["C++"]:.3f} times the CPU time in the fastest rounds, '
          f'{statistics.median(ratios):.3f} in the median')


main()
