//! What something is, where it is kept, what it is done with, and what of that has changed: a subject, a verb that ties a
//! value to it, and a value that says which. The verbs are those of any trade; what makes the sentence worth keeping is the
//! value, or that it is said to hold from now on.

use throughline_store::memory::Kind;

use super::sentence::{Sentence, Word, find};
use super::{Family, Found, Reason, doubt, nouns};
use crate::words::is_in;

pub(super) fn says(sentence: &Sentence<'_>) -> Result<Option<Found>, Reason> {
    let Some(content) = content(sentence) else { return Ok(None) };
    let is_task = doubt::is_local(sentence) || doubt::is_ordered(sentence) || asks(sentence);
    match doubt::of_statement(sentence) {
        Some(reason) => Err(reason),
        None if doubt::is_symptom(sentence) => Err(Reason::Symptom),
        None if is_task => Err(Reason::Task),
        None => Ok(Some(Found::new(Family::Environment, kind(sentence), 0.6, &content))),
    }
}

/// What is told, without what leads up to it.
fn content(sentence: &Sentence<'_>) -> Option<String> {
    if let Some(rest) = it_is_who(sentence).filter(|rest| rest.split_whitespace().count() > 2) {
        return Some(rest);
    }
    if is_told(sentence) {
        return Some(sentence.text.to_owned());
    }
    let part = |text: &str| is_told(&Sentence::new(sentence.line, text, sentence.next));
    // "we changed our minds: prices are rounded half even"
    if let Some((lead, rest)) = sentence.text.split_once(": ") {
        let leads = lead.split_whitespace().count() <= 8 && !lead.contains(['`', '"']);
        return (leads && part(rest)).then(|| rest.to_owned());
    }
    // "we left Figma; the mockups are in Penpot now": what is gone comes first, and says what it is instead of.
    let (gone, rest) = sentence.text.split_once(", ").or_else(|| sentence.text.split_once("; "))?;
    let gone = Sentence::new(sentence.line, gone, None);
    let last = gone.words.last().map_or("", |word| word.text.as_str());
    let is_gone = gone.words.len() <= 6
        && (gone.starts_any(&["we", "we're", "we've", "forget"]) || is_in("gone dead out over closed", last));
    (is_gone && part(rest)).then(|| sentence.text.to_owned())
}

fn is_told(sentence: &Sentence<'_>) -> bool {
    (1..=MAX_WORDS).contains(&sentence.words.len())
        && !speaks_of_a_moment(sentence)
        && (tied(sentence)
            || ours(sentence)
            || changed(sentence)
            || replaces(sentence)
            || labelled(sentence)
            || has_one(sentence))
}

/// "it's Wen who signs off releases"
fn it_is_who(sentence: &Sentence<'_>) -> Option<String> {
    let who = sentence.words.iter().take(4).position(|word| word.text == "who")?;
    let named = sentence.words.get(1..who)?.iter().any(|word| word.is_capital);
    let (lead, rest) = sentence.text.split_once(" who ")?;
    let name = lead.split_once(char::is_whitespace)?.1;
    (sentence.word(0) == "it's" && named).then(|| format!("{name} {rest}"))
}

/// Longer sentences tell a story.
const MAX_WORDS: usize = 16;

fn kind(sentence: &Sentence<'_>) -> Kind {
    if sentence.has_any(&["must", "always", "never"]) { Kind::Rule } else { Kind::Fact }
}

/// "the app is released every two weeks": a form of "be", or a verb in the present, and a value behind it.
fn tied(sentence: &Sentence<'_>) -> bool {
    let words = &sentence.words;
    let Some(verb) = (1..words.len().min(7)).find(|at| is_tying(words, *at)) else { return false };
    let (subject, rest) = (&words[..verb], &words[verb + 1..]);
    let explains = matches!(
        rest.first().map_or("", |word| word.text.as_str()),
        "that" | "why" | "how" | "what" | "when" | "because" | "about" | "like"
    );
    let is_habit = subject.iter().any(|word| matches!(word.text.as_str(), "always" | "never" | "also"));
    names_a_thing(subject)
        && !explains
        && !is_habit
        && (has_value(rest) || holds_now(sentence) && is_placed(rest))
}

