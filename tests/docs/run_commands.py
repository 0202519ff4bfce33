"""Runs the commands of documentation pages as a reader would: in order, as printed, with an installed nmt.

    run_commands.py SOURCE_DIR BUILD_DIR PAGE...

Each page runs in a new folder that looks like the source tree. Its ```bash blocks run in one shell that stops at
the first error, its ```python blocks with Debian's Python. A ```text block right after one of them is its output:
its lines must come in that order; runs of digits match any digits, "…" in a line any text, and a line "…" any
lines. An HTML comment on the line before a block excuses it: <!-- not run: REASON --> or <!-- varies -->.
"""

import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

PYTHON = "/usr/bin/python3"
BLOCK = re.compile(r"(?:<!-- *(?P<comment>[^\n]*?) *-->\n)?^```(?P<kind>\w*)\n(?P<code>.*?)^```$", re.M | re.S)
SHARED = ("data", "examples", "configs", "docs", "src")


def masked(line):
    return re.sub(r"\s+", " ", re.sub(r"[\d.,:]*\d", "#", line)).strip()


def missing_line(expected, output):
    """The first line of `expected` that `output` does not have after the lines before it, or None."""
    lines = iter([masked(line) for line in output.splitlines()])
    for line in expected.splitlines():
        if line.strip() in ("", "…"):
            continue
        pattern = ".*".join(re.escape(part) for part in masked(line).split("…"))
        if not any(re.fullmatch(pattern, found) for found in lines):
            return line
    return None


def steps_of(text):
    """(kind, code, expected output) of each block that runs. Prints why others do not."""
    steps = []
    end = 0
    for block in BLOCK.finditer(text):
        comment, kind = block["comment"] or "", block["kind"]
        if kind in ("bash", "python"):
            if comment.startswith("not run:"):
                print(f"  {comment}: {block['code'].splitlines()[0]}")
            else:
                steps.append([kind, block["code"], ""])
        elif kind == "text" and steps and not text[end:block.start()].strip() and comment != "varies":
            steps[-1][2] = block["code"]
        end = block.end()
    return steps


def environment(prefix):
    library = prefix / "lib" / f"{platform.machine()}-linux-gnu"
    env = dict(os.environ)
    for name, folder in (("PATH", prefix / "bin"), ("CPATH", prefix / "include"), ("LIBRARY_PATH", library),
                         ("LD_LIBRARY_PATH", library), ("PYTHONPATH", prefix / "lib/python3/dist-packages")):
        env[name] = f"{folder}:{env[name]}" if env.get(name) else str(folder)
    return env


def make_tree(root, folder):
    for name in SHARED:
        (folder / name).symlink_to(root / name)
    (folder / "models").mkdir()
    (folder / "models/sample").symlink_to(root / "models/sample")


def script_of(steps, folder):
    """One shell for all blocks; the output of each goes to a file."""
    script = "set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n"
    for number, (kind, code, _) in enumerate(steps):
        if kind == "python":
            (folder / f"step{number}.py").write_text(code, encoding="utf-8")
            code = f"{PYTHON} step{number}.py\n"
        script += f"exec >output{number} 2>&1\n{code}"
    return script


def mistakes_of(steps, folder, env):
    code = subprocess.run(["bash", "-c", script_of(steps, folder)], cwd=folder, env=env, check=False).returncode
    outputs = [folder / f"output{number}" for number in range(len(steps))]
    done = [path.read_text(encoding="utf-8") for path in outputs if path.exists()]
    if code != 0:
        return [f"failed with {code}:\n{steps[len(done) - 1][1]}{done[-1]}"]
    found = []
    for (_, commands, expected), output in zip(steps, done):
        line = missing_line(expected, output)
        if line is not None:
            found.append(f"this line does not come:\n{line}\nfrom:\n{commands}which printed:\n{output}")
    return found


def main():
    root, build, *pages = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    mistakes = 0
    with tempfile.TemporaryDirectory() as scratch:
        prefix = pathlib.Path(scratch) / "prefix"
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        for number, page in enumerate(pages):
            print(page.relative_to(root))
            folder = pathlib.Path(scratch) / str(number)
            folder.mkdir()
            make_tree(root, folder)
            steps = steps_of(page.read_text(encoding="utf-8"))
            found = mistakes_of(steps, folder, environment(prefix))
            print("\n".join(found) if found else f"  {len(steps)} blocks run as printed")
            mistakes += len(found)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
