#!/usr/bin/env python3
"""Plots validation BLEU of training runs against wall time or updates as SVG.

plot_learning_curves.py NAME=MODEL_DIR ... [--updates] [--level 33] -o curves.svg
"""

import argparse
import html
import itertools
import json
from pathlib import Path

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 52, 40, 40, 48
COLORS = ["#2a78d6", "#1baf7a", "#eb6834", "#4a3aa7"]

STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #52514e; }
  .title { font-weight: 600; fill: #0b0b0b; }
  .grid { stroke: #e4e3df; }
  .level { stroke: #8a8983; stroke-dasharray: 5 4; }
  .curve { fill: none; stroke-width: 2; stroke-linejoin: round; }
  .ground { fill: #fcfcfb; }
  @media (prefers-color-scheme: dark) {
    text { fill: #c3c2b7; } .title { fill: #ffffff; } .grid { stroke: #383734; }
    .ground { fill: #1a1a19; }
  }
"""


def read_curve(model_dir, updates):
    """[(minutes or updates, BLEU)] of all validations."""
    lines = Path(model_dir, "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [(row["update"] if updates else row["seconds"] / 60, row["bleu"])
            for row in rows if row["type"] == "validation"]


def tick_step(largest):
    for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000):
        if largest / step <= 9:
            return step
    return largest / 8


def draw(curves, level, updates):
    unit = "updates" if updates else "minutes"
    most_time = max(time for curve in curves.values() for time, _ in curve) * 1.02
    most_bleu = max(max(bleu for curve in curves.values() for _, bleu in curve), level or 0) * 1.12

    def x(time):
        return LEFT + time / most_time * (WIDTH - LEFT - RIGHT)

    def y(bleu):
        return HEIGHT - BOTTOM - bleu / most_bleu * (HEIGHT - TOP - BOTTOM)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
             f"<style>{STYLE}</style>", f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}"/>',
             f'<text class="title" x="{LEFT}" y="24">Validation BLEU against '
             f'{unit if updates else "wall time"}</text>']
    step = tick_step(most_bleu)
    for i in range(int(most_bleu / step) + 1):
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(i * step):.1f}" '
                     f'y2="{y(i * step):.1f}"/><text x="{LEFT - 8}" y="{y(i * step) + 4:.1f}" '
                     f'text-anchor="end">{i * step:g}</text>')
    step = tick_step(most_time)
    for i in range(int(most_time / step) + 1):
        parts.append(f'<text x="{x(i * step):.1f}" y="{HEIGHT - BOTTOM + 20}" '
                     f'text-anchor="middle">{i * step:g}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" '
                 f'text-anchor="middle">{unit}</text>')
    if level:
        parts.append(f'<line class="level" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(level):.1f}" '
                     f'y2="{y(level):.1f}"/>')
    for place, ((name, curve), color) in enumerate(zip(curves.items(), itertools.cycle(COLORS))):
        points = " ".join(f"{x(time):.1f},{y(bleu):.1f}" for time, bleu in curve)
        parts.append(f'<polyline class="curve" stroke="{color}" points="{points}"/>')
        for time, bleu in curve:
            parts.append(f'<circle cx="{x(time):.1f}" cy="{y(bleu):.1f}" r="3.5" fill="{color}">'
                         f"<title>{html.escape(name)}: {time:.6g} {unit}, BLEU {bleu:.2f}</title>"
                         "</circle>")
        line = HEIGHT - BOTTOM - 18 * (len(curves) - place) + 4
        parts.append(f'<circle cx="{WIDTH - RIGHT - 6}" cy="{line - 4}" r="3.5" fill="{color}"/>'
                     f'<text x="{WIDTH - RIGHT - 16}" y="{line}" text-anchor="end">'
                     f"{html.escape(name)}</text>")
    return "\n".join(parts + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+", metavar="NAME=MODEL_DIR")
    parser.add_argument("--updates", action="store_true", help="against updates, not minutes")
    parser.add_argument("--level", type=float, help="BLEU score to mark with a line")
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args()
    curves = {}
    for run in options.runs:
        name, model_dir = run.split("=", 1)
        curves[name] = read_curve(model_dir, options.updates)
    Path(options.output).write_text(draw(curves, options.level, options.updates), encoding="utf-8")


if __name__ == "__main__":
    main()
