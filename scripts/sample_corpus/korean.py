"""Korean morphology: particles and verb endings, by arithmetic on Hangul syllables.

A syllable is U+AC00 + (initial * 21 + vowel) * 28 + final; final 0 is none.
"""

FINAL_NONE, FINAL_N, FINAL_L, FINAL_B, FINAL_SS = 0, 4, 8, 17, 20


def final_of(text):
    return (ord(text[-1]) - 0xAC00) % 28


def with_final(text, final):
    code = ord(text[-1])
    return text[:-1] + chr(code - (code - 0xAC00) % 28 + final)


def particle(noun, kind):
    """The noun with its particle; the form depends on how the noun ends."""
    final = final_of(noun)
    pairs = {"topic": ("은", "는"), "subject": ("이", "가"), "object": ("을", "를"),
             "with": ("과", "와")}
    if kind == "by":
        return noun + ("로" if final in (FINAL_NONE, FINAL_L) else "으로")
    if kind in pairs:
        return noun + pairs[kind][0 if final else 1]
    return noun + kind


class Predicate:
    """A verb or adjective as the stems from which every ending is made.

    stem        before consonant endings           먹, 가, 만들, 듣, 돕
    infinitive  the 아/어 form                      먹어, 가, 만들어, 들어, 도와
    eu_stem     before ㄴ, ㄹ and 으 endings         먹으, 가, 만들, 들으, 도우
    kind        verb, adjective or existence (있다)
    """

    def __init__(self, stem, infinitive, eu_stem=None, kind="verb"):
        self.stem, self.infinitive, self.kind = stem, infinitive, kind
        plain = stem if final_of(stem) in (FINAL_NONE, FINAL_L) else stem + "으"
        self.eu_stem = eu_stem or plain

    @property
    def _without_l(self):
        return with_final(self.stem, FINAL_NONE) if final_of(self.stem) == FINAL_L else self.stem

    @property
    def past_stem(self):
        return with_final(self.infinitive, FINAL_SS)

    def with_n(self):
        return with_final(self.eu_stem, FINAL_N)

    def with_l(self):
        return with_final(self.eu_stem, FINAL_L)

    def before(self, ending):
        """An ending that takes 으 after a consonant: 면, 려고."""
        return self.eu_stem + ending

    def command(self):
        base = with_final(self.eu_stem, FINAL_NONE) if final_of(self.eu_stem) else self.eu_stem
        return base + "세요"

    def proposal(self):
        return with_final(self.eu_stem, FINAL_B) + "시다"

    def modifying(self, tense):
        """The form before a noun."""
        if self.kind == "adjective":
            return self.with_n()
        if tense == "past" and self.kind == "verb":
            return self.with_n()
        return self._without_l + "는"

    def final(self, tense, style, question=False):
        """The form at the end of a sentence. style: plain, polite or formal."""
        if tense == "future":
            ends = {"plain": "거니" if question else "것이다", "polite": "거예요",
                    "formal": "것입니까" if question else "것입니다"}
            return self.with_l() + " " + ends[style]
        if tense == "past":
            ends = {"plain": "니" if question else "다", "polite": "어요",
                    "formal": "습니까" if question else "습니다"}
            return self.past_stem + ends[style]
        if style == "polite":
            return self.infinitive + "요"
        if style == "formal":
            end = "니까" if question else "니다"
            if final_of(self.stem) in (FINAL_NONE, FINAL_L):
                return with_final(self.stem, FINAL_B) + end
            return self.stem + "습" + end
        if question:
            return self._without_l + "니"
        return self.quoted()

    def quoted(self, tense="present"):
        """The plain form, which -고 quotes."""
        if tense == "past":
            return self.past_stem + "다"
        if self.kind != "verb":
            return self.stem + "다"
        if final_of(self.stem) in (FINAL_NONE, FINAL_L):
            return with_final(self.stem, FINAL_N) + "다"
        return self.stem + "는다"

    def connected(self, ending, tense):
        """An ending that follows stem and past alike: 고, 지만, 기 때문에."""
        return (self.past_stem if tense == "past" else self.stem) + ending

    # ---- constructions, each a predicate again ----

    def negated(self):
        return Predicate(self.stem + "지 않", self.stem + "지 않아", kind=self.kind)

    def wanted(self, first_person):
        if first_person:
            return Predicate(self.stem + "고 싶", self.stem + "고 싶어", kind="adjective")
        return Predicate(self.stem + "고 싶어 하", self.stem + "고 싶어 해")

    def possible(self, yes=True):
        word = "있" if yes else "없"
        base = self.with_l() + " 수 " + word
        return Predicate(base, base + "어", kind="existence")

    def obliged(self):
        return Predicate(self.infinitive + "야 하", self.infinitive + "야 해")

    def ongoing(self):
        return Predicate(self.stem + "고 있", self.stem + "고 있어", kind="existence")


def copula(noun, tense, style, question=False, negative=False):
    """The noun as predicate: is (not) a …"""
    if negative:
        not_be = Predicate("아니", "아니", kind="adjective")
        if tense == "past":
            ends = {"plain": "아니었다", "polite": "아니었어요", "formal": "아니었습니다"}
        else:
            ends = {"plain": not_be.stem + "다", "polite": "아니에요", "formal": "아닙니다"}
        return particle(noun, "subject") + " " + ends[style]
    closed = final_of(noun) != 0
    if tense == "past":
        base = noun + ("이었" if closed else "였")
        ends = {"plain": "니" if question else "다", "polite": "어요",
                "formal": "습니까" if question else "습니다"}
        return base + ends[style]
    ends = {"plain": ("이니" if closed else "니") if question else ("이다" if closed else "다"),
            "polite": "이에요" if closed else "예요",
            "formal": "입니까" if question else "입니다"}
    return noun + ends[style]
