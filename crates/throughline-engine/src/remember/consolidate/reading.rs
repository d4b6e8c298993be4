//! A statement taken apart: what it is about, what it says of it, what it denies, and the values in it.

use std::collections::BTreeSet;

use rust_stemmers::{Algorithm, Stemmer};

use super::contrast::contrast;
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
    /// It says that it is so from some time on, or what became of what was.
    pub(super) is_change: bool,
    pub(super) values: Vec<Value>,
    /// Of these stems, which are written as names are, or as numbers.
    pub(super) marked: BTreeSet<String>,
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
        let Words { words, breaks, marked, all } = words(text);
        let (kept, denied) = contrast(&words, &breaks);
        let stems = Stems::of(&words, &marked);
        let verb = (1..words.len()).find(|at| vocabulary::is_verb(&words[*at]));
        let before_verb = kept.iter().filter(|at| verb.is_some_and(|verb| **at < verb));
        let chosen: Vec<String> = kept.iter().map(|at| words[*at].clone()).collect();
        let negations = chosen.iter().filter(|word| vocabulary::is_negation(word)).count();
        let no_longer = has_pair(&chosen, "no", "longer");
        let ends: Vec<bool> = kept.iter().map(|at| breaks[*at]).collect();
        let stated = Stated { words: &chosen, ends: &ends, stems: stems.at(&kept) };
        let plain: Vec<String> = chosen.iter().map(|word| vocabulary::canonical(word).to_owned()).collect();
        // "The columns go away" is not about Go.
        let is_verb = |(at, word): &(&usize, &String)| word.as_str() == "go" && !marked[**at];
        let singled = kept.iter().zip(&plain).filter(|word| !is_verb(word)).map(|(_, word)| word.clone());
        let singled: Vec<String> = singled.collect();
        Reading {
            content: stems.set(&kept),
            rejected: stems.set(&denied),
            subject: stems.set(before_verb),
            marked: stems.set(kept.iter().filter(|at| marked[**at])),
            // "port: 8443" has one as well.
            tie: verb.map_or(if text.contains(": ") { Tie::One } else { Tie::None }, |at| tie(&words, at)),
            is_placed: is_placed(&words),
            is_change: words.len() < all || words.iter().any(|word| vocabulary::says_change(word)),
            is_negative: negations % 2 == 1 || no_longer && negations == 0,
            values: alternatives::values(&chosen),
            frame: frame::of(&stated),
            qualifiers: vocabulary::qualifiers(&singled),
            plain,
            words,
        }
    }

    /// Whether a word of this stem stands where a value does: after a preposition, "is" or "use".
    pub(super) fn is_led(&self, stem: &str) -> bool {
        let leads = |word: &str| {
            PREPOSITIONS.contains(&word) || matches!(word, "is" | "are" | "use" | "using" | "as" | "now")
        };
        let is_form = |word: &str| word == stem || word.len() > 3 && stem.len() > 3 && word.starts_with(stem);
        self.words.windows(2).any(|pair| leads(&pair[0]) && is_form(&pair[1]))
    }

    /// The stem of a value's words, so that it can be left out of a comparison.
    pub(super) fn stems_of(&self, name: &str) -> BTreeSet<String> {
        let stemmer = Stemmer::create(Algorithm::English);
        let parts: Vec<(&str, String)> = name.split(' ').map(|part| (part, stem(&stemmer, part))).collect();
        let is_part = |found: &&String| parts.iter().any(|(part, stem)| stem == *found || part == found);
        self.content.iter().filter(is_part).cloned().collect()
    }
}

