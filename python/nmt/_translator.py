"""Translation in this process, by the shared library."""
import contextlib
import ctypes
import math
import operator
import os
import re
import threading
from dataclasses import dataclass, field
from typing import Iterator, List, Optional, Sequence, Tuple, Union, overload

import numpy as np

from nmt._library import SPLITS, NmtError, OpenOptions, TranslateOptions, check, library, text_array, text_list

Path = Union[str, "os.PathLike[str]"]

_WINDOW_BATCHES = 16  # of one call of the library, as of `nmt translate`; between two of them Python sees Ctrl-C
_BATCH = 64             # the library's default for translating, and its size for scoring
_LINE_CHARACTERS = 100  # of a usual line; lines with many sentences make more batches


@dataclass(frozen=True)
class Candidate:
    """A translation of one line."""
    text: str
    score: float                        # length-normalized log-probability, by which candidates are ranked
    log_probability: float              # natural log, end of sentence included
    confidence: Optional[float]         # 0 to 1; None where nmt/translator.h says so
    tokens: List[str]
    # Empty, and attention None, for a line that the model does not read: empty, without letters or only addresses.
    # Arrays are excluded from ==, since comparing them does not yield a single truth value.
    token_log_probabilities: np.ndarray = field(compare=False)  # [tokens + 1], the last for the end of sentence
    # With attention=True: [tokens + 1, source tokens]. None for over 2048 source tokens or a model without attention.
    attention: Optional[np.ndarray] = field(compare=False)
    words: List[str]                          # this and what follows with words=True
    word_log_probabilities: np.ndarray = field(compare=False)   # [words + 1]; empty for an empty line
    alignment: List[Tuple[int, int]]          # (source word, target word), from 0
    warnings: List[str]


@dataclass(frozen=True)
class Translation:
    """The translation of one line: its candidates, best first, and its source."""
    candidates: List[Candidate]
    source_tokens: List[str]
    source_words: List[str]

    @property
    def text(self) -> str:
        """The text of the best candidate."""
        return self.candidates[0].text


@dataclass(frozen=True)
class PairScore:
    """The natural-log probability of a target given its source, and its number of tokens, end of sentence included.

    The log-probability of a text as the translation of an empty source is -inf.
    """
    log_probability: float
    num_tokens: int


def _c_string(name: str, text: bytes) -> bytes:
    if b"\0" in text:  # where C would end it
        raise ValueError(f"{name}: {text!r} contains a NUL byte; remove it")
    return text


def _path(name: str, path: Path) -> bytes:
    try:
        encoded = os.fsencode(path)
    except TypeError:
        raise TypeError(f"{name}: {type(path).__name__}; use a path") from None
    if not encoded:
        raise ValueError(f"{name}: is empty; use a path")
    return _c_string(name, encoded)


def _optional_path(name: str, path: Optional[Path]) -> Optional[bytes]:
    return None if path is None else _path(name, path)


def _set_option(options: ctypes.Structure, name: str, value) -> None:
    is_int = isinstance(getattr(options, name), int)
    try:
        value = operator.index(value) if is_int else value
        setattr(options, name, value)
    except TypeError:
        raise TypeError(f"{name}: {type(value).__name__}; use {'an int' if is_int else 'a float'}") from None
    except OverflowError:
        raise ValueError(f"{name}: {value} is out of range") from None
    if isinstance(value, int) and getattr(options, name) != value:  # ctypes keeps the low bits
        raise ValueError(f"{name}: {value} is out of range")


def _require_effects(options: TranslateOptions) -> None:
    """Raises ValueError for options that would be ignored."""
    defaults = TranslateOptions()
    library.nmt_init_translate_options(defaults)
    if options.sample and options.beam_size != defaults.beam_size:
        raise ValueError("beam_size: has no effect with sample; leave it out")
    for name in ("temperature", "top_k", "top_p"):
        if not options.sample and getattr(options, name) != getattr(defaults, name):
            raise ValueError(f"{name}: has no effect without sample; pass sample=True")


def _windows(lines: List[str], batch_size: int) -> Iterator[slice]:
    """The slices of `lines` for separate calls of the library; a single empty one if there are no lines."""
    max_lines = _WINDOW_BATCHES * min(max(batch_size, 1), _BATCH)
    begin = characters = 0
    for end, line in enumerate(lines, 1):
        characters += len(line)
        if end - begin == max_lines or characters >= max_lines * _LINE_CHARACTERS:
            yield slice(begin, end)
            begin, characters = end, 0
    if begin < len(lines) or not lines:
        yield slice(begin, len(lines))


