//! What somebody tells about the project in a plain sentence: who answers for what, which command does what, what is set to
//! what, how things are done, what has changed.

use throughline_store::memory::Kind;

use super::sentence::{Sentence, Word, find, starts};
use super::{Family, Found, Reason, doubt, fragment, nouns};
use crate::remember::consolidate::{self, Build};
use crate::words::is_in;

pub(super) fn says(sentence: &Sentence<'_>) -> Result<Option<Found>, Reason> {
    let found = replaced(sentence).or_else(|| over(sentence)).or_else(|| bidden(sentence));
    let found = found.or_else(|| plain(sentence));
    let Some(found) = found.or_else(|| announced(sentence)) else { return Ok(None) };
    if let Some(reason) = doubts(sentence) {
        return Err(reason);
    }
    Ok(Some(found))
}

/// What speaks against a sentence that tells something in passing.
pub(super) fn doubts(sentence: &Sentence<'_>) -> Option<Reason> {
    doubt::of_statement(sentence).or_else(|| match () {
        () if doubt::is_symptom(sentence) => Some(Reason::Symptom),
        () if doubt::is_local(sentence) || doubt::is_ordered(sentence) || asks_for_work(sentence) => {
            Some(Reason::Task)
        }
        () => None,
    })
}

/// Said to have something done at once.
fn asks_for_work(sentence: &Sentence<'_>) -> bool {
    fragment::is_needed_once(sentence)
        || sentence.has_any(&[
            "please",
            "again",
            "and tell",
            "and show",
            "and see",
            "and report",
            "and fix",
            "once more",
            "first and",
            "then",
            "for me",
            "let me know",
            "and commit",
            "and push",
            "and check",
        ])
}

fn plain(sentence: &Sentence<'_>) -> Option<Found> {
    let is_told = role(sentence)
        || command(sentence)
        || (speaks_of_things(sentence)
            && (amount(sentence)
                || switch(sentence)
                || custom(sentence)
                || required(sentence)
                || is_other_now(sentence)))
        || needed(sentence)
        || change(sentence);
    let kind = if sentence.has_any(&["must", "always", "never"]) { Kind::Rule } else { Kind::Fact };
    is_told.then(|| Found::new(Family::Environment, kind, 0.6, sentence.text))
}

/// "we upgraded: the frontend needs Node 22"
fn announced(sentence: &Sentence<'_>) -> Option<Found> {
    let (lead, rest) = sentence.text.split_once(": ")?;
    let is_short = lead.split_whitespace().count() <= 4 && !lead.contains('`');
    let told = Sentence::new(sentence.line, rest, sentence.next);
    let is_fact = plain(&told).is_some() || super::environment::is_fact(sentence.line, rest);
    let content = if is_value(rest) { sentence.text } else { rest };
    (is_short && is_fact).then(|| Found::new(Family::Environment, Kind::Fact, 0.6, content))
}

/// "api client timeouts: 8 seconds, upstream is slow": what it is the value of stands before it.
fn is_value(rest: &str) -> bool {
    let words = super::sentence::words(rest);
    let end = words.iter().position(|word| word.then.is_some());
    end.is_some_and(|end| {
        let clause = &words[..=end];
        clause.len() <= 4 && clause.iter().skip(1).all(|word| !fragment::is_verb(&word.text))
    })
}

/// "Marta owns billing", "the search team is led by Paul"
fn role(sentence: &Sentence<'_>) -> bool {
    const NOBODY: [&str; 17] = [
        "we", "i", "it", "they", "he", "she", "you", "this", "that", "who", "nobody", "somebody", "someone",
        "everyone", "there", "each", "which",
    ];
    let first = sentence.words.first();
    let is_name = |word: &&Word| word.is_capital && !word.is_name;
    let inside = sentence.words.iter().skip(1).any(|word| is_name(&word));
    let begins = first.is_some_and(|word| is_name(&word) && !matches!(word.text.as_str(), "the" | "our"));
    !NOBODY.contains(&sentence.word(0))
        && (inside || begins)
        && consolidate::build(sentence.text) == Some(Build::Role)
}

