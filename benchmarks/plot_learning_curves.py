#!/usr/bin/env python3
"""Plots validation BLEU of training runs against wall time as SVG.

plot_learning_curves.py NAME=MODEL_DIR ... [--level 33] -o curves.svg
"""

import argparse
import html
import json
from pathlib import Path

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 52, 40, 40, 48
COLOURS = ["#2a78d6", "#1baf7a", "#eb6834", "#4a3aa7"]

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


def read_curve(model_dir):
    """[(minutes, BLEU)] of all validations."""
    lines = Path(model_dir, "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [(row["seconds"] / 60, row["bleu"]) for row in rows if row["type"] == "validation"]


def tick_step(largest):
    for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100):
        if largest / step <= 9:
            return step
    return largest / 8


def draw(curves, level):
    most_minutes = max(minutes for curve in curves.values() for minutes, _ in curve) * 1.02
    most_bleu = max(max(bleu for curve in curves.values() for _, bleu in curve), level or 0) * 1.12

    def x(minutes):
        return LEFT + minutes / most_minutes * (WIDTH - LEFT - RIGHT)

    def y(bleu):
        return HEIGHT - BOTTOM - bleu / most_bleu * (HEIGHT - TOP - BOTTOM)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
             f"<style>{STYLE}</style>", f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}"/>',
             f'<text class="title" x="{LEFT}" y="24">Validation BLEU against wall time</text>']
    step = tick_step(most_bleu)
    for i in range(int(most_bleu / step) + 1):
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(i * step):.1f}" '
                     f'y2="{y(i * step):.1f}"/><text x="{LEFT - 8}" y="{y(i * step) + 4:.1f}" '
                     f'text-anchor="end">{i * step:g}</text>')
    step = tick_step(most_minutes)
    for i in range(int(most_minutes / step) + 1):
        parts.append(f'<text x="{x(i * step):.1f}" y="{HEIGHT - BOTTOM + 20}" '
                     f'text-anchor="middle">{i * step:g}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" '
                 'text-anchor="middle">minutes</text>')
    if level:
        parts.append(f'<line class="level" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(level):.1f}" '
                     f'y2="{y(level):.1f}"/>')
    for (name, curve), colour in zip(curves.items(), COLOURS):
        points = " ".join(f"{x(minutes):.1f},{y(bleu):.1f}" for minutes, bleu in curve)
        parts.append(f'<polyline class="curve" stroke="{colour}" points="{points}"/>')
        for minutes, bleu in curve:
            parts.append(f'<circle cx="{x(minutes):.1f}" cy="{y(bleu):.1f}" r="3.5" fill="{colour}">'
                         f"<title>{html.escape(name)}: {minutes:.2f} min, BLEU {bleu:.2f}</title>"
                         "</circle>")
        minutes, bleu = curve[-1]
        parts.append(f'<text x="{x(minutes):.1f}" y="{y(bleu) - 10:.1f}" text-anchor="middle">'
                     f"{html.escape(name)}</text>")
    return "\n".join(parts + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+", metavar="NAME=MODEL_DIR")
    parser.add_argument("--level", type=float, help="BLEU score to mark with a line")
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args()
    curves = {}
    for run in options.runs:
        name, model_dir = run.split("=", 1)
        curves[name] = read_curve(model_dir)
    Path(options.output).write_text(draw(curves, options.level), encoding="utf-8")


if __name__ == "__main__":
    main()
