"""The kinds of sentences in the sample corpus; each method returns (Korean, English) unfinished."""

import english
import lexicon as lx
from english import Subject, article, question
from grammar import Core, Grammar, join
from korean import Predicate, copula, particle


class Sentences(Grammar):
    def statement(self, style):
        who, core = self.person(style), self.act(style)
        mode = self.pick((None,) * 8 + ("want", "can", "must", "ongoing"))
        tense = "present" if mode in ("ongoing", "must", "want") else self.tense()
        if mode == "can" and tense == "future":
            tense = "present"
        negative = self.chance(0.15) and mode in (None, "can")
        time = self.time(core, "ongoing" if mode == "ongoing" else tense)
        pred = self.korean_predicate(core, who.subject, mode, negative)
        head = pred
        adverb = ""
        if negative and mode is None and " " not in core.pred.stem and not core.pred.stem.endswith("하") \
                and self.chance(0.5):
            adverb, head = "안", core.pred
        korean = join(who.topic(), time[0], core.ko, adverb, head.final(tense, style))
        return korean, self.english_clause(who.subject, core, tense, mode, negative, time[1])

    def also(self, style):
        who, core = self.third_person(style), self.act(style)
        tense = self.tense()
        korean = join(who.ko + "도", core.ko, core.pred.final(tense, style))
        return korean, self.english_clause(who.subject, core, tense) + ", too"

    def liking(self, style):
        who, core = self.person(style), self.generic(style)
        negative = self.chance(0.25)
        tense = self.pick(("present", "present", "past"))
        pred = self.korean_predicate(core, who.subject, None, negative)
        return (join(who.topic(), core.ko, pred.final(tense, style)),
                self.english_clause(who.subject, core, tense, None, negative))

    def described(self, style):
        """A person or thing and a quality of it."""
        pool = self.pick((lx.GOODS, lx.ANIMALS, lx.READING, lx.FOOD, lx.PLACES, lx.PEOPLE, lx.DRINK))
        noun, who = self.thing(style, pool)
        return noun, who, self.quality(noun)

    def quality_of(self, style):
        _, who, core = self.described(style)
        if core is None:
            return None
        negative = self.chance(0.2) and core.ko in ("", "아주")
        tense = self.pick(("present", "present", "past"))
        pred = core.pred.negated() if negative else core.pred
        return (join(who.topic(), core.ko, pred.final(tense, style)),
                self.english_clause(who.subject, core, tense, None, negative))

    def comparison(self, style):
        pool = self.pick((lx.GOODS, lx.ANIMALS, lx.READING, lx.FOOD, lx.PLACES))
        noun, who = self.thing(style, pool)
        adjective = self.adjective_for(noun)
        if adjective is None:
            return None
        fitting = [n for n in adjective[3] if n in pool and n is not noun]
        if not fitting:
            return None
        other = self.pick(fitting)
        ko, en = ("이 ", "this ") if self.chance(0.5) else ("그 ", "that ")
        core = Core(ko + other.ko + "보다 더", adjective[0], None, f"{adjective[2]} than {en}{other.en}")
        tense = self.pick(("present", "present", "past"))
        return (join(who.topic(), core.ko, core.pred.final(tense, style)),
                self.english_clause(who.subject, core, tense))

    def identity(self, style):
        who = self.third_person(style)
        if who.subject.person in ("1p", "3p"):
            return None
        noun = self.pick(lx.PEOPLE)
        adjective = self.adjective_for(noun) if self.chance(0.6) else None
        ko = join(adjective[0].modifying("present") if adjective else "", noun.ko)
        en = article(join(adjective[1] if adjective else "", noun.en))
        tense = self.pick(("present", "present", "past"))
        negative = self.chance(0.2)
        return (join(who.topic(), copula(ko, tense, style, negative=negative)),
                join(who.subject.text, who.subject.be(tense), "not" if negative else "", en))

    def existence(self, style):
        place = self.pick(lx.FURNITURE + lx.PLACES[:12])
        position = self.pick(lx.POSITIONS[:4] if place in lx.FURNITURE else lx.POSITIONS[2:])
        noun = self.pick(lx.GOODS + lx.ANIMALS + lx.READING)
        if not noun.plural:
            return None
        where = f"{position[1]} the {place.en}"
        tense = self.pick(("present", "past"))
        be = {"present": ("is", "are"), "past": ("was", "were")}[tense]
        if noun.counter and self.chance(0.5):
            number = self.pick(lx.NATIVE)
            ko = join(particle(noun.ko, "subject"), number[0], noun.counter[0])
            en = f"there {be[1]} {number[1]} {noun.plural} {where}"
            word = "있"
        else:
            adjective = self.adjective_for(noun) if self.chance(0.4) else None
            ko = particle(join(adjective[0].modifying("present") if adjective else "", noun.ko), "subject")
            name = join(adjective[1] if adjective else "", noun.en)
            word = "없" if self.chance(0.25) else "있"
            en = f"there {be[0]} {'no ' + name if word == '없' else article(name)} {where}"
        pred = Predicate(word, word + "어", kind="existence")
        return join(place.ko, position[0] + "에", ko, pred.final(tense, style)), en

    def possession(self, style):
        who = self.person(style)
        noun = self.pick(lx.GOODS + lx.ANIMALS)
        if not noun.plural:
            return None
        adjective = self.adjective_for(noun) if self.chance(0.5) else None
        ko = join(adjective[0].modifying("present") if adjective else "", noun.ko)
        en = article(join(adjective[1] if adjective else "", noun.en))
        has = Predicate("있", "있어", kind="existence")
        core = Core(particle(ko, "subject"), has, english.Verb("have", "had"), en)
        tense = self.pick(("present", "past"))
        return (join(who.topic(), core.ko, has.final(tense, style)),
                self.english_clause(who.subject, core, tense))

    def price_or_date(self, style):
        if self.chance(0.5):
            noun, who = self.thing(style, lx.GOODS)
            ko, en = self.pick(lx.PRICES)
            return (join(who.topic(), copula(ko + " 원", "present", style)),
                    join(who.subject.text, "is", en, "won"))
        name, month, day = self.pick(lx.NAMES), self.pick(lx.MONTHS), self.pick(lx.SINO)
        return (join(name[0] + "의 생일은", month[0], copula(day[0] + "일", "present", style)),
                f"{name[1]}'s birthday is {month[1]} {day[1]}")

    # ---- questions ----

    def yes_no(self, style):
        who, core = self.third_person(style), self.act(style)
        mode = self.pick((None, None, None, "can", "want", "ongoing"))
        tense = "present" if mode else self.tense()
        time = self.time(core, "ongoing" if mode == "ongoing" else tense)
        pred = self.korean_predicate(core, who.subject, mode)
        korean = join(who.topic(), time[0], core.ko, pred.final(tense, style, True))
        return korean + "?", question(who.subject, core.verb, tense, mode, join(core.rest, time[1])) + "?"

    def wh(self, style):
        who, tense = self.third_person(style), self.tense()
        kind = self.rng.randrange(6)
        if kind == 0:
            pred, verb, _ = self.pick(lx.TRANSITIVE)
            time = self.time(Core("", pred, verb, ""), tense)
            korean = join(who.topic(), time[0], "무엇을", pred.final(tense, style, True))
            return korean + "?", question(who.subject, verb, tense, None, time[1], "what") + "?"
        core = self.transitive(style)
        if kind == 1:
            time = self.time(core, tense)
            korean = join(time[0], "누가", core.ko, core.pred.final(tense, style, True))
            nobody = Subject("who", "3s", "")
            return korean + "?", self.english_clause(nobody, core, tense, None, False, time[1]) + "?"
        if kind == 2:
            noun = self.pick([n for n in lx.GOODS + lx.FOOD if n.counter and n.plural])
            pred, verb = self.pick(((Predicate("사", "사"), english.Verb("buy", "bought")),
                                    (Predicate("팔", "팔아"), english.Verb("sell", "sold"))))
            korean = join(who.topic(), particle(noun.ko, "object"), "몇", noun.counter[0],
                          pred.final(tense, style, True))
            return korean + "?", question(who.subject, verb, tense, None, "", f"how many {noun.plural}") + "?"
        ko, en = (("어디에서", "where"), ("언제", "when"), ("왜", "why"))[kind - 3]
        korean = join(who.topic(), ko, core.ko, core.pred.final(tense, style, True))
        return korean + "?", question(who.subject, core.verb, tense, None, core.rest, en) + "?"

    # ---- requests ----

    def request(self, style):
        core = self.act(style)
        base = join(core.verb.base_form(), core.rest)
        kind = self.rng.randrange(3)
        if kind == 0:
            return join(core.ko, core.pred.command()), "please " + base
        if kind == 1:
            return join(core.ko, core.pred.stem + "지 마세요"), "please do not " + base
        return join(core.ko, core.pred.proposal()), "let's " + base

    # ---- relative clauses ----

    def relative_object(self, style):
        """(Korean, English) of a thing that somebody did something with, and the thing."""
        who = self.person(style)
        pred, verb, objects = self.pick(lx.TRANSITIVE)
        noun = self.pick(objects)
        tense = self.pick(("past", "past", "present"))
        time = self.time(Core("", pred, verb, ""), tense, 0.4)
        ko = join(who.nominative(), time[0], pred.modifying(tense), noun.ko)
        clause = self.english_clause(who.subject, Core("", pred, verb, ""), tense, None, False, time[1])
        return noun, ko, f"the {noun.en} that {clause}"

    def relative_subject(self, style):
        """A person who does something."""
        noun = self.pick(lx.PEOPLE)
        core = self.act(style)
        tense = self.pick(("past", "present"))
        ko = join(core.ko, core.pred.modifying(tense), noun.ko)
        clause = self.english_clause(Subject("who", "3s", ""), core, tense)
        return noun, ko, f"the {noun.en} {clause}"

    def relative(self, style):
        noun, ko, en = self.relative_object(style) if self.chance(0.5) else self.relative_subject(style)
        kind = self.rng.randrange(3)
        tense = self.pick(("present", "past"))
        if kind == 0:
            core = self.quality(noun)
            if core is None:
                return None
            return (join(particle(ko, "topic"), core.ko, core.pred.final(tense, style)),
                    self.english_clause(Subject(en, "3s", ""), core, tense))
        who = self.person(style)
        fitting = [t for t in lx.TRANSITIVE if noun in t[2]]
        pred, verb, _ = self.pick(fitting) if fitting else lx.TRANSITIVE[9]
        if noun not in lx.TRANSITIVE[9][2] and not fitting:
            return None
        core = Core(particle(ko, "object"), pred, verb, en)
        return (join(who.topic(), core.ko, pred.final(tense, style)),
                self.english_clause(who.subject, core, tense))

    # ---- two clauses ----

    def pair(self, style):
        """One person, two acts; the second clause takes the person up with a pronoun."""
        who = self.person(style)
        again = Subject(who.subject.pronoun, who.subject.person, who.subject.pronoun)
        return who, again, self.act(style), self.act(style)

    def sequence(self, style):
        who, again, first, second = self.pair(style)
        tense = self.tense()
        kind = self.rng.randrange(3)
        time = self.time(second, tense, 0.3)
        if kind == 0:
            korean = join(who.topic(), first.ko, first.pred.stem + "고", time[0], second.ko,
                          second.pred.final(tense, style))
            return korean, join(self.english_clause(who.subject, first, tense), "and",
                                self.english_clause(again, second, tense, time=time[1]))
        inner = "past" if tense == "past" else "present"
        link = first.pred.stem + "기 전에" if kind == 1 else first.pred.with_n() + " 후에"
        word = "before" if kind == 1 else "after"
        korean = join(who.topic(), first.ko, link, time[0], second.ko, second.pred.final(tense, style))
        return korean, join(word, self.english_clause(who.subject, first, inner) + ",",
                            self.english_clause(again, second, tense, time=time[1]))

    def reason(self, style):
        who, other = self.person(style), self.third_person(style)
        cause, effect = self.act(style), self.act(style)
        if self.chance(0.5):
            core = self.quality(self.pick([n for n in lx.PEOPLE]))
            cause = core or cause
        tense = self.pick(("past", "present"))
        negative = self.chance(0.3)
        pred = effect.pred.negated() if negative else effect.pred
        korean = join(other.nominative(), cause.ko, cause.pred.connected("기 때문에", tense),
                      who.topic(), effect.ko, pred.final(tense, style))
        return korean, join(self.english_clause(who.subject, effect, tense, None, negative), "because",
                            self.english_clause(other.subject, cause, tense))

    def condition(self, style):
        who, other = self.person(style), self.third_person(style)
        first, second = self.act(style), self.act(style)
        if self.chance(0.5):
            korean = join(other.nominative(), first.ko, first.pred.before("면"), who.topic(), second.ko,
                          second.pred.final("future", style))
            return korean, join("if", self.english_clause(other.subject, first, "present") + ",",
                                self.english_clause(who.subject, second, "future"))
        tense = self.pick(("past", "present"))
        link = first.pred.past_stem + "을 때" if tense == "past" else first.pred.with_l() + " 때"
        korean = join(other.nominative(), first.ko, link, who.topic(), second.ko,
                      second.pred.final(tense, style))
        return korean, join("when", self.english_clause(other.subject, first, tense) + ",",
                            self.english_clause(who.subject, second, tense))

    def contrast(self, style):
        if self.chance(0.5):
            _, who, first = self.described(style)
            noun, other, second = self.described(style)
            if first is None or second is None:
                return None
        else:
            who, other, first, second = (self.person(style), self.third_person(style),
                                         self.act(style), self.act(style))
        tense = self.pick(("past", "present"))
        negative = self.chance(0.3)
        pred = second.pred.negated() if negative and second.ko not in ("너무", "조금", "정말") else second.pred
        korean = join(who.topic(), first.ko, first.pred.connected("지만", tense), other.topic(), second.ko,
                      pred.final(tense, style))
        return korean, join(self.english_clause(who.subject, first, tense), "but",
                            self.english_clause(other.subject, second, tense, None, pred is not second.pred))

    def thought(self, style):
        who, other = self.person(style), self.third_person(style)
        inner = self.quality(self.pick(lx.PEOPLE)) if self.chance(0.5) else self.act(style)
        if inner is None:
            return None
        said = self.chance(0.5)
        pred, verb = ((Predicate("말하", "말해"), english.Verb("say that", "said")) if said else
                      (Predicate("생각하", "생각해"), english.Verb("think that", "thought")))
        tense = "past" if said else "present"
        inner_tense = self.pick(("past", "present"))
        korean = join(who.topic(), other.nominative(), inner.ko, inner.pred.quoted(inner_tense) + "고",
                      pred.final(tense, style))
        clause = self.english_clause(other.subject, inner, inner_tense)
        return korean, self.english_clause(who.subject, Core("", pred, verb, clause), tense)


KINDS = [("statement", 26), ("also", 3), ("liking", 4), ("quality_of", 8), ("comparison", 5),
         ("identity", 4), ("existence", 5), ("possession", 3), ("price_or_date", 3), ("yes_no", 8),
         ("wh", 8), ("request", 6), ("relative", 9), ("sequence", 8), ("reason", 5),
         ("condition", 6), ("contrast", 5), ("thought", 6)]
