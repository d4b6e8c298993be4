"""Pairs of statements with what they are to each other, from the labelled sets, and pairs made from those.

A pair has `known`, `new`, `label` (same, refined, opposite, unrelated, apart: anything but the same, or asked: only teachers
say what), `source` and `held`: whether it is kept back to see what the weights are worth.
"""

import itertools
import json
import random
import re
from collections import Counter
from pathlib import Path

import numpy as np

from weeks import WEEKS_HELD

HERE = Path(__file__).parent
HISTORIES = ["seen", "held", "later", "broad", "unseen", "fresh", "apart", "another", "beyond", "onward", "backoffice", "devices", "shop", "evenly", "quarterly", "monthly", "yearly", "weekly", "daily", "hourly", "biweekly", "seasonal", "nightly", "lately"]
# Facts of many projects in ten wordings each, by different people.
SETTLED = ["outside", "unseen", "fair", "anew", "afresh", "newest", "latest", "recent", "further", "customs", "manners"]
# Sets that nothing is fitted to. Some mistakes in `games` were looked at, of the others only totals.
BLIND = ["habits", "games", "ferries", "shelves", "payroll", "dental", "orchard"]
# What is told of by itself: those, and the weeks of projects that were kept back.
REPORTED = [*BLIND, "weeks"]
WORD = re.compile(r"\b[a-z]{4,}\b")
# Words that say no what: another in their place does not make another fact.
EMPTY = set(
    "this that with from they them have been will what when where which their there then than your ours only also into more "
    "must should never always does doesn didn isn aren each every once after before until about over under between again most "
    "some same such very just like need needs make makes made take takes goes gone come comes here because instead rather "
    "while still anymore longer since today week month year days hours minutes seconds".split()
)
# So many statements before and after one are surely of facts by the same person.
ONE_WRITER = 500
# Many facts teach more than all pairs of a few.
OF_ONE_FACT = 0.6
# So much likelier than by chance one word stands in the place of another.
MAY_MEAN_THE_SAME = 8
# With how many statements of a history each is compared that are about something else.
IN_A_HISTORY = 9
# Of one source only so many pairs are shown (fit.py), so what was written later is a source of its own.
FAMILIES, TOPICS, WEEKS = 800, 1_900, 200
# How many pairs of two facts of one family are shown.
OF_NEIGHBOURS = 10
# With how many other statements of the same weeks each is compared, and with how many of those that nothing of lasts.
IN_WEEKS, PASSING = 14, 8
TOLD_AS_CHANGE = re.compile(r"\b(from|not|instead|was|no longer|gone|old)\b")


def lines(name):
    return [json.loads(line) for line in open(HERE / name, encoding="utf-8")]


def is_kept_back(name, row):
    """The settled sets were kept back whole before, whatever their rows say."""
    return name not in SETTLED and row.get("split") == "held"


def exchanged(text, old, new):
    other = re.sub(rf"\b{re.escape(old)}\b", lambda _: new, text, flags=re.I)
    return None if other == text else other


class Pairs(list):
    def add(self, known, new, label, source, held):
        self.append({"known": known, "new": new, "label": label, "source": source, "held": held})


def labelled(pairs):
    for name in ("pairs", "attributes"):
        for row in lines(f"{name}.jsonl"):
            pairs.add(row["a"], row["b"], row["expect"], name, row.get("split") == "held")


def phrasings(pairs, chance):
    for name in ("phrasings", "tenfold", "stated", "plain", "rules", *SETTLED):
        rows, source = lines(f"{name}.jsonl"), "settled" if name in SETTLED else name
        for row in rows:
            held = is_kept_back(name, row)
            for known, new in itertools.permutations(row["same"], 2):
                if chance.random() < 0.5:
                    pairs.add(known, new, "same", source, held)
            for known, new in itertools.product(row["same"], row["opposite"]):
                if chance.random() < OF_ONE_FACT:
                    pairs.add(known, new, "opposite", source, held)
                # Who goes back to what was contradicts what is.
                if chance.random() < 0.2:
                    pairs.add(new, known, "opposite", f"{source} again", held)
            for known, new in itertools.product(row["same"], row["other"]):
                if chance.random() < OF_ONE_FACT:
                    pairs.add(known, new, "unrelated", source, held)
            beside(pairs, row, chance.choice(rows), (source, held), chance)


