"""nmt from Python: translate with a trained model, train and evaluate.

    >>> import nmt
    >>> translator = nmt.Translator("models/sample")
    >>> translator.translate(["저는 책을 읽어요."])[0].text
    'I read a book.'

A thin layer over the shared library (nmt/nmt.h) and the program: it needs neither a compiler nor
PyTorch. Both are looked for where nmt is installed; the environment variables NMT_LIBRARY and
NMT_PROGRAM name others.
"""
from nmt._library import NmtError, version
from nmt._program import TrainingRun, evaluate, train
from nmt._translator import Candidate, PairScore, Translation, Translator

__all__ = ["Candidate", "NmtError", "PairScore", "TrainingRun", "Translation", "Translator", "evaluate", "train",
           "version"]
__version__ = version()