/// What a statement says without what it denies: "lint with A instead of B" as "lint with a".
pub(in crate::remember) fn outcome(text: &str) -> Option<String> {
    let Words { words, breaks, .. } = words(text);
    let (kept, denied) = contrast(&words, &breaks);
    let said = |at: &usize| if breaks[*at] { format!("{},", words[*at]) } else { words[*at].clone() };
    let said: Vec<String> = kept.iter().map(said).collect();
    (!denied.is_empty()).then(|| said.join(" ").trim_end_matches(',').to_owned())
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

const PREPOSITIONS: [&str; 10] = ["by", "in", "on", "at", "with", "through", "via", "to", "from", "under"];

/// The last word comes right after a preposition.
fn is_placed(words: &[String]) -> bool {
    let end =
        words.iter().rposition(|word| !matches!(word.as_str(), "now" | "anymore" | "today" | "instead"));
    end.is_some_and(|end| end > 1 && PREPOSITIONS.contains(&words[end - 1].as_str()))
}

/// Words in small letters.
struct Words {
    words: Vec<String>,
    /// Which of them a sign follows.
    breaks: Vec<bool>,
    /// Which of them are written as no plain word is: with a capital inside of the sentence, a digit or a sign.
    marked: Vec<bool>,
    /// How many there were, before what only says since when.
    all: usize,
}

fn words(text: &str) -> Words {
    let (mut words, mut breaks, mut marked) = (vec![], vec![], vec![]);
    for raw in text.split_whitespace().take(MAX_WORDS) {
        let bare = raw
            .trim_matches(|c: char| !c.is_alphanumeric() && !"/@#+%_-.".contains(c))
            .trim_end_matches(['.', '-']);
        let capitals = bare.chars().filter(|c| c.is_uppercase()).count();
        let is_marked = raw.contains('`')
            || capitals > usize::from(words.is_empty())
            || bare.contains(|c: char| c.is_ascii_digit() || "/@#_.".contains(c));
        // "with bge-small": a name of parts in the place of a value.
        let is_placed = words.last().is_some_and(|before: &String| PREPOSITIONS.contains(&before.as_str()));
        let is_marked = is_marked || (is_placed && bare.trim_matches('-').contains('-'));
        let bare = bare.replace('’', "'").to_lowercase();
        let bare = owner(&bare);
        let ends = raw.ends_with([',', ';', ':', '.', '—', '，', '：']);
        for part in parts(bare) {
            words.push(part);
            breaks.push(false);
            marked.push(is_marked);
        }
        if let (Some(last), true) = (breaks.last_mut(), ends) {
            *last = true;
        }
    }
    while let Some((at, name)) =
        (1..words.len()).find_map(|at| Some((at, one_word(&words[at - 1], &words[at])?)))
    {
        words[at - 1] = name.to_owned();
        words.remove(at);
        marked.remove(at);
        let parted = breaks.remove(at);
        breaks[at - 1] |= parted;
    }
    for at in 0..words.len() {
        if let Some(number) = number(&words, at) {
            words[at] = number.to_string();
            marked[at] = true;
        }
    }
    let all = words.len();
    let end = holds_since(&words).unwrap_or(all);
    words.truncate(end);
    breaks.truncate(end);
    marked.truncate(end);
    mark_names(&words, &mut marked);
    Words { words, breaks, marked, all }
}

/// "with gcc 13", "Priya signs": the name before a version, and the one that a sentence begins with.
fn mark_names(words: &[String], marked: &mut [bool]) {
    for at in 2..words.len() {
        let is_number = starts_with_digit(&words[at]);
        let is_led = vocabulary::is_empty(&words[at - 2]) || vocabulary::is_verb(&words[at - 2]);
        let is_plain = !vocabulary::is_empty(&words[at - 1]) && !vocabulary::leads_to_value(&words[at - 1]);
        if is_number && is_led && is_plain {
            marked[at - 1] = true;
        }
    }
    let [first, second, ..] = words else { return };
    marked[0] |= starts_with_digit(second);
    let is_verb =
        second.len() > 3 && second.ends_with('s') || matches!(second.as_str(), "took" | "replaced" | "owns");
    if is_verb && !first.ends_with('s') && !vocabulary::is_empty(first) && first.len() > 2 {
        marked[0] = true;
    }
}

/// Where it only says from when on the statement holds: "… since the reorg", "… from this week on", "… these days".
fn holds_since(words: &[String]) -> Option<usize> {
    const WHEN: [&str; 12] = [
        "now",
        "today",
        "tomorrow",
        "this",
        "next",
        "last",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "the",
    ];
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    (2..words.len()).find(|at| match word(*at) {
        "since" | "starting" | "beginning" => WHEN.contains(&word(at + 1)) && words.len() - at <= 5,
        "as" => word(at + 1) == "of" && WHEN.contains(&word(at + 2)) && words.len() - at <= 5,
        "from" => {
            WHEN.contains(&word(at + 1))
                && words.last().is_some_and(|last| matches!(last.as_str(), "on" | "onwards" | "onward"))
        }
        "these" => word(at + 1) == "days" && at + 2 == words.len(),
        "for" => word(at + 1) == "good" && at + 2 == words.len(),
        _ => false,
    })
}

/// Two words that are one.
fn one_word(first: &str, second: &str) -> Option<&'static str> {
    match (first, second) {
        ("time" | "times", "out") => Some("timeout"),
        ("pull", "request" | "requests") => Some("pr"),
        _ => None,
    }
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

/// The stem of each word, where it tells something; made once, for all that is put together of them.
struct Stems(Vec<Option<String>>);

impl Stems {
    fn of(words: &[String], marked: &[bool]) -> Stems {
        let stemmer = Stemmer::create(Algorithm::English);
        let telling = |(at, word): (usize, &String)| {
            // "Go 1.23" names something.
            let is_name = marked[at] && words.get(at + 1).is_some_and(|next| starts_with_digit(next));
            let is_telling = is_name || (!vocabulary::is_empty(word) && !vocabulary::is_negation(word));
            is_telling.then(|| stem(&stemmer, word)).filter(|stem| is_name || !vocabulary::is_empty(stem))
        };
        Stems(words.iter().enumerate().map(telling).collect())
    }

    fn at(&self, places: &[usize]) -> Vec<Option<&str>> {
        places.iter().map(|at| self.0[*at].as_deref()).collect()
    }

    fn set<'a>(&self, places: impl IntoIterator<Item = &'a usize>) -> BTreeSet<String> {
        places.into_iter().filter_map(|at| self.0[*at].clone()).collect()
    }
}

fn starts_with_digit(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

fn stem(stemmer: &Stemmer, word: &str) -> String {
    let word = vocabulary::canonical(word);
    let is_plain = word.bytes().all(|byte| byte.is_ascii_lowercase()) && word.len() > 2;
    if is_plain { vocabulary::canonical(&stemmer.stem(word)).to_owned() } else { word.to_owned() }
}
