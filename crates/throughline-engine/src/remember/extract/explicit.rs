//! What a user asks to be remembered: "remember that …", "from now on …", "for future reference: …".

use throughline_store::memory::{Kind, Source};

use super::sentence::{Sentence, Word, starts};
use super::{Family, Found, Reason, doubt, lasting};

/// What asks for it; longer ones first, so that nothing of them stays in the statement.
const CUES: &[&str] = &[
    "please remember this",
    "remember this",
    "please remember the following",
    "remember the following",
    "please remember for next time",
    "remember for next time",
    "remember for the future",
    "please remember that",
    "please remember",
    "remember that",
    "remember",
    "always remember that",
    "always remember",
    "please don't forget that",
    "don't forget that",
    "do not forget that",
    "don't forget",
    "do not forget",
    "never forget that",
    "never forget",
    "please keep in mind that",
    "keep in mind that",
    "please keep in mind",
    "keep in mind",
    "bear in mind that",
    "bear in mind",
    "for future reference",
    "note for later",
    "note for the future",
    "note to self",
    "for next time",
    "make a note that",
    "make a note",
    "take note that",
    "take note",
    "please note that",
    "note that",
    "memorize that",
    "memorize",
    "memorise",
    "add to memory that",
    "add to memory",
    "add this to memory",
    "add this to your memory",
    "save to memory that",
    "save to memory",
    "save this to memory",
    "store in memory that",
    "store this in memory",
    "put this in your memory",
    "commit this to memory",
    "from now on",
    "from here on",
    "from this point on",
    "going forward",
    "in future",
    "in the future",
    "for all future",
    "henceforth",
];

/// After "remember" these ask for something to be done once, or speak of the past.
const NOT_STATEMENTS: &[&str] = &[
    "to", "the", "me", "when", "how", "what", "where", "which", "who", "why", "this", "that", "it", "you",
    "your", "my", "means", "if", "about",
];
/// What makes "remember to …" a custom after all.
const EACH_TIME: &[&str] = &["always", "never", "every", "each", "whenever", "all", "before you", "any time"];

pub(super) fn says(sentence: &Sentence<'_>) -> Result<Option<Found>, Reason> {
    let Some((cue, at)) = cue(&sentence.words) else { return Ok(None) };
    if let Some(reason) = doubt::of_any(sentence) {
        return Err(reason);
    }
    let end = at + cue.split(' ').count();
    let rest = &sentence.words[end..];
    if doubt::is_unresolved(rest) || rest.len() < 2 && !rest.iter().any(|word| !word.text.is_ascii()) {
        return Err(Reason::Unresolved);
    }
    let parted = sentence.words[end - 1].then.is_some();
    let is_about_time = cue.contains("now on") || cue.contains("forward") || cue.contains("future");
    let first = rest.first().map_or("", |word| word.text.as_str());
    let comes_once = !parted && !cue.ends_with("that") && NOT_STATEMENTS.contains(&first) && !is_about_time;
    let wishes = first == "i"
        && rest
            .get(1)
            .is_some_and(|word| matches!(word.text.as_str(), "prefer" | "want" | "like" | "hate" | "expect"));
    if (comes_once && !is_custom(first, rest))
        || (is_about_time && !wishes && matches!(first, "means" | "you" | "you're" | "i" | "i'll"))
    {
        return Err(Reason::Task);
    }
    if is_weak(cue) && !lasts(sentence, rest) {
        return Err(doubt::of_statement(sentence).unwrap_or(Reason::Task));
    }
    if sentence.has_any(&["for this session", "in this session", "for now", "this function", "this file"]) {
        return Err(Reason::Temporary);
    }
    let content = strip_remainder(sentence.text_after(end));
    let content = match stated_before(sentence, at) {
        Some(before) => format!("{before}; {content}"),
        None => content.to_owned(),
    };
    let kind = kind_of(rest);
    Ok(Some(Found { source: Source::Explicit, ..Found::new(Family::Explicit, kind, 0.9, &content) }))
}

/// "We run CockroachDB, remember that every transaction may need a retry": what it is about stands before what asks.
fn stated_before<'a>(sentence: &Sentence<'a>, cue: usize) -> Option<&'a str> {
    const FEW: usize = 3;
    let last = cue.checked_sub(1).filter(|last| *last + 1 >= FEW)?;
    let before = sentence.text_between(0, cue);
    let is_parted = matches!(sentence.words[last].then, Some(',' | ';' | '—' | '–'));
    (is_parted && lasting::lasts(before)).then_some(before)
}

/// Which sentences stand below a line that asks for them all: "remember:", and a list.
pub(super) fn asked_for(sentences: &[Sentence<'_>]) -> Vec<bool> {
    const FEW: usize = 6;
    let mut last = None;
    let is_below = |sentence: &Sentence<'_>, last: &Option<usize>| {
        last.is_some_and(|line| sentence.line > line && sentence.line <= line + 1 || sentence.line == line)
    };
    let mut asked = vec![];
    for sentence in sentences {
        let asks =
            is_asked_for(&sentence.words) && sentence.words.len() <= FEW && sentence.whole.ends_with(':');
        let is_asked = !asks && is_below(sentence, &last);
        last = (asks || is_asked).then_some(sentence.line);
        asked.push(is_asked);
    }
    asked
}

/// One of a list that is asked for as a whole.
pub(super) fn listed(sentence: &Sentence<'_>) -> Result<Found, Reason> {
    match doubt::of_any(sentence) {
        Some(reason) => Err(reason),
        None => {
            let kind = kind_of(&sentence.words);
            Ok(Found { source: Source::Explicit, ..Found::new(Family::Explicit, kind, 0.9, sentence.text) })
        }
    }
}

