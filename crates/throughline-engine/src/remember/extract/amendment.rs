//! What is put right without a word of what it is about: "no, it's acme_dev", "actually it's Paddle now", "not 20 min anymore,
//! 50 min". What the agent said or did before says what it is about.

use throughline_store::event::Event;
use throughline_store::memory::Kind;

use super::sentence::{Sentence, Word, words};
use super::{Family, Found, doubt, nouns, wording};
use crate::remember::alternatives;
use crate::words::is_in;

/// A value in place of another, and what the agent had said or run when it was told so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::remember) struct Amendment {
    pub(in crate::remember) value: String,
    pub(in crate::remember) instead_of: Option<String>,
    /// The last lines of the agent, the newest last.
    pub(in crate::remember) heard: Vec<String>,
    /// Whether somebody said that it is wrong; otherwise only a number takes the place of a number.
    pub(in crate::remember) corrects: bool,
    /// Whether it says enough where nothing is known that it changes.
    pub(in crate::remember) stands_alone: bool,
}

/// Values have a few words.
const LONGEST_VALUE: usize = 5;
const LONGEST_QUOTED: usize = 16;
const SINCE: &[&str] = &[
    "now",
    "since yesterday",
    "since today",
    "since last week",
    "since this week",
    "since monday",
    "from now on",
    "from today",
    "as of today",
    "these days",
];
const IT_IS: &[&str] =
    &["it's", "its", "it is", "that's", "that is", "it should be", "should be", "it's called", "make it"];
/// Who says these does not name a value.
const NO_VALUES: &str = "is are was were am be been it its it's that that's this these those they he she you i we he's she's not no \
    never always just still only please fine ok okay good right wrong broken done there here why how what when where who which because \
    if but so then again other another same both all everything nothing something fails failing failed works working pointless unclear";

/// What a sentence puts right, where it does not say of what.
pub(super) fn of(sentence: &Sentence<'_>, heard: &[String]) -> Option<(Amendment, Found)> {
    if heard.is_empty() || sentence.asks() {
        return None;
    }
    let text = sentence.text.trim().trim_end_matches(['.', '!']);
    let said = denied(text, sentence.leads.corrects).or_else(|| named(text, sentence.leads.corrects))?;
    let told = words(&said.value);
    // "The backend's on 8123" says itself what it is of.
    let is_sentence = |word: &Word| word.text.ends_with("'s") || word.text.ends_with("'re");
    let is_value = (1..=LONGEST_VALUE).contains(&told.len())
        && !told.iter().any(|word| is_in(NO_VALUES, &word.text) || is_sentence(word));
    is_value.then(|| amendment(said, &told, (heard, sentence.leads.corrects)))
}

struct Said {
    value: String,
    instead_of: Option<String>,
    says_it_is: bool,
}

fn amendment(said: Said, told: &[Word], (heard, corrects): (&[String], bool)) -> (Amendment, Found) {
    let quoted = heard.last().filter(|line| is_quotable(line));
    let is_named = told.iter().any(|word| nouns::is_specific(word) || alternatives::is_known(&word.text));
    let stands_alone = said.says_it_is && is_named && !told.iter().any(is_of_code) && quoted.is_some();
    let content = format!(
        "It's {}, not as in \"{}\"",
        said.value,
        quoted.map_or("", |line| line.trim_end_matches('.'))
    );
    let found = Found::new(Family::Correction, Kind::Fact, 0.55, &content);
    let heard = heard.to_vec();
    (Amendment { value: said.value, instead_of: said.instead_of, heard, corrects, stands_alone }, found)
}

/// "not 20 min anymore, 50 min"
fn denied(text: &str, corrects: bool) -> Option<Said> {
    let (old, value) = without(text, "not ")?.split_once(", ")?;
    let bare = ["anymore", "any more", "any longer"].iter().find_map(|end| ending(old, end));
    let is_short = |text: &str| text.split_whitespace().count() <= LONGEST_VALUE;
    let is_over = bare.is_some() || corrects;
    let old = bare.unwrap_or(old);
    let value = IT_IS.iter().find_map(|lead| without(value, &format!("{lead} "))).unwrap_or(value);
    (is_over && is_short(old)).then(|| said(value, Some(old), false))
}