def beside(pairs, row, another, whose, chance):
    """What only goes with the fact is no wording of something else that does, nor of another fact."""
    for known, new in itertools.permutations(row["other"], 2):
        if chance.random() < 0.3:
            pairs.add(known, new, "unrelated", f"{whose[0]} beside", whose[1])
    for known in row["same"]:
        if another is not row:
            pairs.add(known, chance.choice(another["same"]), "unrelated", f"{whose[0]} beside", whose[1])


def things(pairs, chance):
    rows = lines("things.jsonl")
    for number, thing in enumerate(rows):
        held = number % 5 == 0
        for place, attribute in enumerate(thing["attributes"]):
            values = attribute["values"]
            own = [said for value in values for said in value["said"]]
            same_and_opposite(pairs, values, held, chance)
            others = [
                said
                for at, other in enumerate(thing["attributes"])
                if at != place
                for value in other["values"]
                for said in value["said"]
            ]
            for said in own:
                for other in chance.sample(others, min(4, len(others))):
                    pairs.add(said, other, "unrelated", "things", held)
                another = chance.choice(rows)
                moved = exchanged(said, thing["thing"], another["thing"])
                if moved and another is not thing:
                    pairs.add(moved, said, "unrelated", "another thing", held)
                    pairs.add(moved, chance.choice(own), "unrelated", "another thing", held)
            for said in chance.sample(own, min(4, len(own))):
                another = chance.choice(rows)
                if another is not thing:
                    value = chance.choice(chance.choice(another["attributes"])["values"])
                    pairs.add(said, chance.choice(value["said"]), "unrelated", "things", held)


NUMBERED = "service worker node module client team device job tenant shard table customer host sensor queue region line plant".split()
NAMED = [
    "apollo borealis cirrus dorado ember falcon garnet hermes indigo juniper krill lumen magnet nimbus onyx pelican quartz raven".split(),
    "Aisha Boris Carmen Dmitri Elena Farid Greta Hugo Ingrid Jamal Keiko Lars Mina Nadia Otto Pilar Quentin Rosa".split(),
    "Lisbon Vienna Tampere Bergen Leeds Nantes Zagreb Vilnius Utrecht Bilbao Aarhus Split Cork Pisa Riga Sofia".split(),
    "checkout signup reports billing-api web-shop ios-app ingest notifier exporter scheduler crawler admin-ui uploader".split(),
]


def marked(chance):
    """Two names of things of one kind, which a word, a number, a letter or a code tells apart."""
    form = chance.choice(["{}-{}", "{}{}", "{}_{}", "{} {}"])
    count = lambda: chance.choice([str(chance.randrange(1, 999)), f"{chance.randrange(100):03}", chance.choice("ABCDEFGHKLMNPQRSTVX")])
    base, kind = chance.choice(NUMBERED), chance.randrange(4)
    match kind:
        case 0:
            return chance.sample(chance.choice(NAMED), 2)
        case 1:
            return [f"{chance.getrandbits(4 * chance.choice([6, 8])):x}" for _ in range(2)]
        case _:
            return [form.format(base, count()) for _ in range(2)]


def numbered(pairs, chance):
    """The same of things that only a name tells apart."""
    for number, thing in enumerate(lines("things.jsonl")):
        held = number % 5 == 0
        for attribute in thing["attributes"]:
            said = [(value["value"], text) for value in attribute["values"] for text in value["said"]]
            for _ in range(16):
                one, other = marked(chance)
                (first, a), (then, b) = chance.choice(said), chance.choice(said)
                moved = lambda text, to: exchanged(text, thing["thing"], to)
                here, there = moved(a, one), (moved(b, one), moved(b, other), moved(a, other))
                if one != other and here and all(there):
                    if a != b:
                        pairs.add(here, there[0], "same" if first == then else "opposite", "numbered", held)
                    pairs.add(here, there[1], "unrelated", "numbered", held)
                    pairs.add(here, there[2], "unrelated", "numbered", held)