/// "we round prices half up", "we keep raw telemetry for 30 days", "you find the mockups in Figma": done always.
fn ours(sentence: &Sentence<'_>) -> bool {
    let verb = sentence.word(1);
    let finds = sentence.starts_any(&["you find", "you can find", "you'll find"]);
    let does = finds || sentence.word(0) == "we" && is_in(DOING, verb);
    let rest = sentence.words.get(2..).unwrap_or_default();
    does && rest.len() > 1 && (has_value(rest) || holds_now(sentence))
}

/// "the log level in production is info": of some things there is one, whatever it is called.
fn has_one(sentence: &Sentence<'_>) -> bool {
    const ONE: &str = "level port limit version name branch url address timeout threshold cap owner license currency prefix format \
        default region retention cadence schedule interval";
    const JUDGING: &str = "too very not still high low wrong missing empty unknown fine different the a an null undefined set unclear ok \
        confusing ugly there up down broken";
    let words = &sentence.words;
    let Some(verb) = words.iter().take(7).position(|word| word.text == "is") else { return false };
    let (subject, value) = (&words[..verb], &words[verb + 1..]);
    // "ERROR is the log level in prod"
    let is_first = verb <= 2
        && subject.iter().any(|word| word.is_capital || nouns::is_specific(word))
        && value.first().is_some_and(|word| word.text == "the")
        && value.len() <= 7
        && value.iter().skip(1).take(3).any(|word| is_in(ONE, &word.text));
    if is_first && names_a_thing(subject) {
        return true;
    }
    let value =
        if value.last().is_some_and(|word| word.text == "now") { &value[..value.len() - 1] } else { value };
    let judges = value.first().is_none_or(|word| is_in(JUDGING, &word.text) || word.text.ends_with("ing"));
    subject.len() > 1
        && names_a_thing(subject)
        && subject.iter().any(|word| is_in(ONE, &word.text))
        && (1..=2).contains(&value.len())
        && !judges
}

/// "the upload limit was raised to 50 MB", "standup moved to 11:00", "we shifted the handover from Mondays to Fridays"
fn changed(sentence: &Sentence<'_>) -> bool {
    let words = &sentence.words;
    let Some(verb) = words.iter().take(8).position(|word| is_in(CHANGING, &word.text)) else { return false };
    let subject: Vec<Word> =
        words[..verb].iter().filter(|word| !is_in(HELPING, &word.text)).cloned().collect();
    let by_us = matches!(sentence.word(0), "we" | "we've");
    // "bumped the sensor board to 115200 baud": who did it goes without saying.
    let by_nobody = verb == 0 && words[0].text.ends_with("ed");
    let rest = &words[verb + 1..];
    let to =
        rest.iter().position(|word| matches!(word.text.as_str(), "to" | "into" | "over" | "with" | "at"));
    let value = to.map_or(&[][..], |to| &rest[to + 1..]);
    let is_object = to.is_some_and(|to| to > 1);
    match () {
        () if by_us || by_nobody => is_object && (has_value(value) || find(rest, "from").is_some()),
        () => names_a_thing(&subject) && to.is_some() && !value.is_empty() && value.len() <= 8,
    }
}

