//! A statement taken apart: what it is about, what it says of it, what it denies, and the values in it.

use std::collections::BTreeSet;

use rust_stemmers::{Algorithm, Stemmer};

use super::frame::{self, Frame, Stated};
use super::vocabulary::{self, Qualifier};
use crate::remember::alternatives::{self, Value};

#[derive(Debug, Clone)]
pub(super) struct Reading {
    /// In small letters, in order.
    pub(super) words: Vec<String>,
    /// The stems that make a difference, without what is denied by contrast.
    pub(super) content: BTreeSet<String>,
    /// The stems of "…, not these".
    pub(super) rejected: BTreeSet<String>,
    /// The stems before the verb.
    pub(super) subject: BTreeSet<String>,
    /// How the verb ties the value to the subject.
    pub(super) tie: Tie,
    /// The value stands after a preposition: served *by*, written *in*.
    pub(super) is_placed: bool,
    pub(super) is_negative: bool,
    pub(super) values: Vec<Value>,
    /// Words in use, for antonyms.
    pub(super) plain: Vec<String>,
    /// Which of several things it is about.
    pub(super) qualifiers: Vec<Qualifier>,
    /// Where it is of a known build.
    pub(super) frame: Option<Frame>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    /// A thing has one of these: it *is*, *runs on*, *lives in*.
    One,
    /// It may have many: it *needs*, *uses*, *supports*.
    Many,
    None,
}

/// Statements of more words are compared by their beginning.
const MAX_WORDS: usize = 80;

impl Reading {
    pub(super) fn of(text: &str) -> Reading {
        let (words, breaks) = words(text);
        let (kept, denied) = contrast(&words, &breaks);
        let stems = Stems::of(&words);
        let verb = (1..words.len()).find(|at| vocabulary::is_verb(&words[*at]));
        let before_verb = kept.iter().filter(|at| verb.is_some_and(|verb| **at < verb));
        let chosen: Vec<String> = kept.iter().map(|at| words[*at].clone()).collect();
        let negations = chosen.iter().filter(|word| vocabulary::is_negation(word)).count();
        let no_longer = has_pair(&chosen, "no", "longer");
        let ends: Vec<bool> = kept.iter().map(|at| breaks[*at]).collect();
        let stated = Stated { words: &chosen, ends: &ends, stems: stems.at(&kept) };
        let plain: Vec<String> = chosen.iter().map(|word| vocabulary::canonical(word).to_owned()).collect();
        Reading {
            content: stems.set(&kept),
            rejected: stems.set(&denied),
            subject: stems.set(before_verb),
            // "port: 8443" has one as well.
            tie: verb.map_or(if text.contains(": ") { Tie::One } else { Tie::None }, |at| tie(&words, at)),
            is_placed: is_placed(&words),
            is_negative: negations % 2 == 1 || no_longer && negations == 0,
            values: alternatives::values(&chosen),
            frame: frame::of(&stated),
            qualifiers: vocabulary::qualifiers(&plain),
            plain,
            words,
        }
    }

    /// The stem of a value's words, so that it can be left out of a comparison.
    pub(super) fn stems_of(&self, name: &str) -> BTreeSet<String> {
        let stemmer = Stemmer::create(Algorithm::English);
        let parts: Vec<(&str, String)> = name.split(' ').map(|part| (part, stem(&stemmer, part))).collect();
        let is_part = |found: &&String| parts.iter().any(|(part, stem)| stem == *found || part == found);
        self.content.iter().filter(is_part).cloned().collect()
    }
}

/// "is used in" ties as loosely as "uses".
fn tie(words: &[String], verb: usize) -> Tie {
    let next = words.get(verb + 1).map_or("", String::as_str);
    match () {
        () if matches!(next, "used" | "required" | "needed" | "supported") => Tie::Many,
        // A thing runs on one machine, and in parallel, in Chrome and in CI.
        () if matches!(words[verb].as_str(), "run" | "runs") && !matches!(next, "on" | "at") => Tie::Many,
        // Node is kept at one version; in one place many things are kept.
        () if matches!(words[verb].as_str(), "keep" | "keeps" | "kept" | "set" | "sets")
            && !words[verb + 1..].iter().any(|word| matches!(word.as_str(), "at" | "to" | "on")) =>
        {
            Tie::Many
        }
        () => vocabulary::tie_of(&words[verb]),
    }
}