/// "it's acme_dev", "INFO now", "it's 90%, not 80%"
fn named(text: &str, corrects: bool) -> Option<Said> {
    if !corrects {
        return number(text);
    }
    let stated =
        IT_IS.iter().filter_map(|lead| without(text, &format!("{lead} "))).min_by_key(|rest| rest.len());
    let (value, old) = match stated.unwrap_or(text).split_once(", not ") {
        Some((value, old)) => (value, Some(old)),
        None => (stated.unwrap_or(text), None),
    };
    let since = SINCE.iter().find_map(|end| ending(value, end));
    let is_told = stated.is_some() || since.is_some() || is_bare(value);
    is_told.then(|| said(since.unwrap_or(value), old, stated.is_some()))
}

/// "22.5", "set it to 15"
fn number(text: &str) -> Option<Said> {
    const SETTING: [&str; 4] = ["make it ", "set it to ", "change it to ", "put it at "];
    let value = SETTING.iter().find_map(|lead| without(text, lead)).unwrap_or(text);
    let is_number = value.starts_with(|c: char| c.is_ascii_digit());
    (is_number && is_bare(value)).then(|| said(value, None, false))
}

/// A value and nothing else.
fn is_bare(text: &str) -> bool {
    const WORDS: usize = 2;
    let words = words(text);
    let is_value = |word: &Word| {
        word.text.starts_with(|c: char| c.is_ascii_digit())
            || nouns::is_specific(word)
            || alternatives::is_known(&word.text)
    };
    words.len() <= WORDS && words.first().is_some_and(is_value)
}

fn said(value: &str, old: Option<&str>, says_it_is: bool) -> Said {
    let bare = |text: &str| text.trim().trim_matches(['`', ',', ';']).to_owned();
    Said { value: bare(value), instead_of: old.map(bare), says_it_is }
}

/// What follows a beginning, in whatever letters.
fn without<'a>(text: &'a str, lead: &str) -> Option<&'a str> {
    let begins = text.get(..lead.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(lead));
    begins.then(|| text[lead.len()..].trim_start())
}

/// What stands before an end that is a word of its own.
fn ending<'a>(text: &'a str, end: &str) -> Option<&'a str> {
    let at = text.len().checked_sub(end.len())?;
    let ends = text.get(at..).is_some_and(|last| last.eq_ignore_ascii_case(end));
    let rest = text.get(..at)?;
    (ends && rest.ends_with([' ', ','])).then(|| rest.trim_end_matches([' ', ',']))
}

/// A place in the code is where something is this time.
fn is_of_code(word: &Word) -> bool {
    let file = word.text.rsplit_once('.').is_some_and(|(stem, ending)| {
        (1..=4).contains(&ending.len())
            && !stem.contains('.')
            && ending.bytes().all(|byte| byte.is_ascii_lowercase())
    });
    file || word.has_hump || word.text.ends_with("()") || word.text == "line" || word.text.contains('/')
}

/// What the agent says of what is wrong this time lasts no longer than that.
fn is_quotable(line: &str) -> bool {
    let sentence = Sentence::new(0, line, None);
    let is_short = (2..=LONGEST_QUOTED).contains(&line.split_whitespace().count());
    is_short
        && !line.contains('"')
        && !doubt::is_symptom(&sentence)
        && !sentence.has_any(&["bug", "error", "fails", "failing", "failed", "broken", "because", "cause"])
}

/// What the agent said and ran since somebody spoke.
#[derive(Default)]
pub(super) struct AgentsLines {
    lines: Vec<String>,
    is_answered: bool,
}

/// So many lines are kept, each of so many characters at most.
const LINES: usize = 12;
const LONGEST_LINE: usize = 300;

impl AgentsLines {
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }

    pub(super) fn answered(&mut self) {
        self.is_answered = true;
    }

    pub(super) fn said(&mut self, event: &Event) {
        if std::mem::take(&mut self.is_answered) {
            self.lines.clear();
        }
        let text = event.content.as_deref().or(event.target.as_deref()).unwrap_or_default();
        let sentences = text.lines().flat_map(wording::sentences).filter(|line| line.len() <= LONGEST_LINE);
        self.lines.extend(sentences.map(str::to_owned));
        let surplus = self.lines.len().saturating_sub(LINES);
        self.lines.drain(..surplus);
    }
}