/// "to deploy, run `make ship`"; what the command is for must be said.
fn command(sentence: &Sentence<'_>) -> bool {
    let points =
        sentence.words.iter().any(|word| matches!(word.text.as_str(), "it" | "this" | "that" | "them"));
    let is_mine = matches!(sentence.word(0), "i" | "i've" | "i'll" | "let" | "let's");
    !points && !is_mine && consolidate::build(sentence.text) == Some(Build::Command)
}

fn speaks_of_things(sentence: &Sentence<'_>) -> bool {
    let first = sentence.word(0);
    let is_speaker = matches!(
        first,
        "i" | "it"
            | "this"
            | "that"
            | "you"
            | "he"
            | "she"
            | "they"
            | "there"
            | "these"
            | "those"
            | "what"
            | "if"
            | "when"
            | "some"
    );
    // "commit messages are …" orders nothing.
    let names = sentence
        .words
        .iter()
        .take(4)
        .any(|word| matches!(word.text.as_str(), "is" | "are" | "go" | "live" | "come"));
    let orders = sentence.words.first().is_some_and(nouns::is_order) && !names;
    !is_speaker && sentence.words.len() <= 16 && !orders
}

const UNITS: &str = "second seconds minute minutes hour hours day days week weeks month months year years ms mb gb kb percent times \
    retries replicas approvals connections workers characters";
const SETTING: [&str; 22] = [
    "is",
    "are",
    "time out",
    "times out",
    "expire",
    "expires",
    "is kept",
    "are kept",
    "keep",
    "allow",
    "allows",
    "need",
    "needs",
    "require",
    "requires",
    "stay",
    "stays",
    "have",
    "has",
    "wait",
    "retry",
    "is limited",
];

/// "requests time out after 30 seconds"
fn amount(sentence: &Sentence<'_>) -> bool {
    let words = &sentence.words;
    let counted = words.windows(2).any(|pair| {
        let number = &pair[0].text;
        let is_number = number.starts_with(|c: char| c.is_ascii_digit())
            || ["one", "two", "three", "four", "five"].contains(&number.as_str());
        is_number && is_in(UNITS, &pair[1].text)
    });
    let verb = SETTING.iter().filter_map(|verb| find(words, verb)).min();
    counted && verb.is_some_and(|at| at > 0 && at < 6)
}

/// "feature flags are disabled on staging"
fn switch(sentence: &Sentence<'_>) -> bool {
    let is_switched = [
        "is enabled",
        "are enabled",
        "is disabled",
        "are disabled",
        "is on",
        "are on",
        "is off",
        "are off",
        "is switched on",
        "is switched off",
        "are switched on",
        "are switched off",
        "is turned on",
        "is turned off",
        "are turned on",
        "are turned off",
    ];
    let places = [
        "production",
        "prod",
        "staging",
        "dev",
        "development",
        "ci",
        "default",
        "tests",
        "locally",
        "sandbox",
    ];
    // "prod is on fire" says something else.
    let ends = is_switched.iter().any(|phrase| {
        let at = find(&sentence.words, phrase).map(|at| at + phrase.split(' ').count());
        let next = at.map(|at| sentence.word(at));
        next.is_some_and(|next| matches!(next, "" | "in" | "on" | "for" | "by" | "now" | "everywhere"))
    });
    ends && sentence.words.iter().any(|word| places.contains(&word.text.as_str()))
}

const DONE: &str = "stored kept written saved sent pinned deployed cut released merged formatted logged encoded built generated hosted run \
    tagged reviewed named indented returned rounded signed hashed encrypted cached queued published applied tested made persisted serialized \
    serialised measured numbered sorted grouped versioned created routed maintained managed issued posted filed computed compiled retained \
    capped limited served shipped billed archived held tracked rendered scheduled printed";
