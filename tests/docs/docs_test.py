#!/usr/bin/env python3
"""Checks the documentation against the tree and the program.

docs_test.py ROOT NMT [NMT_BENCH]: every link leads somewhere, every path, flag and setting that a page
names exists, and every command line in a page uses only flags of its command.
"""
import pathlib
import re
import subprocess
import sys

PATHS = re.compile(r"(?:src|tests|docs|scripts|configs|benchmarks|cmake|examples|data/sample|models/sample|\.ci)"
                   r"(?:/[\w.*-]+)+")
SETTING = re.compile(r"((?:data|vocab|model|train|validation)\.[a-z0-9_]+\*?)(?::.*)?")
FILES = {"model.safetensors", "train.ko", "train.en"}  # which look like settings
FOREIGN_PAGE = "coming-from.md"  # where flags that stand alone are those of other toolkits
# Of sacreBLEU, torchrun, get_corpora.sh, CMake, Slurm.
FOREIGN_FLAGS = {"--paired-bs", "--max_restarts", "--from", "--fresh", "--signal"}


class Program:
    """The commands of a program and the flags of each, from its help."""

    def __init__(self, path, name):
        self.name, self.flags = name, {}
        self.read(path, ())

    def read(self, path, command):
        text = subprocess.run([path, *command, "--help-all"], check=True, capture_output=True, text=True).stdout
        self.flags[command] = set()
        for names in re.findall(r"^ {1,4}(?:[a-z]+, )?((?:-[\w.-]+(?:, ?|))+)", text, re.M):
            self.flags[command].update(re.split(", ?", names))
        in_list = False
        for line in text.splitlines():
            if re.match(r"\S.*:$", line):
                in_list = line in ("Commands:", "Subcommands:")
            found = re.match(r" {1,4}([a-z][\w-]*)(?: |$)", line)
            if in_list and found:
                self.read(path, (*command, found.group(1)))

    def all_flags(self):
        return set().union(*self.flags.values())

    def mistakes(self, words, benchmarks):
        """What is wrong with the arguments `words`: flags that the command does not have."""
        if words[:1] == ["bench"]:  # nmt bench … is nmt-bench …
            if benchmarks:
                yield from benchmarks.mistakes(words[1:], None)
            return
        if words[:1] in (["help"], ["version"]):
            return
        command = ()
        while words and (*command, words[0]) in self.flags:
            command, words = (*command, words[0]), words[1:]
        if "--" in words:  # nmt launch … -- train …
            inner = words[words.index("--") + 1:]
            yield from self.mistakes(inner, benchmarks)
            words = words[:words.index("--")]
        if not command and words and re.fullmatch(r"[a-z]+", words[0]) and self.flags[()]:
            yield f"{self.name} has no command {words[0]}"
            return
        for word in words:
            flag = re.fullmatch(r"(--?[a-z][\w.-]*)(?:=.*)?", word)
            if flag and flag.group(1) not in self.flags[command]:
                yield f"{self.name} {' '.join(command)} has no flag {flag.group(1)}"


def slug(heading):
    """The anchor that GitHub gives a heading."""
    text = re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path):
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)}


def link_mistakes(page, text):
    for target in re.findall(r"(?:\]\(|src=\")([^)\s\"]+)", text):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name) if name else page
        if not file.exists():
            yield f"link to {target}: no such file"
        elif anchor and anchor not in anchors(file):
            yield f"link to {target}: no such heading"


def code_of(text):
    """Inline code, and lines of code blocks with their continuations joined."""
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", text, re.M | re.S)
    prose = re.sub(r"^```[^\n]*\n.*?^```", "", text, flags=re.M | re.S)
    indented = re.findall(r"^ {4}.*$", prose, re.M)
    prose = re.sub(r"^ {4}.*$", "", prose, flags=re.M)
    lines = "\n".join([*blocks, *indented]).replace("\\\n", " ").splitlines()
    return [re.sub(r"\s+", " ", span) for span in re.findall(r"`([^`]+)`", prose)], lines


def command_lines(line):
    """The words after each call of a program in a line: (name, words)."""
    line = re.sub(r"\s#\s.*", "", line)
    for part in re.split(r"&&|\|\||[|;()\"']", line):
        words = part.split()
        for i, word in enumerate(words):
            name = word.rsplit("/", 1)[-1]
            if name in ("nmt", "nmt-bench") and (i == 0 or words[i - 1] not in ("-b", "--target")):
                yield name, words[i + 1:]
                break


def settings_of(root):
    section, names = "", set()
    for line in (root / "configs/all-settings.yaml").read_text(encoding="utf-8").splitlines():
        found = re.match(r"( {2})?([a-z0-9_]+):", line)
        if found and found.group(1):
            names.add(f"{section}.{found.group(2)}")
        elif found:
            section = found.group(2)
    return names


def code_mistakes(root, programs, settings, page, spans, lines):
    flags = set().union(FOREIGN_FLAGS, *(program.all_flags() for program in programs.values()))
    for span in spans:
        if PATHS.fullmatch(span.rstrip("/")) and "NAME" not in span and not list(root.glob(span)):
            yield f"{span}: no such file"
        setting = SETTING.fullmatch(span)
        if setting and span not in FILES and not any(pathlib.PurePath(name).match(setting.group(1)) for name in settings):
            yield f"{setting.group(1)}: no such setting"
        flag = re.match(r"--[a-z][\w.-]*", span)
        if flag and flag.group(0) not in flags and page.name != FOREIGN_PAGE:
            yield f"{flag.group(0)}: no command has this flag"
    for line in [*spans, *lines]:
        for name, words in command_lines(line):
            if name in programs:
                yield from programs[name].mistakes(words, programs.get("nmt-bench"))


def example_mistakes(root, text):
    """README's C++ includes nmt's headers as the example, which is compiled as a test, does."""
    example = (root / "examples/translate/main.cpp").read_text(encoding="utf-8")
    for header in re.findall(r"^#include [<\"](\S*nmt/\S+|\S*translator\.h)[>\"]", text, re.M):
        if not re.search(rf"#include [<\"]{re.escape(header)}[>\"]", example):
            yield f"{header}: examples/translate does not include it so"


def main():
    root = pathlib.Path(sys.argv[1])
    programs = {name: Program(path, name) for name, path in zip(("nmt", "nmt-bench"), sys.argv[2:])}
    settings = settings_of(root)
    pages = [root / "README.md", root / "CONTRIBUTING.md", root / "data/README.md", root / "models/README.md",
             *sorted((root / "docs").rglob("*.md"))]
    mistakes = 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        found = [*link_mistakes(page, text), *code_mistakes(root, programs, settings, page, *code_of(text)),
                 *example_mistakes(root, text)]
        for mistake in dict.fromkeys(found):
            print(f"{page.relative_to(root)}: {mistake}")
        mistakes += len(found)
    print(f"{len(pages)} pages, {mistakes} mistakes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
