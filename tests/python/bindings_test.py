"""Compares the Python module with the program: same translations, scores, attention and errors."""
import copy
import ctypes
import json
import math
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import nmt

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "models/sample"
PROGRAM = os.environ["NMT_PROGRAM"]


def lines_of(name, count):
    return (ROOT / "data/sample" / name).read_text(encoding="utf-8").splitlines()[:count]


def by_program(*arguments, text):
    return subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def translator():
    return nmt.Translator(MODEL, threads=2)


def test_translations_equal_the_program_s(translator):
    lines = lines_of("test.ko", 100)
    expected = by_program("translate", "--model-dir", MODEL, text="\n".join(lines) + "\n").splitlines()
    assert [translation.text for translation in translator.translate(lines)] == expected
    assert [translation.text for translation in translator.translate(lines, batch_size=2)] == expected  # four calls
    assert translator.translate(lines[0]).text == expected[0]
    assert translator.translate(lines[0], words=True) == translator.translate(lines[0], words=True)


def test_candidates_have_what_json_has(translator):
    lines = lines_of("test.ko", 5)
    output = by_program("translate", "--model-dir", MODEL, "--json", "--n-best", "3", text="\n".join(lines) + "\n")
    for line, translation in zip(output.splitlines(), translator.translate(lines, n_best=3, words=True)):
        expected = json.loads(line)
        assert len(translation.candidates) == 3
        for candidate, other in zip(translation.candidates, expected["candidates"]):
            assert candidate.text == other["text"]
            assert candidate.score == pytest.approx(other["score"], abs=1e-5)
            assert candidate.confidence == pytest.approx(other["confidence"], abs=1e-5)
            assert candidate.words == candidate.text.split()
            assert len(candidate.word_log_probabilities) == len(candidate.words) + 1
            assert candidate.token_log_probabilities.sum() == pytest.approx(candidate.log_probability, abs=1e-4)


def test_attention_is_a_distribution_over_the_source(translator):
    translation = translator.translate("저는 책을 읽어요.", attention=True)
    attention = translation.candidates[0].attention
    assert attention.dtype == np.float32
    assert attention.shape == (len(translation.candidates[0].tokens) + 1, len(translation.source_tokens))
    assert attention.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert translator.translate("저는 책을 읽어요.").candidates[0].attention is None


def test_scores_equal_the_program_s(translator, tmp_path):
    sources, targets = lines_of("test.ko", 20), lines_of("test.en", 20)
    (tmp_path / "s").write_text("\n".join(sources) + "\n", encoding="utf-8")
    (tmp_path / "t").write_text("\n".join(targets) + "\n", encoding="utf-8")
    expected = by_program("score", "--model-dir", MODEL, "--source", tmp_path / "s", "--target", tmp_path / "t", text="")
    scores = translator.score(sources, targets)
    assert [score.log_probability for score in scores] == pytest.approx([float(x) for x in expected.split()], abs=1e-4)
    assert all(score.num_tokens > 1 for score in scores)


def test_many_pairs_are_scored_as_few_and_errors_name_the_line(translator):
    sources, targets = lines_of("test.ko", 100) * 11, lines_of("test.en", 100) * 11  # two calls
    scores = [score.log_probability for score in translator.score(sources, targets)]
    assert scores == pytest.approx(scores[:100] * 11, abs=1e-4)
    sources[1050] = "책 " * 2100
    with pytest.raises(nmt.NmtError, match="^line 1051: .* source tokens, more than the maximum"):
        translator.score(sources, targets)


def test_options_reach_the_search(translator):
    sentence = "저는 책을 읽어요."
    sample = dict(sample=True, seed=3, temperature=2.0)
    first = translator.translate(sentence, **sample).text
    assert first == translator.translate(sentence, **sample).text != "I read a book."
    assert first != translator.translate(sentence, **{**sample, "seed": 4}).text
    assert translator.translate(sentence, max_length=2).candidates[0].tokens != []
    assert len(translator.translate(sentence, max_length=2).candidates[0].tokens) <= 2
    with pytest.raises(TypeError, match="unknown option 'beams'"):
        translator.translate(sentence, beams=3)
    with pytest.raises(nmt.NmtError, match="beam_size: 0 is out of range"):
        translator.translate(sentence, beam_size=0)
    with pytest.raises(ValueError, match="split"):
        translator.translate(sentence, split="words")