/// "Tecton replaced Feast as the feature store", "Wen took over signing off releases from Tomas"
fn replaces(sentence: &Sentence<'_>) -> bool {
    let words = &sentence.words;
    let named = |words: &[Word]| words.iter().any(|word| word.is_capital || nouns::is_specific(word));
    let took = find(words, "took over").or_else(|| find(words, "takes over"));
    let by_name = took.or_else(|| {
        words.iter().take(4).position(|word| matches!(word.text.as_str(), "replaced" | "replaces"))
    });
    let swapped = words
        .iter()
        .take(4)
        .position(|word| matches!(word.text.as_str(), "swapped" | "replaced" | "retired"));
    let for_what =
        ["for", "with", "by", "in favour of", "in favor of"].iter().any(|by| find(words, by).is_some());
    let by_us = matches!(sentence.word(0), "we" | "we've");
    let both = |at: usize| named(&words[..at]) && named(&words[at + 1..]) && words.len() > at + 3;
    by_name.is_some_and(|at| at > 0 && !by_us && both(at))
        || (by_us && for_what && swapped.is_some_and(|at| named(&words[at + 1..]) && words.len() > at + 4))
}

/// "ward tablets: Android 14 now", "new address for staging: staging.acme.io"
fn labelled(sentence: &Sentence<'_>) -> bool {
    if let Some((thing, value)) = sentence.text.split_once(" = ") {
        let (thing, value) = (super::sentence::words(thing), super::sentence::words(value));
        return thing.len() > 1 && names_a_thing(&thing) && value.len() <= 4 && has_value(&value);
    }
    let words = &sentence.words;
    let Some(end) = words.iter().take(7).position(|word| word.then == Some(':')) else { return false };
    let (subject, value) = (&words[..=end], &words[end + 1..]);
    let subject = if subject[0].text == "new" { &subject[1..] } else { subject };
    let plain = subject.len() > 1 || holds_now(sentence) || sentence.leads.informs;
    // "flag for the new checkout: co_redesign"
    let parted: Vec<Word> = subject.iter().filter(|word| word.text != "new").cloned().collect();
    plain && names_a_thing(&parted) && (1..=6).contains(&value.len()) && has_value(value)
}

const BEING: [&str; 5] = ["is", "are", "isn't", "aren't", "will"];
/// These say how something is only before what was done to it: "was moved", "got pushed", "has been set".
const BECOMING: [&str; 9] = ["was", "were", "got", "gets", "get", "has", "have", "wasn't", "hasn't"];
const TYING: &str = "run runs use uses live lives sit sits stay stays come comes go goes talk talks speak speaks publish publishes start \
    starts begin begins needs requires require target targets expire expires allow allows end ends point points listen listens log \
    logs last lasts happen happens take takes belong belongs sign signs own owns looks times sends send found reached";
const DOING: &str = "use keep store send write do round release build compute issue manage host deploy run get ship make publish track log \
    bill file post review sign test format document name call put schedule compile render serve back cache draw measure plan";
const CHANGING: &str = "moved switched upgraded updated migrated bumped changed renamed downgraded raised lowered cut doubled increased \
    reduced pushed shifted ported rewritten swapped extended shortened set relicensed transferred handed went turned reimplemented halved \
    tripled slipped grew shrank dropped";
/// What stands between a subject and what was done to it.
const HELPING: &str = "is are was were got gets has have been being just now finally recently also had";

fn is_tying(words: &[Word], at: usize) -> bool {
    let word = words[at].text.as_str();
    let next = words.get(at + 1).map_or("", |word| word.text.as_str());
    let is_done = next == "been" || (next.len() > 4 && (next.ends_with("ed") || next.ends_with("en")));
    let has_the = matches!(word, "has" | "have") && matches!(next, "the" | "at");
    BEING.contains(&word) || (BECOMING.contains(&word) && is_done) || has_the || is_in(TYING, word)
}