SETTINGS = {
    "addr|address|register|offset": lambda chance: f"0x{chance.randrange(16, 255):02x}",
    "timeout|ttl|delay|interval|poll interval|retry delay|grace period": lambda chance: f"{chance.choice([1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90])}{chance.choice(['s', 'ms', 'm', ' s', ' min', 'h'])}",
    "port|debug port|metrics port": lambda chance: str(chance.randrange(1024, 65000)),
    "owner|lead|contact|on-call|code owner": lambda chance: chance.choice(NAMED[1]),
    "limit|max size|memory limit|quota|upload limit": lambda chance: f"{chance.choice([1, 2, 4, 8, 10, 16, 25, 64, 100, 256, 512])}{chance.choice(['MB', ' MB', 'Mi', ' GB', 'k', ' KB'])}",
    "version|minimum version": lambda chance: f"{chance.randrange(1, 30)}.{chance.randrange(20)}",
    "command|test command|build command|start command": lambda chance: chance.choice(["make", "just", "pnpm", "npm run", "cargo", "yarn", "tox -e", "./run"]) + " " + chance.choice(["check", "test", "build", "ci", "verify", "all"]),
    "baud rate|sample rate|clock": lambda chance: chance.choice(["9600", "19200", "115200", "921600", "48 kHz", "44.1 kHz", "400 kHz", "1 MHz"]),
}
SETTING_FORMS = ["{t} {a} {v}", "{t} {a}: {v}", "{a} of {t}: {v}", "the {t} {a} is {v}", "{t}: {a} {v}", "{v} for the {t} {a}", "set the {t} {a} to {v}"]


def settings(pairs, chance):
    """Notes of two to six words: another value of a setting is its opposite, another thing or another setting something else."""
    things = NAMED[0] + NAMED[3] + "gyro imu api worker sensor cache mailer gateway listener modem uploader".split()
    for number in range(4_000):
        held = number % 10 == 0
        names = chance.choice(list(SETTINGS))
        kind, (thing, another) = chance.choice(names.split("|")), chance.sample(things, 2)
        one, other = SETTINGS[names](chance), SETTINGS[names](chance)
        put = lambda t, a, v: chance.choice(SETTING_FORMS).format(t=t, a=a, v=v)
        form = chance.choice(SETTING_FORMS)
        if one == other:
            continue
        pairs.add(form.format(t=thing, a=kind, v=one), form.format(t=thing, a=kind, v=other), "opposite", "settings", held)
        pairs.add(put(thing, kind, one), put(thing, kind, other), "opposite", "settings", held)
        pairs.add(put(thing, kind, one), put(another, kind, chance.choice([one, other])), "unrelated", "settings", held)
        pairs.add(form.format(t=thing, a=kind, v=one), form.format(t=another, a=kind, v=other), "unrelated", "settings", held)
        first, then = put(thing, kind, one), put(thing, kind, one)
        if first != then:
            pairs.add(first, then, "same", "settings", held)
        kinds_of = chance.choice(list(SETTINGS))
        if kinds_of != names:
            elsewhere = chance.choice(kinds_of.split("|"))
            pairs.add(put(thing, kind, one), put(thing, elsewhere, SETTINGS[kinds_of](chance)), "unrelated", "settings", held)


def siblings(pairs, chance):
    """Notes in one form, which all hold at once."""
    for number, row in enumerate(lines("siblings.jsonl")):
        held, together = number % 10 == 0, row["together"]
        for known, new in itertools.permutations(together, 2):
            if chance.random() < 0.6:
                pairs.add(known, new, "unrelated", "siblings", held)
        # Where only numbers tell them apart, any other does.
        if "#" in re.sub(r"\d+", "#", together[0]) and len({re.sub(r"\d+", "#", said) for said in together}) == 1:
            for said in together * 4:
                pairs.add(said, renumbered(said, chance), "unrelated", "siblings", held)


