"""Training and evaluation with the nmt program."""
import itertools
import json
import os
import pathlib
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

from nmt._library import NmtError

Path = Union[str, "os.PathLike[str]"]
Pair = Tuple[Path, Path]

_POLL_SECONDS = 0.2


def _program() -> str:
    """The program: NMT_PROGRAM, or the one installed with this module, or the one on the PATH."""
    folders = pathlib.Path(os.path.realpath(__file__)).parents  # nmt, dist-packages, python3, lib, the tree
    installed = folders[1].name in ("dist-packages", "site-packages") and shutil.which("nmt", path=str(folders[4] / "bin"))
    named = os.environ.get("NMT_PROGRAM")
    program = shutil.which(named) if named else installed or shutil.which("nmt")
    if not program:
        raise NmtError(f"{named or 'nmt'}: no such program; install it, or name it in NMT_PROGRAM")
    return program


def _message(returncode: int, errors: str) -> str:
    """Why the program ended, in one line: the last error line that it wrote."""
    if returncode < 0:
        return f"nmt: ended by signal {-returncode} ({signal.strsignal(-returncode)})"
    lines = errors.strip().splitlines()
    named = [line[len("nmt: "):] for line in lines if line.startswith("nmt: ")]
    return (named or lines or ["nmt failed without a message"])[-1]


@dataclass(frozen=True)
class TrainingRun:
    """A finished run."""
    model: pathlib.Path
    summary: Dict[str, Any]                                         # training.json
    metrics: List[Dict[str, Any]] = field(repr=False, default_factory=list)  # metrics.jsonl


class _Metrics:
    """Reads the lines of metrics.jsonl as they are written, without those of earlier runs."""

    def __init__(self, path: pathlib.Path) -> None:
        self._path = path
        self._lines = self._complete_lines()

    def _complete_lines(self) -> List[bytes]:
        try:
            content = self._path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return []
        return content[:content.rfind(b"\n") + 1].splitlines()

    def read(self, watch: Optional[Callable[[Dict[str, Any]], None]]) -> None:
        """Passes new lines to `watch`. A resumed run may truncate the file before it appends, and --overwrite replaces
        it, possibly with the same inode, so lines count as new from the first one that differs."""
        if not watch:
            return
        known, self._lines = self._lines, self._complete_lines()
        num_kept = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(known, self._lines)))
        for line in self._lines[num_kept:]:
            watch(json.loads(line))

    def all(self) -> List[Dict[str, Any]]:
        return [json.loads(line) for line in self._complete_lines()]


def _text_of_setting(value: Any) -> str:
    """A setting's value in the form of the command line."""
    if isinstance(value, (list, tuple)):
        return json.dumps([_text_of_setting(item) for item in value], ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)


def train(train_sets: Union[Pair, List[Pair]], model: Path, *, valid_sets: Optional[Pair] = None,
          config: Optional[Path] = None, settings: Optional[Mapping[str, Any]] = None,
          watch: Optional[Callable[[Dict[str, Any]], None]] = None, overwrite: bool = False,
          options: Optional[List[str]] = None) -> TrainingRun:
    """Trains a model on files of parallel sentences, as `nmt train` does, and waits for the end.

    train_sets: (source file, target file), or a list of such tuples. settings: {"model.hidden_size": 320}; a
    value may be a list. watch: receives each line of metrics.jsonl, of type "train" or "validation", as it is
    written; lines of earlier runs are only in the result. options: more flags; ["--resume", "--accept-changes"] and
    a higher limit continue a finished run. The same call resumes an interrupted run. If the Python process is killed,
    training continues. Raises NmtError.
    """
    pairs = [train_sets] if isinstance(train_sets, tuple) else list(train_sets)
    if any(isinstance(pair, (str, os.PathLike)) or len(pair) != 2 for pair in pairs):
        raise ValueError("train_sets: use a (source, target) tuple, or a list of them")
    command = [_program(), "train", "--model-dir", os.fspath(model)]
    for source, target in pairs:
        command += ["--train-sets", os.fspath(source), os.fspath(target)]
    if valid_sets:
        command += ["--valid-sets", *map(os.fspath, valid_sets)]
    if config:
        command += ["--config", os.fspath(config)]
    for name, value in (settings or {}).items():
        command += ["--" + name.replace("_", "-"), _text_of_setting(value)]
    if overwrite:
        command.append("--overwrite")
    command += options or []
    folder = pathlib.Path(model)
    metrics = _Metrics(folder / "metrics.jsonl")
    # A session of its own keeps the terminal's Ctrl-C from the program. It gets only the signal sent here: a second
    # one would kill it before the run is saved.
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True, encoding="utf-8", errors="replace", start_new_session=True)
    try:
        errors = _wait(process, lambda: metrics.read(watch))
    except BaseException:
        process.terminate()  # which saves the run
        try:
            process.communicate()
        except KeyboardInterrupt:
            process.terminate()  # a second Ctrl-C does not wait for that
        raise
    metrics.read(watch)
    if process.returncode != 0:
        raise NmtError(_message(process.returncode, errors))
    return TrainingRun(folder, json.loads((folder / "training.json").read_text(encoding="utf-8")), metrics.all())


def _wait(process: "subprocess.Popen[str]", poll: Callable[[], None]) -> str:
    while True:
        try:
            return process.communicate(timeout=_POLL_SECONDS)[1]
        except subprocess.TimeoutExpired:
            poll()


def evaluate(reference: Path, *, hypothesis: Optional[Path] = None, model: Optional[Path] = None,
             source: Optional[Path] = None, options: Optional[List[str]] = None) -> Dict[str, Any]:
    """BLEU, chrF2, TER and, of a model, perplexity: what `nmt evaluate --json` prints.

    Either hypothesis, a file of translations, or model and source. options: more flags, such as
    ["--tokenize", "intl"]. Raises NmtError.
    """
    command = [_program(), "evaluate", "--json", "--reference", os.fspath(reference)]
    if hypothesis is not None:
        command += ["--hypothesis", os.fspath(hypothesis)]
    if model is not None:
        command += ["--model-dir", os.fspath(model)]
    if source is not None:
        command += ["--source", os.fspath(source)]
    result = subprocess.run(command + (options or []), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            encoding="utf-8", errors="replace", check=False)
    if result.returncode != 0:
        raise NmtError(_message(result.returncode, result.stderr))
    return json.loads(result.stdout)