/// The last word comes right after a preposition.
fn is_placed(words: &[String]) -> bool {
    const PREPOSITIONS: [&str; 10] =
        ["by", "in", "on", "at", "with", "through", "via", "to", "from", "under"];
    let end =
        words.iter().rposition(|word| !matches!(word.as_str(), "now" | "anymore" | "today" | "instead"));
    end.is_some_and(|end| end > 1 && PREPOSITIONS.contains(&words[end - 1].as_str()))
}

/// Words in small letters, and which of them a sign follows.
fn words(text: &str) -> (Vec<String>, Vec<bool>) {
    let mut words = vec![];
    let mut breaks = vec![];
    for raw in text.split_whitespace().take(MAX_WORDS) {
        let bare = raw
            .trim_matches(|c: char| !c.is_alphanumeric() && !"/@#+%_-.".contains(c))
            .trim_end_matches(['.', '-']);
        let bare = bare.replace('’', "'").to_lowercase();
        let bare = owner(&bare);
        let ends = raw.ends_with([',', ';', ':', '.', '—', '，', '：']);
        for part in parts(bare) {
            words.push(part);
            breaks.push(false);
        }
        if let (Some(last), true) = (breaks.last_mut(), ends) {
            *last = true;
        }
    }
    for at in 0..words.len() {
        if let Some(number) = number(&words, at) {
            words[at] = number.to_string();
        }
    }
    (words, breaks)
}

/// "the gateway's port" is that of the gateway.
fn owner(word: &str) -> &str {
    const VERBS: [&str; 8] = ["it's", "that's", "let's", "what's", "here's", "there's", "who's", "where's"];
    word.strip_suffix("'s").filter(|_| !VERBS.contains(&word)).unwrap_or(word)
}

/// A number that is written as a word; "one of them" counts nothing.
fn number(words: &[String], at: usize) -> Option<usize> {
    const NUMBERS: [&str; 10] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let counts = words.get(at + 1).is_some_and(|next| next != "of");
    let number = NUMBERS.iter().position(|number| *number == words[at])? + 1;
    (number > 1 || counts).then_some(number)
}

/// `force-push` is two words; names with hyphens that are known as such stay whole. Scripts without spaces are read
/// in pairs of characters.
fn parts(word: &str) -> Vec<String> {
    if word.chars().any(is_unspaced) {
        return unspaced_parts(word);
    }
    let is_plain = word.chars().all(|c| c.is_alphabetic() || c == '-');
    let is_term = alternatives::is_known(word) || matches!(word, "read-only" | "e2e" | "per-user");
    if is_plain && !is_term && !word.starts_with('-') {
        return word.split('-').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    }
    if word.is_empty() { vec![] } else { vec![word.to_owned()] }
}

fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c), 0x3040..=0x30FF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF)
}

/// Each character; the frequent ones say nothing and fall out like other empty words.
fn unspaced_parts(word: &str) -> Vec<String> {
    let mut parts: Vec<String> = vec![];
    let mut latin = String::new();
    for c in word.chars() {
        if is_unspaced(c) {
            if !latin.is_empty() {
                parts.push(std::mem::take(&mut latin));
            }
            parts.push(c.to_string());
        } else {
            latin.push(c);
        }
    }
    if !latin.is_empty() {
        parts.push(latin);
    }
    parts
}

fn has_pair(words: &[String], one: &str, other: &str) -> bool {
    words.windows(2).any(|pair| pair[0] == one && pair[1] == other)
}