def renumbered(said, chance):
    """With another number in the place of the first: later ones may be what is said of it."""
    number = re.search(r"\d+", said)
    other = str(int(number[0]) + chance.randrange(1, max(9, int(number[0]))))
    return said[: number.start()] + other + said[number.end() :]


def families(pairs, chance):
    """Facts of one subject that are easily confused and all hold at once: none is a wording or the end of another."""
    for number, family in enumerate(lines("families.jsonl")):
        held, facts, source = number % 12 == 0, family["facts"], f"families {number // FAMILIES}"
        for fact in facts:
            for known, new in itertools.permutations(fact["same"], 2):
                pairs.add(known, new, "same", source, held)
            for known, new in itertools.product(fact["same"], fact["opposite"]):
                pairs.add(known, new, "opposite", source, held)
                if chance.random() < 0.2:
                    pairs.add(new, known, "opposite", f"{source} again", held)
        for one, other in itertools.permutations(facts, 2):
            sides = list(itertools.product(one["same"], other["same"] + other["opposite"]))
            for known, new in chance.sample(sides, min(OF_NEIGHBOURS, len(sides))):
                pairs.add(known, new, "unrelated", f"{source} beside", held)


def same_and_opposite(pairs, values, held, chance):
    for value in values:
        for known, new in itertools.permutations(value["said"], 2):
            pairs.add(known, new, "same", "things", held)
    for (at, one), (to, other) in itertools.permutations(enumerate(values), 2):
        for known in one["said"]:
            for new in other["said"]:
                if at < to or chance.random() < 0.4:
                    pairs.add(known, new, "opposite", "things", held)
            changed = exchanged(known, one["value"], other["value"])
            if changed and not TOLD_AS_CHANGE.search(known):
                pairs.add(known, changed, "opposite", "another value", held)


def histories(pairs, chance):
    for name in HISTORIES:
        rows = json.load(open(HERE.parent / "history" / f"{name}.json", encoding="utf-8"))["topics"]
        source = f"history {name}"
        told = [(said, at, False) for at, topic in enumerate(rows) for said in of_topic(pairs, topic, (source, False), chance, 1)]
        across(pairs, told, source, chance, IN_A_HISTORY)


def topics(pairs, chance):
    told = []
    for number, topic in enumerate(lines("topics.jsonl")):
        held = number % 10 == 0
        told.extend((said, number, held) for said in of_topic(pairs, topic, (f"topics {number // TOPICS}", held), chance, 0.5))
    across(pairs, told, "topics across", chance)


def of_topic(pairs, topic, whose, chance, share):
    """What has one value at a time: said once and again, and then another, told as a change or not. What is said of the first two."""
    stated, change, last = topic["first"] + topic["again"], topic["change"], len(topic["values"]) - 1
    put = lambda texts, at: [text.replace("{v}", topic["values"][at]).replace("{old}", topic["values"][at - 1]) for text in texts]
    first, then = put(stated, 0), put(change, 1) if last else []
    add = lambda sides, label, share: [
        pairs.add(*pair, label, *whose) for pair in sides if pair[0] != pair[1] and chance.random() < share
    ]
    add(itertools.permutations(first, 2), "same", share)
    add(itertools.product(first, then), "opposite", 1)
    if last:
        add(itertools.product(then, put(stated, 1)), "same", 0.6 * share)
        add(itertools.product(put(stated, 1), first), "opposite", 0.6 * share)
    if last > 1:
        add(itertools.product(then, put(change, last)), "opposite", 0.6 * share)
        # What is known was told as a change itself, and names what held before.
        add(itertools.product(then, put(stated, last)), "opposite", share)
    return first + then