def test_numbers_that_the_library_cannot_hold_are_refused(translator):
    for name, value in (("beam_size", 2**64 + 5), ("n_best", -2**63 - 1), ("seed", -1), ("words", 2**32)):
        with pytest.raises(ValueError, match=f"{name}: {value} is out of range"):
            translator.translate("저는 책을 읽어요.", **{name: value})
    with pytest.raises(ValueError, match="threads: 4294967297 is out of range"):
        nmt.Translator(MODEL, threads=2**32 + 1)
    assert translator.translate("저는 책을 읽어요.", seed=2**64 - 1, sample=True).text


def test_numpy_s_integers_are_integers_too(translator):
    sentence = "저는 책을 읽어요."
    assert len(translator.translate(sentence, n_best=np.int32(2)).candidates) == 2
    with pytest.raises(ValueError, match="seed: -1 is out of range"):
        translator.translate(sentence, seed=np.int64(-1))
    with pytest.raises(ValueError, match="threads: 4294967298 is out of range"):
        nmt.Translator(MODEL, threads=np.int64(2**32 + 2))
    for value in (2.0, np.float64(2), "2", None):
        with pytest.raises(TypeError, match=f"n_best: {type(value).__name__}; use an int"):
            translator.translate(sentence, n_best=value)
    with pytest.raises(TypeError, match="length_penalty: str; use a float"):
        translator.translate(sentence, length_penalty="1")
    with pytest.raises(TypeError, match="language_model_weight: str; use a float"):
        nmt.Translator(MODEL, language_model_weight="1")
    with pytest.raises(ValueError, match="length_penalty: 10+ is out of range"):
        translator.translate(sentence, length_penalty=10**400)


def test_options_without_effect_are_refused(translator):
    sentence = "저는 책을 읽어요."
    for name, value in (("temperature", 0.5), ("top_k", 3), ("top_p", 0.9)):
        with pytest.raises(ValueError, match=f"{name}: has no effect without sample; pass sample=True"):
            translator.translate(sentence, **{name: value})
        assert translator.translate(sentence, sample=True, **{name: value}).candidates
    with pytest.raises(ValueError, match="beam_size: has no effect with sample; leave it out"):
        translator.translate(sentence, beam_size=3, sample=True)
    with pytest.raises(ValueError, match="language_model_weight: has no effect without language_model"):
        nmt.Translator(MODEL, language_model_weight=0.3)
    assert translator.translate(sentence, temperature=1.0, seed=3).text == "I read a book."


def test_a_translator_is_not_copied(translator):
    for make_copy in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="a Translator cannot be copied; threads may share it"):
            make_copy(translator)
    assert translator.translate("저는 책을 읽어요.").text == "I read a book."


def test_a_pair_of_strings_is_scored_as_one_sentence(translator):
    source, target = "저는 책을 읽어요.", "I read a book."
    assert translator.score(source, target) == translator.score([source], [target])[0]
    with pytest.raises(TypeError, match="two strings or two lists"):
        translator.score("저는", ["I ", "am"])


def test_what_is_no_text_is_a_type_error(translator):
    for lines, message in ((5, "lines: int; use a string or a sequence of strings"),
                           (None, "lines: NoneType; use a string or a sequence of strings"),
                           (["a", None], r"lines\[1\]: NoneType; use a string"),
                           (b"a", "lines: bytes; use a string or a sequence of strings"),
                           ({"a": 1}, "lines: dict; use a string or a sequence of strings")):
        with pytest.raises(TypeError, match=message):
            translator.translate(lines)
    with pytest.raises(TypeError, match="sources: int; use"):
        translator.score(5, ["a"])
    with pytest.raises(TypeError, match=r"targets\[0\]: float; use a string"):
        translator.score(["a"], [0.5])