/// Something that can be spoken of later: no pronoun, no order, not too long a name.
fn names_a_thing(subject: &[Word]) -> bool {
    const POINTING: &str = "i i've i'm we we've you he she it it's this that that's these those they there here what who if when while \
        some something someone somebody nobody everyone everything nothing let let's and but because my your his her their another one as \
        after before since so to for not no don't never always please can could should would will may make sure";
    // What one speaks of while it is being worked on.
    const AT_HAND: &str = "code problem issue bug error meeting test function class method field button result output response \
        request reason goal idea plan task script loop query example table variable exception crash failure fix change diff page";
    let first = subject.first().map_or("", |word| word.text.as_str());
    let second = subject.get(1).map_or("", |word| word.text.as_str());
    let is_at_hand =
        matches!(first, "the" | "a" | "an" | "one") && subject.len() == 2 && is_in(AT_HAND, second);
    let is_order = first == "keep" || (subject.first().is_some_and(nouns::is_order) && subject.len() != 2);
    let clauses = subject.iter().filter(|word| matches!(word.then, Some(',' | ';' | '—'))).count();
    let is_new = subject.iter().any(|word| matches!(word.text.as_str(), "new" | "i" | "you"));
    (1..=6).contains(&subject.len())
        && !is_in(POINTING, first)
        && !is_order
        && clauses == 0
        && !is_new
        && !is_at_hand
}

/// Says which: a name, a number, a time, a day, something written as nobody writes words.
fn has_value(words: &[Word]) -> bool {
    let near = &words[..words.len().min(10)];
    near.iter().any(|word| {
        word.is_capital && word.text != "i" && !word.text.starts_with("i'")
            || nouns::is_specific(word)
            || crate::remember::alternatives::is_known(&word.text)
    }) || counted(near)
        || ends_with_name(words)
}

/// "… computed with bge-small": a name of parts in the place of a value.
fn ends_with_name(words: &[Word]) -> bool {
    let words = match words {
        [words @ .., last] if matches!(last.text.as_str(), "now" | "nowadays") => words,
        words => words,
    };
    let [.., before, last] = words else { return false };
    let placed =
        matches!(before.text.as_str(), "with" | "from" | "on" | "by" | "in" | "to" | "as" | "under" | "at");
    placed && last.text.split('-').filter(|part| part.len() > 1).count() > 1
}

fn counted(words: &[Word]) -> bool {
    const NUMBERS: &str = "one two three four five six seven eight nine ten twelve twenty";
    words.windows(2).any(|pair| is_in(NUMBERS, &pair[0].text) && pair[1].text.len() > 3)
}

/// Somebody says that it is so from now on, or that it is not what it was.
fn holds_now(sentence: &Sentence<'_>) -> bool {
    let now =
        ["now", "nowadays", "these days", "from now on", "instead of", "no longer", "any more", "anymore"];
    let against = super::correction::contrast(&sentence.words) || sentence.has_any(&["and not", "but in"]);
    sentence.has_any(&now) || against || sentence.leads.corrects
}

/// "… in dollars", "… with hugo"
fn is_placed(words: &[Word]) -> bool {
    const PLACING: [&str; 14] = [
        "in", "at", "on", "by", "with", "to", "from", "via", "through", "under", "into", "every", "for", "as",
    ];
    let at = words.iter().take(4).position(|word| PLACING.contains(&word.text.as_str()));
    at.is_some_and(|at| words.len() > at + 1)
}

/// How things go at this moment, and what is being done about it.
fn speaks_of_a_moment(sentence: &Sentence<'_>) -> bool {
    let going = sentence.words.windows(2).any(|pair| {
        BEING.contains(&pair[0].text.as_str()) && pair[1].text.ends_with("ing") && pair[1].text.len() > 5
    });
    let judged =
        ["slow", "bad", "great", "fine", "ok", "good", "ready", "done", "green", "red", "late", "back"];
    let is_judged = sentence
        .words
        .windows(2)
        .any(|pair| BEING.contains(&pair[0].text.as_str()) && judged.contains(&pair[1].text.as_str()));
    going || is_judged
}

fn asks(sentence: &Sentence<'_>) -> bool {
    let orders = sentence.words.windows(2).any(|pair| pair[0].then.is_some() && nouns::is_order(&pair[1]));
    orders
        || sentence.has_any(&[
            "please",
            "once more",
            "for me",
            "let me know",
            "and tell",
            "and show",
            "and check",
        ])
}
