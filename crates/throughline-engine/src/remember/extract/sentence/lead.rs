//! What leads up to a statement and says nothing of what it says: "no,", "heads up:", "one thing before we start:".

use super::{Leads, Word, starts, words};
use crate::words::is_in;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lead {
    Filler,
    Informs,
    Corrects,
    Insists,
}

/// What stands before a statement and is followed by a sign.
const BEFORE_A_SIGN: &[(&str, Lead)] = &[
    ("no", Lead::Corrects),
    ("no no", Lead::Corrects),
    ("nope", Lead::Corrects),
    ("nah", Lead::Corrects),
    ("wrong", Lead::Corrects),
    ("incorrect", Lead::Corrects),
    ("not quite", Lead::Corrects),
    ("that's wrong", Lead::Corrects),
    ("that's not right", Lead::Corrects),
    ("that is wrong", Lead::Corrects),
    ("actually", Lead::Corrects),
    ("correction", Lead::Corrects),
    ("wait", Lead::Corrects),
    ("wait no", Lead::Corrects),
    ("oh wait", Lead::Corrects),
    ("hold on", Lead::Corrects),
    ("hang on", Lead::Corrects),
    ("again", Lead::Insists),
    ("once more", Lead::Insists),
    ("once again", Lead::Insists),
    ("told you", Lead::Insists),
    ("told you before", Lead::Insists),
    ("told you already", Lead::Insists),
    ("as i told you", Lead::Insists),
    ("as i told you last time", Lead::Insists),
    ("like i told you last time", Lead::Insists),
    ("i said it before", Lead::Insists),
    ("i said this before", Lead::Insists),
    ("as i said last time", Lead::Insists),
    ("i've told you", Lead::Insists),
    ("as i said before", Lead::Insists),
    ("as mentioned", Lead::Insists),
    ("like i told you", Lead::Insists),
    ("to repeat", Lead::Insists),
    ("we've been over this", Lead::Insists),
    ("as i said", Lead::Insists),
    ("like i said", Lead::Insists),
    ("i told you", Lead::Insists),
    ("i told you before", Lead::Insists),
    ("i keep telling you", Lead::Insists),
    ("how often do i have to say it", Lead::Insists),
    ("how many times", Lead::Insists),
    ("same mistake again", Lead::Insists),
    ("same mistake", Lead::Insists),
    ("one last time", Lead::Insists),
    ("fyi", Lead::Informs),
    ("heads up", Lead::Informs),
    ("for the record", Lead::Informs),
    ("btw", Lead::Informs),
    ("by the way", Lead::Informs),
    ("just so you know", Lead::Informs),
    ("important", Lead::Informs),
    ("note", Lead::Informs),
    ("before we start", Lead::Informs),
    ("before you start", Lead::Informs),
    ("before i forget", Lead::Informs),
    ("while i'm at it", Lead::Informs),
    ("for context", Lead::Informs),
    ("tip", Lead::Informs),
    ("pro tip", Lead::Informs),
    ("hint", Lead::Informs),
    ("reminder", Lead::Informs),
    ("one more thing", Lead::Informs),
    ("another thing", Lead::Informs),
    ("after the meeting", Lead::Informs),
    ("to sum up", Lead::Informs),
    ("the thing is", Lead::Informs),
    ("thing is", Lead::Informs),
    ("here's the thing", Lead::Informs),
    ("the point is", Lead::Informs),
    ("long story short", Lead::Informs),
    ("to be clear", Lead::Informs),
    ("just to be clear", Lead::Informs),
    ("for what it's worth", Lead::Informs),
    ("so to sum up", Lead::Informs),
    ("ok", Lead::Filler),
    ("okay", Lead::Filler),
    ("yes", Lead::Filler),
    ("yeah", Lead::Filler),
    ("yep", Lead::Filler),
    ("sure", Lead::Filler),
    ("great", Lead::Filler),
    ("great work", Lead::Filler),
    ("good", Lead::Filler),
    ("good start", Lead::Filler),
    ("nice", Lead::Filler),
    ("cool", Lead::Filler),
    ("perfect", Lead::Filler),
    ("looks good", Lead::Filler),
    ("thanks", Lead::Filler),
    ("thank you", Lead::Filler),
    ("first", Lead::Filler),
    ("second", Lead::Filler),
    ("third", Lead::Filler),
    ("finally", Lead::Filler),
    ("well", Lead::Filler),
    ("hmm", Lead::Filler),
    ("hm", Lead::Filler),
    ("oh", Lead::Filler),
    ("ah", Lead::Filler),
    ("sorry", Lead::Filler),
    ("hey", Lead::Filler),
    ("hi", Lead::Filler),
    ("hello", Lead::Filler),
    ("next", Lead::Filler),
    ("next up", Lead::Filler),
    ("next thing", Lead::Filler),
    ("next one", Lead::Filler),
    ("last one", Lead::Filler),
    ("last thing", Lead::Filler),
    ("quick one", Lead::Filler),
    ("moving on", Lead::Filler),
    ("now", Lead::Filler),
    ("alright", Lead::Filler),
    ("all right", Lead::Filler),
    ("right", Lead::Filler),
    ("anyway", Lead::Filler),
    ("anyways", Lead::Filler),
    ("fine", Lead::Filler),
    ("got it", Lead::Filler),
    ("gotcha", Lead::Filler),
    ("awesome", Lead::Filler),
    ("excellent", Lead::Filler),
    ("lovely", Lead::Filler),
    ("morning", Lead::Filler),
    ("good morning", Lead::Filler),
    ("cheers", Lead::Filler),
    ("thx", Lead::Filler),
    ("hey there", Lead::Filler),
    ("hi again", Lead::Filler),
    ("agreed", Lead::Filler),
    ("correct", Lead::Filler),
    ("exactly", Lead::Filler),
];