def weeks(pairs, chance):
    """What people typed to an agent in weeks of work, sentence by sentence: what is about one thing, and what holds beside it."""
    projects = {}
    for row in lines("../extraction/weeks.jsonl"):
        projects.setdefault(row["project"], []).append(row)
    for number, (project, rows) in enumerate(projects.items()):
        source, held = ("blind weeks", True) if project in WEEKS_HELD else (f"weeks {number // WEEKS}", False)
        lasting = [row for row in rows if row.get("value")]
        for (at, known), (to, new) in itertools.permutations(enumerate(lasting), 2):
            if known["about"] != new["about"]:
                continue
            label = "same" if known["value"] == new["value"] else "opposite"
            # Who goes back to what was contradicts what is.
            if label == "same" or at < to or chance.random() < 0.4:
                pairs.add(known["text"], new["text"], label, source, held)
        told = [(row["text"], row["about"], held) for row in lasting]
        across(pairs, told, source if held else f"{source} across", chance, IN_WEEKS)
        beside_passing(pairs, rows, lasting, (source, held), chance)


def beside_passing(pairs, rows, lasting, whose, chance):
    """What is said for now is taken for something that lasts now and then: it ends nothing for that."""
    for row in (row for row in rows if row["kind"] == "none"):
        others = [other for other in lasting if other["about"] != row.get("about")]
        for other in chance.sample(others, min(PASSING, len(others))):
            sides = [other["text"], row["text"]]
            if chance.random() < 0.25:
                sides.reverse()
            pairs.add(*sides, "unrelated", whose[0] if whose[1] else f"{whose[0]} passing", whose[1])
        # What touches on a thing and does not last neither repeats nor ends what is known of it.
        for other in (other for other in lasting if other["about"] == row.get("about") and not whose[1]):
            pairs.add(other["text"], row["text"], "unrelated", f"{whose[0]} touched on", False)


def exchangeable(same):
    """Two words of which one often stands where the other does when the same is said again: they may mean the same."""
    before, after, together = Counter(), Counter(), Counter()
    for pair in same:
        known, new = (set(WORD.findall(pair[side].lower())) for side in ("known", "new"))
        known, new = known - new, new - known
        before.update(known)
        after.update(new)
        together.update(itertools.product(known, new))
    all_words = before.total()
    likelier = lambda one, other, count: count * all_words / (before[one] * after[other])
    return {both for both, count in together.items() if count >= 2 and likelier(*both, count) >= MAY_MEAN_THE_SAME}


def apart(pairs, table, chance):
    """The same statements with another word of the kind in the place of one that both have."""
    counts = Counter(word for pair in pairs[::3] for text in (pair["known"], pair["new"]) for word in set(WORD.findall(text.lower())))
    words = [word for word, count in counts.items() if count >= 40 and word in table.index and word not in EMPTY]
    rows = table.rows[[table.index[word] for word in words]]
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    same = [pair for pair in pairs if pair["label"] == "same"]
    chance.shuffle(same)
    near, synonyms = {}, exchangeable(same)
    for at, word in enumerate(words):
        alike = rows @ rows[at]
        order = np.argsort(-alike, kind="stable")[1:40]
        is_another = lambda i: words[i][:4] != word[:4] and not {(word, words[i]), (words[i], word)} & synonyms
        near[word] = [words[i] for i in order if 0.3 < alike[i] < 0.72 and is_another(i)][:12]
    for pair in same:
        both = set(WORD.findall(pair["known"].lower())) & set(WORD.findall(pair["new"].lower()))
        both = sorted(word for word in both if near.get(word))
        if not both:
            continue
        word = chance.choice(both)
        other = exchanged(pair["new"], word, chance.choice(near[word]))
        sides = [pair["known"], other]
        if chance.random() < 0.5:
            sides.reverse()
        pairs.add(*sides, "apart", f"apart {pair['source']}", pair["held"])