/// Which words state, and which are denied: "use pnpm, not npm", "X instead of Y".
fn contrast(words: &[String], breaks: &[bool]) -> (Vec<usize>, Vec<usize>) {
    let mut kept = vec![];
    let mut denied = vec![];
    let mut denies = false;
    // "from 1 to 2", "replace 1 by 2": up to the word that goes on with what holds.
    let mut gives_way = false;
    for at in 0..words.len() {
        let after_break = at > 0 && breaks[at - 1];
        let word = words[at].as_str();
        let next = words.get(at + 1).map_or("", String::as_str);
        let begins = (after_break && matches!(word, "not" | "never" | "no" | "don't" | "а" | "nicht"))
            || (word == "instead" && next == "of")
            || (word == "rather" && next == "than")
            || (word == "not" && at > 1 && alternatives::is_known(next));
        let from = (word == "from" && gave_way(words, at))
            || (matches!(word, "replace" | "replaced" | "replacing")
                && words[at..].iter().take(5).any(|word| matches!(word.as_str(), "by" | "with")));
        let goes_on = gives_way && matches!(word, "to" | "by" | "with");
        if begins || from {
            (denies, gives_way) = (true, from);
        } else if after_break || goes_on {
            (denies, gives_way) = (false, false);
        }
        if denies { denied.push(at) } else { kept.push(at) }
    }
    retire(words, breaks, &mut kept, &mut denied);
    (kept, denied)
}

/// "changed from 4100 to 4200": what it changed from holds no longer.
fn gave_way(words: &[String], from: usize) -> bool {
    const CHANGED: [&str; 6] = ["moved", "changed", "switched", "upgraded", "migrated", "bumped"];
    let changed = words[..from].iter().any(|word| CHANGED.contains(&word.as_str()));
    changed && words[from..].iter().take(5).any(|word| word == "to")
}

/// "npm is not used, use pnpm": a first clause that only says what is gone.
fn retire(words: &[String], breaks: &[bool], kept: &mut Vec<usize>, denied: &mut Vec<usize>) {
    let Some(end) = breaks.iter().position(|is_break| *is_break).filter(|end| end + 1 < words.len()) else {
        return;
    };
    let said = words[..=end].join(" ");
    let is_gone =
        [" is not used", " isn't used", " is gone", " is out", " is deprecated", " is no longer used"]
            .iter()
            .any(|gone| said.ends_with(gone));
    let is_over = words[..=end].iter().any(|word| vocabulary::is_negation(word))
        && [" any more", " anymore", " any longer", "no longer "].iter().any(|over| said.contains(over));
    let is_dropped =
        ["we dropped ", "we removed ", "we abandoned ", "we left "].iter().any(|lead| said.starts_with(lead));
    if is_gone || is_over || is_dropped {
        kept.retain(|at| *at > end);
        denied.extend(0..=end);
    }
}

/// The stem of each word, where it tells something; made once, for all that is put together of them.
struct Stems(Vec<Option<String>>);

impl Stems {
    fn of(words: &[String]) -> Stems {
        let stemmer = Stemmer::create(Algorithm::English);
        let telling = |word: &String| {
            let is_telling = !vocabulary::is_empty(word) && !vocabulary::is_negation(word);
            is_telling.then(|| stem(&stemmer, word)).filter(|stem| !vocabulary::is_empty(stem))
        };
        Stems(words.iter().map(telling).collect())
    }

    fn at(&self, places: &[usize]) -> Vec<Option<&str>> {
        places.iter().map(|at| self.0[*at].as_deref()).collect()
    }

    fn set<'a>(&self, places: impl IntoIterator<Item = &'a usize>) -> BTreeSet<String> {
        places.into_iter().filter_map(|at| self.0[*at].clone()).collect()
    }
}

fn stem(stemmer: &Stemmer, word: &str) -> String {
    let word = vocabulary::canonical(word);
    let is_plain = word.bytes().all(|byte| byte.is_ascii_lowercase()) && word.len() > 2;
    if is_plain { vocabulary::canonical(&stemmer.stem(word)).to_owned() } else { word.to_owned() }
}