/// Said of anything that matters at the moment too.
fn is_weak(cue: &str) -> bool {
    ["mind", "note", "future", "forward"].iter().any(|word| cue.contains(word))
        && cue != "for future reference"
        && !cue.contains("for later")
}

/// What holds beyond the moment.
fn lasts(sentence: &Sentence<'_>, rest: &[Word]) -> bool {
    const GENERAL: &[&str] =
        &["always", "never", "every", "all", "must", "only", "each", "any", "no longer", "don't", "please"];
    let general = GENERAL.iter().any(|word| super::sentence::find(rest, word).is_some());
    let ordered = rest.first().is_some_and(|word| IMPERATIVES.contains(&word.text.as_str()));
    let stands =
        super::environment::is_fact(sentence.line, sentence.text_after(sentence.words.len() - rest.len()));
    doubt::of_statement(sentence).is_none() && !doubt::is_local(sentence) && (general || ordered || stands)
}

/// Whether it begins with what asks for it.
pub(super) fn is_asked_for(words: &[Word]) -> bool {
    CUES.iter().any(|cue| starts(words, cue))
}

/// The same where it is said of nothing else: "note that …" goes with any task.
pub(super) fn is_surely_asked_for(words: &[Word]) -> bool {
    CUES.iter().any(|cue| starts(words, cue) && !is_weak(cue))
}

/// A cue at the beginning; those about time may also end the sentence or stand after a greeting.
fn cue(words: &[Word]) -> Option<(&'static str, usize)> {
    let at = |at: usize| CUES.iter().filter(move |cue| starts(&words[at..], cue)).max_by_key(|cue| cue.len());
    at(0).map(|cue| (*cue, 0)).or_else(|| {
        // "yes. and remember …": what comes before a sign has ended.
        let after = words.iter().position(|word| word.then.is_some())? + 1;
        (after < words.len().min(5)).then(|| at(after)).flatten().map(|cue| (*cue, after))
    })
}

fn is_custom(first: &str, rest: &[Word]) -> bool {
    let each_time = EACH_TIME.iter().any(|phrase| super::sentence::find(rest, phrase).is_some());
    // "remember the staging port is 5433" leaves out "that".
    let states = matches!(first, "the" | "your" | "my")
        && rest.iter().take(7).any(|word| {
            matches!(word.text.as_str(), "is" | "are" | "uses" | "runs" | "lives" | "needs" | "must" | "has")
        });
    (matches!(first, "to") && each_time) || states
}

/// The kind of a statement by the words in it.
pub(super) fn kind_of(words: &[Word]) -> Kind {
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| super::sentence::find(words, phrase).is_some());
    match () {
        () if has(&[
            "i prefer",
            "i like",
            "i hate",
            "i don't like",
            "i want",
            "i'd rather",
            "my preference",
            "your answers",
            "answer in",
        ]) =>
        {
            Kind::Preference
        }
        () if has(&["we decided", "decided to", "we chose", "we agreed", "decision"]) => Kind::Decision,
        () if has(RULES) || words.first().is_some_and(|word| IMPERATIVES.contains(&word.text.as_str())) => {
            Kind::Rule
        }
        () => Kind::Fact,
    }
}

const RULES: &[&str] = &[
    "never", "always", "must", "don't", "do not", "we use", "has to", "have to", "not npm", "no", "should",
    "only use", "every", "we don't", "avoid", "we only",
];
const IMPERATIVES: &[&str] =
    &["use", "run", "write", "keep", "put", "prefer", "ask", "check", "commit", "name", "add"];

fn strip_remainder(content: &str) -> &str {
    let content = content.trim_start_matches([':', ',', '-', '–', ' ']);
    let lower = content.to_lowercase();
    ["that ", "please "]
        .iter()
        .find(|word| lower.starts_with(**word))
        .map_or(content, |word| &content[word.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> Option<String> {
        says(&Sentence::new(1, text, None)).ok().flatten().map(|found| found.content)
    }

    #[test]
    fn nothing_of_what_asks_for_it_stays_in_the_statement() {
        for message in [
            "hey team - remember: deploys happen on Friday",
            "hey team — remember: deploys happen on Friday",
            "hey team -- please remember that deploys happen on Friday",
            "re \"when do we ship it\": remember that deploys happen on Friday",
            "re “who knows when”, remember: deploys happen on Friday",
            "\"ops\" folks: remember - deploys happen on Friday",
            "remember: deploys happen on Friday",
        ] {
            assert_eq!(content(message).as_deref(), Some("Deploys happen on Friday"), "{message}");
        }
    }

    #[test]
    fn a_list_is_asked_for_as_a_whole() {
        let lines = [
            "please remember the following:",
            "- we use pnpm",
            "- staging is wiped on Sundays",
            "",
            "now fix it",
        ];
        let lines: Vec<(usize, String)> =
            lines.iter().enumerate().map(|(at, line)| (at, (*line).to_owned())).collect();
        let lines: Vec<(usize, String)> = lines.into_iter().filter(|(_, line)| !line.is_empty()).collect();
        let sentences = super::super::sentence::read(&lines);
        assert_eq!(asked_for(&sentences), [false, true, true, false]);
        let found = listed(&sentences[2]).unwrap();
        assert_eq!((found.content.as_str(), found.source), ("Staging is wiped on Sundays", Source::Explicit));
    }

    #[test]
    fn quotations_in_a_statement_stay_whole() {
        let message = "hey team - remember: \"ship it when green\" is our motto";
        assert_eq!(content(message).as_deref(), Some("\"ship it when green\" is our motto"));
        assert_eq!(content("remember \"pnpm\" builds „das Ö“").as_deref(), Some("\"pnpm\" builds „das Ö“"));
    }
}