def stated_across(pairs, chance):
    # Rules of one team are about the same few things and hold all the same: many of those are shown.
    settled = [(name, "settled across", 5) for name in SETTLED]
    for name, source, count in (("stated", "across", 5), ("rules", "rules across", 14), *settled):
        told = [
            (said, number, is_kept_back(name, row))
            for number, row in enumerate(lines(f"{name}.jsonl"))
            for said in row["same"] + row["opposite"] + row["other"]
        ]
        across(pairs, told, source, chance, count)


def across(pairs, told, source, chance, count=5):
    """Statements of different facts that share their rarest words: what a memory is compared with in a store of many. Only
    facts near each other in the file, which one person wrote: two who write about one thing may say the same of it."""
    words = [set(re.findall(r"[a-z0-9]{2,}", said.lower())) for said, _, _ in told]
    frequency = Counter(word for own in words for word in own)
    for at, (said, fact, held) in enumerate(told):
        first, last = max(0, at - ONE_WRITER), min(len(told), at + ONE_WRITER)
        others = [other for other in range(first, last) if told[other][1] != fact]
        shared = lambda other: sum(1 / frequency[word] for word in words[at] & words[other])
        near = sorted(others, key=shared, reverse=True)[: 6 * (count - 1)]
        for other in chance.sample(near, min(count - 1, len(near))) + chance.sample(others, 1):
            pairs.add(said, told[other][0], "unrelated", source, held or told[other][2])


def asked(pairs, chance):
    """What nobody labelled and a store is full of: statements of a fact that is not so any more beside each other, beside what
    goes with it, and statements that share their rarest words, whoever wrote them."""
    told = []
    rows = [(name, row) for name in ("stated", "rules", *SETTLED) for row in lines(f"{name}.jsonl")]
    for number, row in enumerate(row for name, row in rows if not is_kept_back(name, row)):
        told.extend((said, number) for said in row["same"] + row["opposite"] + row["other"])
        sides = list(itertools.permutations(row["opposite"], 2)) + list(itertools.product(row["opposite"], row["other"]))
        for known, new in chance.sample(sides, min(34, len(sides))):
            pairs.add(known, new, "asked", "asked", False)
    told += [(row["text"], -at) for at, row in enumerate(passing(), 1)]
    near_in_words(pairs, told, chance)


def passing():
    rows = [json.loads(line) for line in open(HERE.parent / "extraction" / "passing.jsonl", encoding="utf-8")]
    return [row for row in rows if row["split"] != "held"]


def near_in_words(pairs, told, chance):
    words = [set(re.findall(r"[a-z0-9]{2,}", said.lower())) for said, _ in told]
    having = {}
    for at, own in enumerate(words):
        for word in own:
            having.setdefault(word, []).append(at)
    for at, (said, fact) in enumerate(told):
        near = Counter()
        for word in words[at]:
            if len(having[word]) <= 400:
                near.update({other: 1 / len(having[word]) for other in having[word]})
        others = [other for other, _ in near.most_common(60) if told[other][1] != fact]
        for other in chance.sample(others, min(5, len(others))):
            pairs.add(said, told[other][0], "asked", "asked near", False)


def blind(pairs):
    """Kept back whole, to be reported."""
    for name in BLIND:
        for row in lines(f"{name}.jsonl"):
            sides = {"same": itertools.permutations(row["same"], 2), "opposite": itertools.product(row["same"], row["opposite"])}
            sides["unrelated"] = itertools.product(row["same"], row["other"])
            for label, both in sides.items():
                for known, new in both:
                    pairs.add(known, new, label, f"blind {name}", True)


def gathered(table):
    pairs, chance = Pairs(), random.Random(7)
    labelled(pairs)
    phrasings(pairs, chance)
    things(pairs, chance)
    numbered(pairs, chance)
    settings(pairs, chance)
    siblings(pairs, chance)
    families(pairs, chance)
    histories(pairs, chance)
    topics(pairs, chance)
    weeks(pairs, chance)
    apart(pairs, table, chance)
    stated_across(pairs, chance)
    asked(pairs, chance)
    blind(pairs)
    return pairs
