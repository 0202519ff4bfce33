"""English morphology and word order for the clauses of the sample corpus."""

VOWEL_EXCEPTIONS = ("university", "useful", "uniform", "European")


def article(words):
    """a or an before the words, by the sound of the first."""
    vowel = words[0] in "aeiou" and not words.startswith(VOWEL_EXCEPTIONS)
    return ("an " if vowel else "a ") + words


def third_person(base):
    if base in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[base]
    if base.endswith(("s", "sh", "ch", "x", "z", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


def progressive(base):
    doubled = {"run", "swim", "sit", "cut", "put", "get", "plan"}
    if base in doubled:
        return base + base[-1] + "ing"
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith("ee"):
        return base[:-1] + "ing"
    return base + "ing"


class Verb:
    """`base` may have a second word: listen to, wait for."""

    def __init__(self, base, past):
        self.word, _, self.tail = base.partition(" ")
        self.past = past

    def _join(self, word):
        return word + (" " + self.tail if self.tail else "")

    def base_form(self):
        return self._join(self.word)

    def past_form(self):
        return self._join(self.past)

    def third_form(self):
        return self._join(third_person(self.word))

    def ing_form(self):
        return self._join(progressive(self.word))


class Subject:
    """text, and person as 1s, 1p, 3s or 3p; the pronoun that later clauses take it up with."""

    def __init__(self, text, person, pronoun):
        self.text, self.person, self.pronoun = text, person, pronoun

    def be(self, tense):
        if tense == "past":
            return "was" if self.person in ("1s", "3s") else "were"
        return {"1s": "am", "3s": "is"}.get(self.person, "are")

    def do(self, tense):
        if tense == "past":
            return "did"
        return "does" if self.person == "3s" else "do"


def auxiliary(subject, tense, mode):
    """(auxiliary, form of the main verb, words between) of a clause, auxiliary None if there is none.

    mode: None, can, ongoing, want, must.
    """
    if mode == "can":
        return ("could" if tense == "past" else "can"), "base", ""
    if mode == "ongoing":
        return subject.be(tense), "ing", ""
    if tense == "future":
        return "will", "base", {"want": "want to ", "must": "have to "}.get(mode, "")
    return None, tense, {"want": "want", "must": "have"}.get(mode, "")


def verb_phrase(subject, verb, tense, mode=None, negative=False):
    """The verb of a statement with its auxiliaries and negation."""
    helper, form, between = auxiliary(subject, tense, mode)
    no = " not" if negative else ""
    if helper == "can" and negative:
        return "cannot " + verb.base_form()
    if helper:
        main = verb.ing_form() if form == "ing" else between + verb.base_form()
        return helper + no + " " + main
    if between:  # want to, have to
        verb_text = Verb(between, {"want": "wanted", "have": "had"}[between])
        infinitive = " to " + verb.base_form()
    else:
        verb_text, infinitive = verb, ""
    if negative:
        return subject.do(tense) + " not " + verb_text.base_form() + infinitive
    if tense == "past":
        return verb_text.past_form() + infinitive
    return (verb_text.third_form() if subject.person == "3s" else verb_text.base_form()) + infinitive


def question(subject, verb, tense, mode, rest, word=""):
    """A question about anything but the subject; `word` is the question word in front."""
    helper, form, between = auxiliary(subject, tense, mode)
    if helper:
        main = verb.ing_form() if form == "ing" else between + verb.base_form()
    else:
        helper = subject.do(tense)
        main = (between + " to " if between else "") + verb.base_form()
    return " ".join(part for part in (word, helper, subject.text, main, rest) if part)
