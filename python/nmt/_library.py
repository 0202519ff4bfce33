"""The C interface (nmt/nmt.h), declared for ctypes."""
import ctypes
import os
import pathlib
import re
from ctypes import POINTER, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64

_NAME = "libnmt.so.0.1"  # whose structures these are
SPLITS = ("model", "none", "sentences")


class NmtError(RuntimeError):
    """An error of nmt, described in one line."""


class OpenOptions(ctypes.Structure):
    _fields_ = [("version", c_uint32), ("threads", c_int32), ("callers", c_int32), ("int8", c_int32),
                ("device", c_char_p), ("ensemble", POINTER(c_char_p)), ("num_ensemble", c_size_t),
                ("language_model", c_char_p), ("language_model_weight", c_double), ("terms", c_char_p),
                ("shortlist", c_char_p)]


class TranslateOptions(ctypes.Structure):
    _fields_ = [("version", c_uint32), ("split", c_int32), ("beam_size", c_int64), ("n_best", c_int64),
                ("length_penalty", c_double), ("max_length", c_int64), ("min_length", c_int64),
                ("max_length_ratio", c_double), ("batch_size", c_int64), ("no_repeat_ngram", c_int64),
                ("coverage_penalty", c_double), ("temperature", c_double), ("top_k", c_int64), ("top_p", c_double),
                ("seed", c_uint64), ("sample", c_int32), ("attention", c_int32), ("words", c_int32)]


class Link(ctypes.Structure):
    _fields_ = [("source", c_int64), ("target", c_int64)]


class CandidateView(ctypes.Structure):
    _fields_ = [("text", c_char_p), ("score", c_double), ("log_probability", c_double), ("confidence", c_double),
                ("num_tokens", c_size_t), ("tokens", POINTER(c_char_p)), ("token_log_probabilities", POINTER(c_double)),
                ("attention_rows", c_size_t), ("attention_columns", c_size_t), ("attention", POINTER(c_float)),
                ("num_words", c_size_t), ("words", POINTER(c_char_p)), ("word_log_probabilities", POINTER(c_double)),
                ("num_links", c_size_t), ("alignment", POINTER(Link)), ("num_warnings", c_size_t),
                ("warnings", POINTER(c_char_p))]


class TranslationView(ctypes.Structure):
    _fields_ = [("num_candidates", c_size_t), ("candidates", POINTER(POINTER(CandidateView))),
                ("num_source_tokens", c_size_t), ("source_tokens", POINTER(c_char_p)),
                ("num_source_words", c_size_t), ("source_words", POINTER(c_char_p))]


def _path_of_library() -> str:
    """The library: NMT_LIBRARY, or the one installed with this module, or the system's."""
    named = os.environ.get("NMT_LIBRARY")
    if named:
        return named
    folders = pathlib.Path(__file__).resolve().parents  # nmt, dist-packages, python3, lib
    installed = len(folders) > 3 and folders[1].name in ("dist-packages", "site-packages")
    beside = [*folders[3].glob(_NAME), *folders[3].glob(f"*/{_NAME}")] if installed else []
    return str(beside[0]) if beside else _NAME


def _load() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(_path_of_library())
    except OSError as error:
        raise NmtError(f"{error}; install libnmt0.1, or name libnmt.so in NMT_LIBRARY") from None
    handle = ctypes.c_void_p
    for name, result, arguments in (
            ("nmt_init_open_options", None, [POINTER(OpenOptions)]),
            ("nmt_init_translate_options", None, [POINTER(TranslateOptions)]),
            ("nmt_open", c_int, [c_char_p, POINTER(OpenOptions), POINTER(handle)]),
            ("nmt_close", None, [handle]),
            ("nmt_translate", c_int,
             [handle, POINTER(c_char_p), c_size_t, POINTER(TranslateOptions), POINTER(handle)]),
            ("nmt_get", POINTER(TranslationView), [handle, c_size_t]),
            ("nmt_free_translations", None, [handle]),
            ("nmt_score", c_int, [handle, POINTER(c_char_p), POINTER(c_char_p), c_size_t, POINTER(c_double),
                                  POINTER(c_int64)]),
            ("nmt_last_error", c_char_p, []),
            ("nmt_version", c_char_p, [])):
        function = getattr(library, name, None)
        if function is None:
            raise NmtError(f"{library._name}: not a library of nmt; name libnmt.so in NMT_LIBRARY")
        function.restype, function.argtypes = result, arguments
    return library


library = _load()


def check(status: int) -> None:
    if status != 0:
        raise NmtError(library.nmt_last_error().decode("utf-8", "replace"))


def version() -> str:
    """The version of the library."""
    return library.nmt_version().decode()


def text_list(texts, name):
    """Copies a sequence of strings to a list. Raises TypeError, beginning with `name`, for anything else."""
    try:
        if isinstance(texts, (bytes, bytearray, dict)):  # whose items would be numbers or keys
            raise TypeError
        texts = list(texts)
    except TypeError:
        raise TypeError(f"{name}: {type(texts).__name__}; use a string or a sequence of strings") from None
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"{name}[{i}]: {type(text).__name__}; use a string")
    return texts


def text_array(texts):
    """C strings for `texts`. NUL, which would end a string, and lone surrogates become U+FFFD; a surrogate that stands
    for an invalid byte ("surrogateescape") becomes that byte, which the library handles as the program does."""
    return (c_char_p * len(texts))(*(
        re.sub("[\0\ud800-\udc7f\udd00-\udfff]", "\N{REPLACEMENT CHARACTER}", text).encode("utf-8", "surrogateescape")
        for text in texts))
