//! What was decided, said by who was there: "we decided to use X", "let's go with X over Y", "Decision: …".

use throughline_store::memory::Kind;

use super::sentence::{Sentence, Word, find};
use super::{Family, Found, Reason, doubt, nouns};

/// Whoever says this has decided.
const DECIDED: &[&str] = &[
    "we decided",
    "we've decided",
    "we have decided",
    "we just decided",
    "we finally decided",
    "the team decided",
    "team decided",
    "it was decided",
    "was decided on",
    "that's decided",
    "it's decided",
    "we agreed",
    "we've agreed",
    "the team agreed",
    "team agreed",
    "we settled on",
    "we've settled on",
    "we chose",
    "we've chosen",
    "we have chosen",
    "we picked",
    "we've picked",
    "we opted",
    "we've opted",
    "we went with",
    "we're going with",
    "we are going with",
    "we'll go with",
    "we will go with",
    "we're moving to",
    "we're moving off",
    "we're moving from",
    "we are moving to",
    "we moved to",
    "we've moved",
    "we moved off",
    "we're migrating to",
    "we're switching to",
    "we switched to",
    "we're dropping",
    "we dropped",
    "we've dropped",
    "we are dropping",
    "we're rewriting",
    "we're sticking with",
    "we are sticking with",
    "we stick with",
    "we're staying with",
    "we're replacing",
    "we replaced",
    "we're deprecating",
    "we will use",
    "we'll use",
    "we're adopting",
    "we adopted",
    "we're going to use",
    "we are going to use",
    "i've decided we",
    "i decided we",
    "i have decided we",
    "i have decided that",
    "i decided to use",
    "i've decided to use",
    "i decided against",
    "i've decided against",
    "i've decided that",
    "i decided that",
    "we standardised on",
    "we standardized on",
    "we've standardised on",
    "we've standardized on",
];

/// Decisions that need a second sign: a named thing and what it was chosen over, or why.
const CHOOSING: &[&str] =
    &["let's go with", "let's stick with", "let's stay with", "lets go with", "going with", "go with"];
const OVER: &[&str] =
    &["over", "instead of", "rather than", "not", "no", "because", "since", "too", "was too", "and not"];

/// A line that is titled as a decision.
const TITLES: &[&str] = &["decision", "final decision", "decided", "design decision"];

pub(super) fn says(sentence: &Sentence<'_>) -> Result<Option<Found>, Reason> {
    let title = title(&sentence.words);
    let cue = DECIDED.iter().find_map(|cue| find(&sentence.words, cue).map(|at| (*cue, at)));
    let next = sentence.next.map(super::sentence::words).unwrap_or_default();
    let sealed =
        ["that's decided", "that is decided", "decided", "this is decided", "that was decided", "final"]
            .iter()
            .any(|phrase| super::sentence::starts(&next, phrase) && next.len() < 6);
    let chosen = CHOOSING.iter().find_map(|cue| sentence.starts(cue).then_some(*cue));
    let object = match (title, cue, chosen) {
        (Some(count), ..) => &sentence.words[count..],
        (None, Some((cue, at)), _) => beyond_that(&sentence.words[at + cue.split(' ').count()..]),
        (None, None, Some(cue)) => sentence.after(cue),
        (None, None, None) if sealed => &sentence.words[..],
        (None, None, None) => return Ok(None),
    };
    if let Some(reason) = doubts(sentence, cue.map(|(cue, _)| cue)) {
        return Err(reason);
    }
    let named_of = |words: &[Word]| !doubt::is_unresolved(words) && words.len() > 2;
    let closes = cue.is_some_and(|(cue, _)| {
        cue.contains("that's decided") || cue.contains("was decided") || cue.contains("it's decided")
    });
    // "ClickHouse won, we're going with it": what it is was said before.
    let named_before = cue.is_some_and(|(_, at)| {
        sentence.words[..at].iter().any(|word| nouns::is_specific(word) || word.is_capital)
    });
    if closes
        && !cue.is_some_and(|(cue, at)| {
            named_of(&sentence.words[..at]) || named_of(&sentence.words[at + cue.split(' ').count()..])
        })
    {
        return Err(Reason::Unresolved);
    }
    if !closes && !named_before && (doubt::is_unresolved(object) || doubt::points(object)) {
        return Err(Reason::Unresolved);
    }
    // Meetings are decided on too.
    let sociable =
        ["to meet", "to talk", "to wait", "to discuss", "to sync", "to have a", "to celebrate", "to call"];
    if sociable.iter().any(|phrase| super::sentence::starts(object, phrase)) {
        return Err(Reason::Task);
    }
    if title.is_none() && cue.is_none() && !sealed && !is_chosen_over(object) {
        return Err(Reason::Task);
    }
    if cue.is_some_and(|(cue, _)| matches!(cue, "we'll use" | "we will use" | "we picked" | "we chose"))
        && doubt::is_local(sentence)
    {
        return Err(Reason::Task);
    }
    let kind = match cue {
        Some((cue, _)) if cue.contains("standardi") => Kind::Rule,
        _ => Kind::Decision,
    };
    let content = match title {
        Some(_) => sentence.text.split_once(':').map_or(sentence.text, |(_, content)| content),
        None => sentence.text,
    };
    Ok(Some(Found::new(Family::Decision, kind, 0.75, content)))
}

/// A decision is told in the past, so only the past of somebody else speaks against it.
fn doubts(sentence: &Sentence<'_>, cue: Option<&str>) -> Option<Reason> {
    let long_ago = sentence.has_any(&[
        "back then",
        "back in",
        "used to",
        "but reverted",
        "had decided",
        "nothing came of",
        "previous team",
        "old team",
        "other team",
        "their team",
        "long before",
    ]);
    let to_say = sentence.starts_any(&[
        "write", "document", "show", "explain", "when we", "since", "while", "because", "add", "list", "why",
        "where",
    ]);
    // "postponed until after the launch" is what was decided.
    let is_term = sentence.has("until") && !sentence.has_any(&["for now", "until we", "until then"]);
    let reason = doubt::of_statement(sentence)
        .filter(|reason| *reason != Reason::Past || cue.is_none())
        .filter(|reason| *reason != Reason::Temporary || !is_term);
    match () {
        () if to_say => Some(Reason::Task),
        () if long_ago => Some(Reason::Past),
        () => reason,
    }
}

/// "we decided that …" points at nothing.
fn beyond_that(object: &[Word]) -> &[Word] {
    match object {
        [that, rest @ ..] if that.text == "that" && rest.len() > 2 => rest,
        _ => object,
    }
}

/// How many words the title has.
fn title(words: &[Word]) -> Option<usize> {
    let end = words.iter().take(6).position(|word| word.then == Some(':'))? + 1;
    let is_title = TITLES.iter().any(|title| super::sentence::starts(words, title));
    (is_title && words.len() > end).then_some(end)
}

fn is_chosen_over(object: &[Word]) -> bool {
    let bare = !matches!(
        object.first().map_or("", |word| word.text.as_str()),
        "a" | "an" | "the" | "your" | "my" | "option"
    );
    let is_named = |word: &Word| nouns::is_specific(word) || word.is_capital || word.text.contains('-');
    let named = object.iter().take(3).any(is_named);
    let is_for_something = find(object, "for").is_some_and(|at| at > 0 && object.len() > at + 1)
        && object.first().is_some_and(|word| nouns::is_tool(word) || word.has_hump);
    bare && named && (is_for_something || OVER.iter().any(|over| find(object, over).is_some()))
}