/// What stands before a statement without any sign.
const BEFORE_ANYTHING: &[(&str, Lead)] = &[
    ("fyi", Lead::Informs),
    ("heads up", Lead::Informs),
    ("btw", Lead::Informs),
    ("by the way", Lead::Informs),
    ("just so you know", Lead::Informs),
    ("actually", Lead::Corrects),
    ("nope", Lead::Corrects),
    ("ok", Lead::Filler),
    ("okay", Lead::Filler),
    ("so", Lead::Filler),
    ("and", Lead::Filler),
    ("but", Lead::Filler),
    ("though", Lead::Filler),
    ("also", Lead::Filler),
    ("then", Lead::Filler),
    ("please", Lead::Filler),
    ("pls", Lead::Filler),
    ("plz", Lead::Filler),
    ("well", Lead::Filler),
    ("hmm", Lead::Filler),
    ("oh", Lead::Filler),
    ("yes", Lead::Filler),
    ("yeah", Lead::Filler),
    ("thanks", Lead::Filler),
    ("looks good thanks", Lead::Filler),
];

/// After a bare "no" these words go on with what is right instead.
const AFTER_BARE_NO: &[&str] = &["use", "we", "don't", "do", "our", "the", "it's", "always", "never"];

/// What leads up to the statement, and the statement.
pub(super) fn lead_in(whole: &str) -> (Leads, &str) {
    let mut leads = Leads::default();
    let mut text = whole.trim();
    // Each step takes words away, and nobody says more than a few of these.
    for _ in 0..6 {
        let Some((lead, after)) = next_lead(text) else { break };
        let rest = text[after..].trim_start_matches(|c: char| {
            c.is_whitespace() || matches!(c, ',' | ':' | ';' | '-' | '–' | '—' | '!' | '.')
        });
        if rest.is_empty() {
            break;
        }
        match lead {
            Lead::Filler => {}
            Lead::Informs => leads.informs = true,
            Lead::Corrects => leads.corrects = true,
            Lead::Insists => leads.insists = true,
        }
        text = rest;
    }
    (leads, text)
}

/// The longest lead that the text begins with, and where what follows it begins.
fn next_lead(text: &str) -> Option<(Lead, usize)> {
    // Leads are a few words long, and so is a reproach before a colon.
    let near: usize = text.split_inclusive(char::is_whitespace).take(10).map(str::len).sum();
    let words = words(&text[..near]);
    let count = |phrase: &str| phrase.split(' ').count();
    let is_parted = |phrase: &&(&str, Lead)| {
        starts(&words, phrase.0) && words.get(count(phrase.0) - 1).is_some_and(|word| word.then.is_some())
    };
    let parted = BEFORE_A_SIGN.iter().filter(is_parted);
    let plain = BEFORE_ANYTHING.iter().filter(|(phrase, _)| starts(&words, phrase));
    let best = parted.chain(plain).max_by_key(|(phrase, _)| count(phrase));
    let bare_no =
        starts(&words, "no") && words.get(1).is_some_and(|word| AFTER_BARE_NO.contains(&word.text.as_str()));
    let (lead, count) = reproach(&words)
        .map(|count| (Lead::Corrects, count))
        .or_else(|| notice(&words).map(|count| (Lead::Informs, count)))
        .or_else(|| best.map(|(phrase, lead)| (*lead, count(phrase))))
        .or(bare_no.then_some((Lead::Corrects, 1)))?;
    Some((lead, words[count - 1].after))
}

/// "That's not how we build it:" says that what follows is right instead.
fn reproach(words: &[Word]) -> Option<usize> {
    let begins =
        ["that's not how", "that is not how", "not like that"].iter().any(|phrase| starts(words, phrase));
    let end = words.iter().position(|word| matches!(word.then, Some(':' | ',' | '—' | '–')))?;
    begins.then_some(end + 1)
}

/// "One thing before we start:", "small reminder from my side -": that something is said, and not what.
fn notice(words: &[Word]) -> Option<usize> {
    const FEW: usize = 8;
    const SMALL: &str =
        "one another a small quick last little minor tiny side short friendly gentle just final other";
    const NOTICES: &str = "thing things note reminder detail remark correction point fyi heads";
    let noun = words.iter().take(4).position(|word| is_in(NOTICES, &word.text)).filter(|noun| *noun > 0)?;
    let end = words
        .iter()
        .take(FEW)
        .position(|word| matches!(word.then, Some(':' | ',' | '—' | '–' | '.' | '!')))?;
    let is_small = words[..noun].iter().all(|word| is_in(SMALL, &word.text) || word.text == "more");
    // "one thing per pull request" says more than that something is said.
    const GOING_ON: &str = "up before we i you start begin forget first though for later upfront from my side real quickly so to know else also go";
    let is_bare = words[..=end].iter().skip(noun + 1).all(|word| is_in(GOING_ON, &word.text));
    (is_small && end >= noun && is_bare).then_some(end + 1)
}