const PLACING: [&str; 15] = [
    "as", "in", "from", "to", "with", "by", "at", "for", "on", "under", "into", "via", "off", "before",
    "after",
];
const GOING: [&str; 10] = [
    "go to",
    "goes to",
    "come from",
    "comes from",
    "live in",
    "lives in",
    "go in",
    "go into",
    "go through",
    "belong in",
];

/// "amounts are stored as integer cents", "alerts go to PagerDuty"
fn custom(sentence: &Sentence<'_>) -> bool {
    let words = &sentence.words;
    let subject_is_many = |at: usize| {
        let subject = &words[..at];
        let last = subject.last().map_or("", |word| word.text.as_str());
        let many = last.ends_with('s') && last.len() > 3;
        let ours = matches!(sentence.word(0), "our" | "all" | "every");
        !subject.is_empty()
            && subject.len() < 6
            && (many
                || ours
                || subject.iter().any(|word| nouns::is_surrounding(word) || nouns::is_tool(word)))
    };
    let passive = words.windows(2).position(|pair| {
        let is_done = is_in(DONE, &pair[1].text);
        matches!(pair[0].text.as_str(), "is" | "are") && is_done
    });
    let placed = passive.filter(|at| subject_is_many(*at)).is_some_and(|at| {
        let rest = &words[at + 2..];
        let is_placed = rest.iter().take(3).any(|word| PLACING.contains(&word.text.as_str()));
        rest.len() > 1 && (is_placed || words.len() <= 6)
    });
    let going = GOING.iter().find_map(|phrase| Some((find(words, phrase)?, phrase.split(' ').count())));
    let goes = going.is_some_and(|(at, length)| {
        let value = words.get(at + length..).unwrap_or_default();
        subject_is_many(at) && value.iter().take(3).any(|word| word.is_capital || nouns::is_specific(word))
    });
    placed || goes
}

/// "you need Docker for the integration tests", "reaching staging requires the VPN"
fn needed(sentence: &Sentence<'_>) -> bool {
    let words = &sentence.words;
    let verb = match () {
        () if sentence.starts("you need") => 1,
        () if sentence.word(0).ends_with("ing") && sentence.word(0).len() > 5 => {
            let verb =
                words.iter().take(6).position(|word| matches!(word.text.as_str(), "requires" | "needs"));
            verb.unwrap_or(words.len())
        }
        () => return false,
    };
    let value = words.get(verb + 1..).unwrap_or_default();
    let named = value.iter().take(3).any(|word| nouns::is_specific(word) || word.is_capital);
    let purpose = verb > 1 || value.iter().skip(1).any(|word| matches!(word.text.as_str(), "to" | "for"));
    named && purpose && words.len() <= 14
}

/// "Node 20 is required for the frontend"
fn required(sentence: &Sentence<'_>) -> bool {
    let at = ["is required for", "is needed for", "are required for", "is required to", "is needed to"]
        .iter()
        .find_map(|phrase| find(&sentence.words, phrase));
    at.is_some_and(|at| sentence.words[..at].iter().any(nouns::is_specific))
}

/// "we moved the mailer to port 2626", "CI moved to Buildkite": past, and true from then on.
fn change(sentence: &Sentence<'_>) -> bool {
    const CHANGED: [&str; 9] =
        ["switch", "moved", "switched", "upgraded", "migrated", "bumped", "changed", "renamed", "downgraded"];
    let words = &sentence.words;
    let Some(verb) = words.iter().take(8).position(|word| CHANGED.contains(&word.text.as_str())) else {
        return false;
    };
    let by = sentence.word(0);
    let is_ours = by == "we"
        || by == "we've"
        || (verb > 1 && matches!(by, "the" | "our"))
        || (verb == 1 && words[0].is_capital);
    let to = words[verb..].iter().position(|word| word.text == "to").map(|at| verb + at + 1);
    let value = to.map_or(&[][..], |to| &words[to..words.len().min(to + 4)]);
    is_ours && verb < 6 && value.iter().any(|word| word.is_capital || nouns::is_specific(word))
}

