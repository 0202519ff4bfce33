"""Sentences of the sample corpus: Korean and English built in parallel from the same meaning."""

from dataclasses import dataclass

import english
import lexicon as lx
from english import Subject, article
from korean import Predicate, particle

STYLES = ("plain", "polite", "formal")


@dataclass
class Core:
    """What is said of a subject. English is verb + rest, or be + rest where verb is None."""
    ko: str            # everything between subject and predicate
    pred: Predicate
    verb: object
    rest: str
    times: bool = True  # may be placed in time


@dataclass
class Who:
    ko: str
    subject: Subject
    topic_form: str = ""
    subject_form: str = ""

    def topic(self):
        return self.topic_form or particle(self.ko, "topic")

    def nominative(self):
        return self.subject_form or particle(self.ko, "subject")


def join(*parts):
    return " ".join(part for part in parts if part)


class Grammar:
    def __init__(self, rng):
        self.rng = rng

    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, items):
        return items[self.rng.randrange(len(items))]

    # ---- noun phrases: (Korean without particle, English) ----

    def adjective_for(self, noun):
        fitting = [a for a in lx.ADJECTIVES if noun in a[3]]
        return self.pick(fitting) if fitting else None

    def owner(self, style):
        kind = self.rng.randrange(4)
        if kind == 0:
            return ("내" if style == "plain" else "제"), "my"
        if kind == 1:
            return "우리", "our"
        name = self.pick(lx.NAMES)
        return name[0] + "의", name[1] + "'s"

    def counted(self, noun):
        ko_number, en_number = self.pick(lx.NATIVE)
        counter, measure = noun.counter
        ko = join(noun.ko, ko_number, counter)
        if measure:
            return ko, f"{en_number} {measure}s of {noun.en}"
        return ko, f"{en_number} {noun.plural}"

    def object_phrase(self, noun, style):
        if noun in lx.ABSTRACT:
            return noun.ko, noun.en
        kind = self.rng.random()
        if kind < 0.12 and noun.counter and (noun.plural or noun.counter[1]):
            return self.counted(noun)
        if kind < 0.20:
            return "이 " + noun.ko, "this " + noun.en
        if kind < 0.28:
            return "그 " + noun.ko, "that " + noun.en
        ownable = noun not in lx.PEOPLE or noun.en in lx.OWNED_PEOPLE
        if kind < 0.40 and noun.plural and ownable:
            ko, en = self.owner(style)
            return join(ko, noun.ko), join(en, noun.en)
        adjective = self.adjective_for(noun)
        if kind < 0.62 and adjective:
            ko = join(adjective[0].modifying("present"), noun.ko)
            en = join(adjective[1], noun.en)
        else:
            ko, en = noun.ko, noun.en
        return ko, article(en) if noun.plural else en

    def person(self, style, plural=True):
        """Somebody a sentence can be about."""
        kind = self.rng.random()
        if kind < 0.20:
            first = ("나는", "내가") if style == "plain" else ("저는", "제가")
            return Who("", Subject("I", "1s", "I"), *first)
        if kind < 0.26:
            return Who("우리", Subject("we", "1p", "we"))
        if kind < 0.31:
            return Who("그", Subject("he", "3s", "he"))
        if kind < 0.36:
            return Who("그녀", Subject("she", "3s", "she"))
        if kind < 0.62:
            ko, en, pronoun = self.pick(lx.NAMES)
            return Who(ko, Subject(en, "3s", pronoun))
        if kind < 0.74:
            noun = self.pick(lx.FAMILY)
            ko, en = self.owner(style)
            pronoun = "she" if noun.en in lx.FEMALE else "he"
            return Who(join(ko, noun.ko), Subject(join(en, noun.en), "3s", pronoun))
        noun = self.pick(lx.PEOPLE)
        if plural and kind < 0.82 and noun.ko not in ("남자", "여자"):
            return Who(noun.ko + "들", Subject("the " + noun.plural, "3p", "they"))
        pronoun = "she" if noun.en in lx.FEMALE else "he"
        if kind < 0.88:
            return Who("그 " + noun.ko, Subject("that " + noun.en, "3s", pronoun))
        return Who(noun.ko, Subject("the " + noun.en, "3s", pronoun))

    def third_person(self, style):
        while True:
            who = self.person(style)
            if who.subject.person != "1s":
                return who

    def thing(self, style, pool):
        """A thing a sentence can be about."""
        noun = self.pick(pool)
        kind = self.rng.random()
        if kind < 0.25:
            ko, en = "이 " + noun.ko, "this " + noun.en
        elif kind < 0.5:
            ko, en = "그 " + noun.ko, "that " + noun.en
        elif kind < 0.7 and noun.plural and noun not in lx.PEOPLE + lx.PLACES:
            owner_ko, owner_en = self.owner(style)
            ko, en = join(owner_ko, noun.ko), join(owner_en, noun.en)
        else:
            ko, en = noun.ko, "the " + noun.en
        return noun, Who(ko, Subject(en, "3s", "it"))

    # ---- what is said: cores ----

    def transitive(self, style):
        pred, verb, objects = self.pick(lx.TRANSITIVE)
        ko, en = self.object_phrase(self.pick(objects), style)
        return Core(particle(ko, "object"), pred, verb, en)

    def only_transitive(self, style):
        pred, verb, objects = self.pick(lx.TRANSITIVE)
        noun = self.pick(objects)
        return Core(noun.ko + "만", pred, verb, "only " + (article(noun.en) if noun.plural else noun.en))

    def generic(self, style):
        pred, verb = self.pick(lx.GENERIC)
        noun = self.pick(lx.GENERIC_OBJECTS)
        return Core(particle(noun.ko, "object"), pred, verb, noun.plural or noun.en, times=False)

    def giving(self, style):
        pred, verb = self.pick(lx.GIVING)
        ko, en = self.object_phrase(self.pick(lx.GOODS + lx.READING), style)
        if self.chance(0.4):
            name = self.pick(lx.NAMES)
            to_ko, to_en = name[0], name[1]
        else:
            owner_ko, owner_en = self.owner(style)
            noun = self.pick(lx.FAMILY + [n for n in lx.PEOPLE if n.en in lx.OWNED_PEOPLE])
            to_ko, to_en = join(owner_ko, noun.ko), join(owner_en, noun.en)
        return Core(join(to_ko + "에게", particle(ko, "object")), pred, verb, f"{en} to {to_en}")

    def motion(self, style):
        pred, verb = self.pick(lx.MOTION)
        if verb.word in ("go", "come", "return") and self.chance(0.4):
            ko, en = self.pick(lx.CITIES)
        else:
            noun = self.pick(lx.PLACES)
            ko, en = noun.ko, "the " + noun.en
        ko, en = ko + "에", "to " + en
        if verb.word in ("go", "come", "return") and self.chance(0.4):
            vehicle = self.pick(lx.VEHICLES)
            ko, en = join(particle(vehicle[0], "by"), ko), f"{en} by {vehicle[1]}"
        return Core(ko, pred, verb, en)

    def journey(self, style):
        pred, verb = self.pick(lx.MOTION[:1] + lx.MOTION[3:4])
        start, end = self.rng.sample(lx.CITIES[:6], 2)
        return Core(f"{start[0]}에서 {end[0]}까지", pred, verb, f"from {start[1]} to {end[1]}")

    def activity(self, style):
        swims = self.chance(0.1)
        pred, verb = lx.SWIMMING if swims else self.pick(lx.ACTIVITY)
        place = self.pick(lx.SWIMMING_PLACES if swims else lx.PLACES)
        ko, en = place.ko + "에서", lx.at(place)
        if self.chance(0.3):
            name = self.pick(lx.NAMES)
            ko, en = join(ko, particle(name[0], "with")), f"with {name[1]} {en}"
        if self.chance(0.25):
            number = self.pick(lx.NATIVE)
            ko, en = join(ko, number[0], "시간 동안"), f"{en} for {number[1]} hours"
        return Core(ko, pred, verb, en)

    def placed(self, style):
        """A transitive act somewhere."""
        core = self.transitive(style)
        place = self.pick(lx.PLACES)
        return Core(join(place.ko + "에서", core.ko), core.pred, core.verb, f"{core.rest} {lx.at(place)}")

    def quality(self, noun):
        adjective = self.adjective_for(noun)
        if adjective is None:
            return None
        if self.chance(0.5):
            ko, en = self.pick(lx.DEGREES)
            return Core(ko, adjective[0], None, join(en, adjective[1]), times=False)
        return Core("", adjective[0], None, adjective[1], times=False)

    def act(self, style):
        """Any core whose subject is a person."""
        makers = [(self.transitive, 6), (self.giving, 2), (self.motion, 3), (self.activity, 3),
                  (self.placed, 2), (self.journey, 0.4), (self.only_transitive, 0.6)]
        total = sum(weight for _, weight in makers)
        at = self.rng.random() * total
        for maker, weight in makers:
            at -= weight
            if at < 0:
                return maker(style)
        return self.transitive(style)

    # ---- clauses ----

    def time(self, core, tense, probability=0.5):
        if not core.times or not self.chance(probability):
            return "", ""
        return self.pick(lx.TIMES[tense])

    @staticmethod
    def english_clause(subject, core, tense, mode=None, negative=False, time=""):
        if core.verb is None:
            no = "not" if negative else ""
            be = join("will", no, "be") if tense == "future" else join(subject.be(tense), no)
            return join(subject.text, be, core.rest, time)
        phrase = english.verb_phrase(subject, core.verb, tense, mode, negative)
        return join(subject.text, phrase, core.rest, time)

    @staticmethod
    def korean_predicate(core, subject, mode=None, negative=False):
        """The predicate with its modal construction or negation."""
        pred = core.pred
        if mode == "want":
            return pred.wanted(subject.person == "1s")
        if mode == "can":
            return pred.possible(not negative)
        if mode == "must":
            return pred.obliged()
        if mode == "ongoing":
            return pred.ongoing()
        return pred.negated() if negative else pred

    def tense(self):
        return self.pick(("past", "past", "present", "future"))
