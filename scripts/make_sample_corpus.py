#!/usr/bin/env python3
"""Generates data/sample: 20,000 training, 1,000 validation and 1,000 test pairs, Korean to English.

    scripts/make_sample_corpus.py            writes the files
    scripts/make_sample_corpus.py --check    fails unless the files match
    scripts/make_sample_corpus.py --show 20  prints some pairs

scripts/sample_corpus contains a grammar of both languages and a lexicon of a few hundred words,
written for this project. The output depends only on the seed. No sentence of either language occurs
twice, so no test sentence occurs in training.
"""

import argparse
import collections
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "sample_corpus"))
from grammar import STYLES  # noqa: E402
from sentences import KINDS, Sentences  # noqa: E402

SPLITS = (("train", 20000), ("valid", 1000), ("test", 1000))
FOLDER = pathlib.Path(__file__).parent.parent / "data" / "sample"


def finished(korean, english):
    """Capital letters and final marks."""
    if not korean.endswith("?"):
        korean, english = korean + ".", english + "."
    return korean, english[0].upper() + english[1:]


def generate(count, seed):
    rng = random.Random(seed)
    sentences = Sentences(rng)
    names = [name for name, weight in KINDS for _ in range(weight)]
    pairs, seen_korean, seen_english = [], set(), set()
    kinds = collections.Counter()
    while len(pairs) < count:
        kind, style = rng.choice(names), rng.choice(STYLES)
        made = getattr(sentences, kind)(style)
        if made is None:
            continue
        korean, english = finished(*made)
        lengths = len(korean.split()), len(english.split())
        if min(lengths) < 3 or max(lengths) > 20 or korean in seen_korean or english in seen_english:
            continue
        seen_korean.add(korean)
        seen_english.add(english)
        kinds[kind] += 1
        pairs.append((korean, english))
    return pairs, kinds


def contents(pairs):
    files, start = {}, 0
    for name, size in SPLITS:
        part = pairs[start:start + size]
        start += size
        files[name + ".ko"] = "".join(korean + "\n" for korean, _ in part)
        files[name + ".en"] = "".join(english + "\n" for _, english in part)
    return files


def report(pairs, kinds):
    for side, name in ((0, "Korean"), (1, "English")):
        words = collections.Counter(word.strip(".,?") for pair in pairs for word in pair[side].split())
        mean = sum(words.values()) / len(pairs)
        print(f"{name}: {len(words)} distinct words, {mean:.1f} per sentence", file=sys.stderr)
    print(dict(kinds.most_common()), file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the existing files in place of writing")
    parser.add_argument("--show", type=int, default=0, help="print this many pairs in place of writing")
    arguments = parser.parse_args()
    pairs, kinds = generate(sum(size for _, size in SPLITS), seed=20)
    if arguments.show:
        for korean, english in pairs[:arguments.show]:
            print(f"{korean}\t{english}")
        report(pairs, kinds)
        return 0
    for name, text in contents(pairs).items():
        path = FOLDER / name
        if arguments.check:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                print(f"{path}: differs from the generated text; restore it, or run without --check", file=sys.stderr)
                return 1
        else:
            FOLDER.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    report(pairs, kinds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