@contextlib.contextmanager
def _lines_counted_from(before: int) -> Iterator[None]:
    """Adds `before` to the line numbers in NmtErrors, which the library counts within a window."""
    try:
        yield
    except NmtError as error:
        raise NmtError(re.sub(r"^line (\d+)", lambda line: f"line {before + int(line[1])}", str(error))) from None


def _texts(pointer, count: int) -> List[str]:
    return [text.decode("utf-8") for text in pointer[:count]] if count else []


def _array(pointer, count: int, dtype) -> np.ndarray:
    """Copies C numbers to an array; faster than numpy.ctypeslib for the few numbers of a sentence."""
    if count == 0 or not pointer:
        return np.zeros(0, dtype)
    return np.frombuffer(bytearray(ctypes.string_at(pointer, count * np.dtype(dtype).itemsize)), dtype)


def _candidate(view) -> Candidate:
    rows, columns = view.attention_rows, view.attention_columns
    return Candidate(
        text=view.text.decode("utf-8"),
        score=view.score,
        log_probability=view.log_probability,
        confidence=None if math.isnan(view.confidence) else view.confidence,
        tokens=_texts(view.tokens, view.num_tokens),
        token_log_probabilities=_array(view.token_log_probabilities,
                                       view.num_tokens + 1 if view.token_log_probabilities else 0, np.float64),
        attention=_array(view.attention, rows * columns, np.float32).reshape(rows, columns) if rows else None,
        words=_texts(view.words, view.num_words),
        word_log_probabilities=_array(view.word_log_probabilities,
                                      view.num_words + 1 if view.word_log_probabilities else 0, np.float64),
        alignment=[(view.alignment[i].source, view.alignment[i].target) for i in range(view.num_links)],
        warnings=_texts(view.warnings, view.num_warnings))


def _translation(view) -> Translation:
    return Translation(
        candidates=[_candidate(view.candidates[i].contents) for i in range(view.num_candidates)],
        source_tokens=_texts(view.source_tokens, view.num_source_tokens),
        source_words=_texts(view.source_words, view.num_source_words))