def test_unusual_text(translator):
    assert translator.translate([]) == []
    assert [translation.text for translation in translator.translate(["", " "])] == ["", ""]
    assert translator.translate("책\0물").candidates  # a zero byte does not cut the line
    assert translator.translate("a\ud800b").text == translator.translate("a\ufffdb").text  # half a surrogate pair


def test_bytes_that_are_not_utf_8_are_read_as_the_program_reads_them(translator, tmp_path):
    line = b"\xec\xa0\x80\xeb\x8a\x94 \xff\xea\xb0 \xec\xb1\x85"
    (tmp_path / "in").write_bytes(line + b"\n")
    expected = by_program("translate", "--model-dir", MODEL, "--input", tmp_path / "in", text="")
    assert translator.translate(line.decode("utf-8", "surrogateescape")).text + "\n" == expected


@pytest.mark.parametrize("callers", (1, 0))
def test_ten_threads_share_a_translator(translator, callers):
    lines = lines_of("test.ko", 40)
    expected = [translation.text for translation in translator.translate(lines)]
    answers = [None] * 10
    shared = nmt.Translator(MODEL, threads=2, callers=callers)

    def work(index):
        answers[index] = [translation.text for translation in shared.translate(lines)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 10


def test_a_call_of_the_library_has_16_batches_or_as_many_characters():
    windows = nmt._translator._windows
    assert list(windows([], 64)) == [slice(0, 0)]
    for batch_size in (64, 20000):
        assert list(windows(["책"] * 2500, batch_size)) == [slice(0, 1024), slice(1024, 2048), slice(2048, 2500)]
    assert list(windows(["책"] * 32, 1)) == [slice(0, 16), slice(16, 32)]
    assert list(windows(["책" * 60000] * 3 + ["책" * 200000], 64)) == [slice(0, 2), slice(2, 4)]


def test_close_waits_for_the_call_of_another_thread(monkeypatch):
    shared, library = nmt.Translator(MODEL, threads=1), nmt._library.library
    begun, closing, events = threading.Event(), threading.Event(), []

    class Recorder:
        def __getattr__(self, name):
            return getattr(library, name)

        def nmt_translate(self, *arguments):
            begun.set()
            assert closing.wait(60)
            status = library.nmt_translate(*arguments)
            events.append("translated")
            return status

        def nmt_close(self, handle):
            events.append("freed")
            library.nmt_close(handle)

    def work():
        with pytest.raises(nmt.NmtError, match="the translator is closed"):
            shared.translate(["책"] * 17, batch_size=1)  # two calls of the library
        events.append("refused")

    wait_for = shared._idle.wait_for
    monkeypatch.setattr(shared._idle, "wait_for", lambda condition: (closing.set(), wait_for(condition)))
    monkeypatch.setattr("nmt._translator.library", Recorder())
    thread = threading.Thread(target=work)
    thread.start()
    assert begun.wait(60)
    shared.close()
    thread.join()
    assert sorted(events) == ["freed", "refused", "translated"]
    assert events.index("translated") < events.index("freed")
    shared.close()


def test_a_child_process_makes_a_translator_of_its_own():
    script = f"""
import os, signal, nmt
translator = nmt.Translator({str(MODEL)!r}, threads=2)
sentence = "저는 책을 읽어요."
translator.translate(sentence)
child = os.fork()
if child:
    status = os.waitpid(child, 0)[1]
    print(translator.translate(sentence).text)
    raise SystemExit(status != 0)
signal.alarm(100)  # rather than wait for ever
library = nmt._library.library
for work in (lambda: translator.translate(sentence), lambda: translator.score(sentence, sentence),
             lambda: nmt._library.check(library.nmt_score(translator._handle, None, None, 0, None, None))):
    try:
        work()
    except nmt.NmtError as error:
        print(error, flush=True)
translator.close()
translator = nmt.Translator({str(MODEL)!r}, threads=2)
print(translator.translate(sentence).text, flush=True)
"""
    result = subprocess.run([sys.executable, "-B", "-c", script], start_new_session=True, capture_output=True, text=True,
                            timeout=120, check=True)
    refused = "the translator was made before fork; make another one in this process"
    assert result.stdout.splitlines() == [
        refused, refused, "translator: opened before fork; open another one in this process",
        "I read a book.", "I read a book."]


@pytest.mark.parametrize("window, work", (
    ("_translate_window", lambda translator, lines: translator.translate(lines, batch_size=1)),
    ("_score_window", lambda translator, lines: translator.score(lines, lines))))
def test_ctrl_c_ends_a_long_call(translator, monkeypatch, window, work):
    lines = lines_of("test.ko", 100) * 1000
    work_on_window, windows = getattr(translator, window), []

    def counted(lines, *others):
        if not windows:
            timer.start()
        windows.append(len(lines))
        return work_on_window(lines, *others)

    monkeypatch.setattr(translator, window, counted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    try:
        with pytest.raises(KeyboardInterrupt):
            work(translator, lines)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert 0 < sum(windows) < len(lines)


def test_models_that_cannot_be_opened(tmp_path):
    with pytest.raises(nmt.NmtError, match="no such model directory"):
        nmt.Translator(tmp_path / "nothing")
    with nmt.Translator(MODEL, precision="int8") as light:
        assert light.translate("저는 책을 읽어요.").text == "I read a book."
    with pytest.raises(nmt.NmtError, match="device 'xyz': unknown; use cpu, cuda"):  # by the plain engine
        nmt.Translator(MODEL, device="xyz")
    with pytest.raises(nmt.NmtError, match="closed"):
        light.translate("저는 책을 읽어요.")
    with pytest.raises(ValueError, match="precision"):
        nmt.Translator(MODEL, precision="int4")
    for model, message in ((None, "model: NoneType; use a path or several"), ([5], "model: int; use a path"),
                           ([MODEL, None], "model: NoneType; use a path")):
        with pytest.raises(TypeError, match=message):
            nmt.Translator(model)
    for device in (None, 0):
        with pytest.raises(TypeError, match=f"device: {type(device).__name__}; use a string"):
            nmt.Translator(MODEL, device=device)
    with pytest.raises(nmt.NmtError, match="not hing: no such model directory"):  # one line
        nmt.Translator(tmp_path / "not\nhing")


def test_empty_paths_are_refused():
    for model, options, name in (("", {}, "model"), ([MODEL, b""], {}, "model"), (MODEL, {"terms": ""}, "terms"),
                                 (MODEL, {"shortlist": ""}, "shortlist"), (MODEL, {"language_model": ""}, "language_model")):
        with pytest.raises(ValueError, match=f"{name}: is empty; use a path"):
            nmt.Translator(model, **options)


def test_a_zero_byte_does_not_cut_a_path():
    cut = str(MODEL) + "\0/nowhere"
    for models, options in ((cut, {}), ([MODEL, cut], {}), (MODEL, {"terms": cut}), (MODEL, {"shortlist": cut}),
                            (MODEL, {"language_model": cut}), (MODEL, {"device": "cpu\0x"})):
        with pytest.raises(ValueError, match="contains a NUL byte; remove it"):
            nmt.Translator(models, **options)


def test_an_ensemble_of_one_model_twice_is_that_model(translator):
    lines = lines_of("test.ko", 10)
    twice = nmt.Translator([MODEL, MODEL]).translate(lines)
    for one, two in zip(translator.translate(lines), twice):
        assert one.text == two.text
        assert math.isclose(one.candidates[0].score, two.candidates[0].score, abs_tol=1e-5)


def test_training_and_evaluation(tmp_path):
    sets = (ROOT / "data/sample/valid.ko", ROOT / "data/sample/valid.en")
    settings = {"model.hidden_size": 16, "model.embedding_size": 16, "vocab.source_size": 500,
                "vocab.target_size": 500, "train.max_updates": 40, "train.log_every": 10,
                "train.learning_rate": 0.01, "data.batch_size": 64}
    seen = []
    run = nmt.train(sets, tmp_path / "model", valid_sets=sets, settings=settings, watch=seen.append)
    assert run.summary["updates"] == 40
    assert [line["update"] for line in run.metrics if line["type"] == "train"] == [10, 20, 30, 40]
    assert seen == run.metrics
    scores = nmt.evaluate(sets[1], model=run.model, source=sets[0])
    assert scores["lines"] == len(sets[0].read_text(encoding="utf-8").splitlines())
    assert nmt.evaluate(sets[1], hypothesis=sets[1])["bleu"]["score"] == pytest.approx(100)
    with pytest.raises(nmt.NmtError, match="No such file"):
        nmt.evaluate(tmp_path / "nothing", hypothesis=sets[1])
    with pytest.raises(nmt.NmtError, match="out of range"):
        nmt.train(sets, tmp_path / "other", settings={"model.dropout": 7})


@pytest.mark.parametrize("sets", [["a", "b"], ["ab", "cd"], "ab", [("a", "b", "c")]])
def test_training_texts_come_in_pairs(sets, tmp_path):
    with pytest.raises(ValueError, match="tuple"):
        nmt.train(sets, tmp_path / "model")


def test_the_program_next_to_the_module_is_the_first_choice(tmp_path, monkeypatch):
    module = tmp_path / "lib/python3/dist-packages/nmt/_program.py"
    monkeypatch.delenv("NMT_PROGRAM")
    monkeypatch.setattr("nmt._program.__file__", str(module))
    (tmp_path / "bin").mkdir()
    fake_program(tmp_path / "bin", "")
    assert nmt._program._program() == str((tmp_path / "bin/nmt").resolve())


@pytest.mark.parametrize("folder, found", (("lib/python3/dist-packages/nmt", True), ("python/nmt", False)))
def test_the_library_next_to_an_installed_module_is_the_first_choice(tmp_path, monkeypatch, folder, found):
    module = tmp_path / "tree" / folder / "_library.py"
    name = nmt._library._NAME
    library = module.parents[3] / name
    monkeypatch.delenv("NMT_LIBRARY")
    monkeypatch.setattr("nmt._library.__file__", str(module))
    library.parent.mkdir(parents=True, exist_ok=True)
    library.touch()
    assert nmt._library._path_of_library() == (str(library.resolve()) if found else name)


def test_another_library_is_refused():
    command = [sys.executable, "-c", "import nmt"]
    run = subprocess.run(command, env={**os.environ, "NMT_LIBRARY": "libc.so.6"}, capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr.endswith("NmtError: libc.so.6: not a library of nmt; name libnmt.so in NMT_LIBRARY\n")
    assert nmt.__version__ == nmt.version()


def test_a_null_device_is_the_cpu():
    library, options, handle = nmt._library.library, nmt._library.OpenOptions(), ctypes.c_void_p()
    library.nmt_init_open_options(options)
    assert (options.threads, options.callers) == (0, 1)
    options.device = None
    nmt._library.check(library.nmt_open(os.fsencode(MODEL), options, handle))
    library.nmt_close(handle)


def test_an_empty_path_is_an_error_in_c_too():
    library, handle = nmt._library.library, ctypes.c_void_p()

    def check(name, model, options):
        with pytest.raises(nmt.NmtError, match=f"{name}: is empty; use a path"):
            nmt._library.check(library.nmt_open(model, options, handle))
    check("model", b"", None)
    for name in ("language_model", "terms", "shortlist"):
        options = nmt._library.OpenOptions()
        library.nmt_init_open_options(options)
        setattr(options, name, b"")
        check(name, os.fsencode(MODEL), options)


def test_floating_point_traps_and_flags_of_the_host_stay():
    script = f"""
import ctypes, nmt
libm, invalid = ctypes.CDLL("libm.so.6"), 1  # FE_INVALID
libm.feclearexcept(invalid)
libm.feenableexcept(invalid)
translation = nmt.Translator({str(MODEL)!r}, threads=2).translate("저는 책을 읽어요.")
print(translation.text, libm.fegetexcept() & invalid, libm.fetestexcept(invalid))
"""
    result = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert result.stdout == "I read a book. 1 0\n"


def test_what_ends_the_program_is_one_line(tmp_path, monkeypatch):
    program = fake_program(tmp_path, """
sys.stderr.write("nmt: update 0\\nupdate 1\\n")
os.kill(os.getpid(), signal.SIGKILL)""")
    monkeypatch.setenv("NMT_PROGRAM", program)
    with pytest.raises(nmt.NmtError, match=r"^nmt: ended by signal 9 \(Killed\)$"):
        nmt.train(("a", "b"), tmp_path / "model")
    monkeypatch.setenv("NMT_PROGRAM", fake_program(tmp_path, 'sys.exit("one\\ntwo")'))
    with pytest.raises(nmt.NmtError, match="^two$"):
        nmt.train(("a", "b"), tmp_path / "nmt/model")  # below a file
    monkeypatch.setenv("NMT_PROGRAM", str(tmp_path / "nothing"))
    with pytest.raises(nmt.NmtError, match="nothing: no such program"):
        nmt.evaluate("a", hypothesis="b")


def test_a_list_is_one_setting(tmp_path, monkeypatch):
    (tmp_path / "model").mkdir()
    monkeypatch.setenv("NMT_PROGRAM", fake_program(tmp_path, "(model / 'arguments').write_text(' '.join(sys.argv[1:]))"))
    nmt.train(("a", "b"), tmp_path / "model", settings={"train.freeze": ["a", 'b" c'], "vocab.joint": True},
              options=["--resume", "--accept-changes"])
    arguments = (tmp_path / "model/arguments").read_text()
    assert arguments.endswith('--train.freeze ["a", "b\\" c"] --vocab.joint true --resume --accept-changes')


def fake_program(folder, code):
    """A program that trains nothing: `code` runs with `model`, the model directory."""
    program = folder / "nmt"
    program.write_text(f"""#!{sys.executable}
import os, pathlib, signal, sys, time
model = pathlib.Path(sys.argv[sys.argv.index("--model-dir") + 1])
metrics = model / "metrics.jsonl"
{code}
(model / "training.json").write_text("{{}}")
""")
    program.chmod(0o755)
    return str(program)


def test_watch_sees_only_the_lines_of_this_run(tmp_path, monkeypatch):
    model = tmp_path / "model"
    model.mkdir()
    metrics = model / "metrics.jsonl"
    started = "time.sleep(0.5)  # the old file is polled\n"
    resumed = "with metrics.open('r+') as file:\n    file.seek(8)\n    file.truncate()\n    file.write('[4]\\n[5]\\n')"
    replaced = "metrics.write_text('[6]\\n[7]\\n[8]\\n[9]\\n')"  # in place: the inode may be the same
    for code, watched, result in ((resumed, [[4], [5]], [[1], [2], [4], [5]]),
                                  (replaced, [[6], [7], [8], [9]], [[6], [7], [8], [9]]),
                                  ("metrics.unlink()", [], [])):
        metrics.write_text("[1]\n[2]\n[3]\n")
        monkeypatch.setenv("NMT_PROGRAM", fake_program(tmp_path, started + code))
        seen = []
        assert nmt.train(("a", "b"), model, watch=seen.append).metrics == result
        assert seen == watched


def test_ctrl_c_lets_the_run_be_saved(tmp_path):
    (tmp_path / "model").mkdir()
    program = fake_program(tmp_path, """
signals = (signal.SIGINT, signal.SIGTERM)
signal.pthread_sigmask(signal.SIG_BLOCK, signals)
metrics.write_text("{}\\n")
signal.sigwait(signals)
sys.stderr.write("saving\\n" * 20000)  # more than a pipe holds
second = signal.sigtimedwait(signals, 1)
(model / "saved").write_text("no" if second else "yes")""")
    script = f"""
import os, signal, nmt
signal.signal(signal.SIGINT, signal.default_int_handler)
nmt.train(("a", "b"), {str(tmp_path / "model")!r}, watch=lambda line: os.killpg(0, signal.SIGINT))"""
    result = subprocess.run([sys.executable, "-B", "-c", script], start_new_session=True, capture_output=True, text=True,
                            env={**os.environ, "NMT_PROGRAM": program}, timeout=120, check=False)
    assert "KeyboardInterrupt" in result.stderr
    assert (tmp_path / "model/saved").read_text() == "yes"