/// "ids are ULIDs now, no longer UUIDs"
fn is_other_now(sentence: &Sentence<'_>) -> bool {
    let words = &sentence.words;
    let verb =
        words.iter().take(6).position(|word| matches!(word.text.as_str(), "is" | "are" | "uses" | "use"));
    let Some(verb) = verb.filter(|verb| *verb > 0) else { return false };
    let against = super::correction::contrast(words) || find(words, "no longer").is_some_and(|at| at > verb);
    let named = words[verb + 1..].iter().take(3).any(|word| word.is_capital || nouns::is_specific(word));
    against && sentence.has("now") && named
}

/// "the mailer isn't on 25 any longer, it's on 26": what it is comes second.
fn over(sentence: &Sentence<'_>) -> Option<Found> {
    let (first, second) = sentence.text.split_once(", ")?;
    let gone = [" any more", " anymore", " any longer"].iter().any(|end| first.ends_with(end));
    let not = [" isn't ", " is not ", " aren't ", " are not ", " doesn't ", " does not ", " don't "];
    let subject = not.iter().find_map(|not| Some(first.split_once(not)?.0))?;
    let content = [("it's ", "is "), ("they're ", "are "), ("it is ", "is "), ("it ", ""), ("they ", "")]
        .iter()
        .find_map(|(lead, verb)| Some(format!("{subject} {verb}{}", second.strip_prefix(lead)?)))?;
    let is_thing =
        !matches!(subject.to_lowercase().as_str(), "i" | "we" | "it" | "you" | "this" | "that" | "they");
    let short = subject.split_whitespace().count() <= 5 && second.split_whitespace().count() <= 10;
    (gone && is_thing && short).then(|| Found::new(Family::Correction, Kind::Fact, 0.7, &content))
}

/// "stop using npm, use pnpm"
fn replaced(sentence: &Sentence<'_>) -> Option<Found> {
    let (old, new) = sentence.text.split_once(", use ").or_else(|| sentence.text.split_once(" and use "))?;
    let rest = ["stop using ", "don't use ", "do not use "].iter().find_map(|lead| {
        let begins = old.get(..lead.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(lead));
        begins.then(|| &old[lead.len()..])
    })?;
    let new = new.trim_end_matches(['.', '!', ' ']);
    let new = new.strip_suffix(" instead").unwrap_or(new);
    let short = |text: &str| (1..=4).contains(&text.split_whitespace().count());
    let named = super::sentence::words(new).iter().any(nouns::is_specific);
    (short(rest) && short(new) && named)
        .then(|| Found::new(Family::Correction, Kind::Rule, 0.7, &format!("Use {new}, not {rest}")))
}

/// "you should never accept a snapshot without reading its diff"
fn bidden(sentence: &Sentence<'_>) -> Option<Found> {
    let lead = ["you should never", "you should always", "you must never", "you must always"]
        .iter()
        .find(|lead| starts(&sentence.words, lead))?;
    let object = sentence.after(lead);
    let rest = sentence.text_after(2);
    (object.len() > 2 && !doubt::points(&object[1..]))
        .then(|| Found::new(Family::Convention, Kind::Rule, 0.65, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_bidden_begins_with_always_or_never() {
        for message in [
            "you should never accept a snapshot without reading its diff",
            "you should  never accept a snapshot without reading its diff",
            "you - should never accept a snapshot without reading its diff",
        ] {
            let found = says(&Sentence::new(1, message, None)).unwrap().unwrap();
            assert_eq!(found.content, "Never accept a snapshot without reading its diff", "{message}");
        }
    }
}