class Translator:
    """A trained model, ready to translate; threads may share it.

    model: a model directory or packed file; several are an ensemble. threads: 0 is one for each core. callers:
    maximum concurrent calls, which share the threads; further ones wait. 0, one per thread, suits programs whose
    threads translate one line each. precision: "float32" or "int8". Raises NmtError.
    """

    def __init__(self, model: Union[Path, Sequence[Path]], *, threads: int = 0, callers: int = 1,
                 device: str = "cpu", precision: str = "float32", language_model: Optional[Path] = None,
                 language_model_weight: float = 0.2, terms: Optional[Path] = None,
                 shortlist: Optional[Path] = None) -> None:
        self._handle = ctypes.c_void_p()
        self._process = os.getpid()
        self._closed = False
        self._callers: List[int] = []  # threads that the library works for
        self._idle = threading.Condition()
        if precision not in ("float32", "int8"):
            raise ValueError(f"precision: {precision!r} is none of float32, int8")
        try:
            models = [model] if isinstance(model, (str, bytes, os.PathLike)) else list(model)
        except TypeError:
            raise TypeError(f"model: {type(model).__name__}; use a path or several") from None
        if not models:
            raise ValueError("model: is empty")
        options = OpenOptions()
        library.nmt_init_open_options(options)
        _set_option(options, "threads", threads)
        _set_option(options, "callers", callers)
        options.int8 = precision == "int8"
        default_weight = options.language_model_weight
        _set_option(options, "language_model_weight", language_model_weight)
        if language_model is None and options.language_model_weight != default_weight:
            raise ValueError("language_model_weight: has no effect without language_model; pass one")
        if not isinstance(device, str):
            raise TypeError(f"device: {type(device).__name__}; use a string")
        options.device = _c_string("device", device.encode())
        first, *others = [_path("model", path) for path in models]
        options.ensemble = (ctypes.c_char_p * len(others))(*others)
        options.num_ensemble = len(others)
        options.language_model = _optional_path("language_model", language_model)
        options.terms = _optional_path("terms", terms)
        options.shortlist = _optional_path("shortlist", shortlist)
        check(library.nmt_open(first, options, self._handle))

    def close(self) -> None:
        """Frees the model. Waits for calls in other threads; those for long lists stop early with NmtError."""
        if self._is_inherited():
            return
        with self._idle:
            self._closed = True
            self._idle.wait_for(lambda: all(thread == threading.get_ident() for thread in self._callers))
            handle, self._handle = self._handle, ctypes.c_void_p()
        library.nmt_close(handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):  # no call is running: it would refer to self
            library.nmt_close(self._handle)

    def __reduce__(self):
        """Prevents copy and pickle: a second owner of the model would free it twice."""
        raise TypeError("a Translator cannot be copied; threads may share it")

    def __enter__(self) -> "Translator":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    @overload
    def translate(self, lines: str, **options) -> Translation: ...

    @overload
    def translate(self, lines: Sequence[str], **options) -> List[Translation]: ...

    def translate(self, lines, *, beam_size: int = 5, n_best: int = 1, split: str = "model", attention: bool = False,
                  words: bool = False, **options):
        """Translates a line, or each of several. Other options are those of `nmt translate`: length_penalty,
        max_length, min_length, max_length_ratio, batch_size, no_repeat_ngram, coverage_penalty, sample,
        temperature, top_k, top_p, seed. Raises NmtError; TypeError for an unknown option and for lines that are not
        strings; ValueError for temperature, top_k and top_p without sample, and for beam_size with it."""
        if isinstance(lines, str):
            return self.translate([lines], beam_size=beam_size, n_best=n_best, split=split, attention=attention,
                                  words=words, **options)[0]
        if split not in SPLITS:
            raise ValueError(f"split: {split!r} is none of {', '.join(SPLITS)}")
        lines = text_list(lines, "lines")
        chosen = TranslateOptions()
        library.nmt_init_translate_options(chosen)
        known = {name for name, _ in TranslateOptions._fields_} - {"version"}
        options.update(beam_size=beam_size, n_best=n_best, split=SPLITS.index(split), attention=attention, words=words)
        for name, value in options.items():
            if name not in known:
                raise TypeError(f"translate: unknown option {name!r}; known are {', '.join(sorted(known))}")
            _set_option(chosen, name, value)
        _require_effects(chosen)
        translations: List[Translation] = []
        for window in _windows(lines, chosen.batch_size):  # of no lines too: the library checks options
            with _lines_counted_from(window.start):
                translations += self._translate_window(lines[window], chosen)
        return translations

    def _translate_window(self, lines: List[str], options: TranslateOptions) -> List[Translation]:
        result = ctypes.c_void_p()
        try:
            with self._call():
                check(library.nmt_translate(self._handle, text_array(lines), len(lines), options, result))
            return [_translation(library.nmt_get(result, i).contents) for i in range(len(lines))]
        finally:
            library.nmt_free_translations(result)

    @overload
    def score(self, sources: str, targets: str) -> PairScore: ...

    @overload
    def score(self, sources: Sequence[str], targets: Sequence[str]) -> List[PairScore]: ...

    def score(self, sources, targets):
        """Scores a target as the translation of its source, or each of several. Raises NmtError."""
        if isinstance(sources, str) != isinstance(targets, str):
            raise TypeError("score: one side is a string; use two strings or two lists")
        if isinstance(sources, str):
            return self.score([sources], [targets])[0]
        sources, targets = text_list(sources, "sources"), text_list(targets, "targets")
        if len(sources) != len(targets):
            raise ValueError(f"{len(sources)} sources and {len(targets)} targets; one of each is a pair")
        scores: List[PairScore] = []
        for window in _windows(sources, _BATCH):  # of no pairs too: a closed translator is an error
            with _lines_counted_from(window.start):
                scores += self._score_window(sources[window], targets[window])
        return scores

    def _score_window(self, sources: List[str], targets: List[str]) -> List[PairScore]:
        log_probabilities = (ctypes.c_double * len(sources))()
        num_tokens = (ctypes.c_int64 * len(sources))()
        with self._call():
            check(library.nmt_score(self._handle, text_array(sources), text_array(targets), len(sources),
                                    log_probabilities, num_tokens))
        return [PairScore(*pair) for pair in zip(log_probabilities, num_tokens)]

    def _is_inherited(self) -> bool:
        """Whether this is a child of fork(), which lacks the threads that would answer or release the lock."""
        return os.getpid() != self._process

    @contextlib.contextmanager
    def _call(self) -> Iterator[None]:
        """Registers a library call, so that close() waits for it. Raises NmtError if closed or inherited by a fork."""
        if self._is_inherited():
            raise NmtError("the translator was made before fork; make another one in this process")
        with self._idle:
            if self._closed:
                raise NmtError("the translator is closed")
            self._callers.append(threading.get_ident())
        try:
            yield
        finally:
            with self._idle:
                self._callers.remove(threading.get_ident())
                self._idle.notify_all()
