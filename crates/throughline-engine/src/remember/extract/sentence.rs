//! A sentence as the rules see it: its words, what stands before the statement itself, and what it ends with.

use super::wording;
use crate::words::is_in;

/// One sentence of a speaker.
#[derive(Debug, Clone)]
pub(super) struct Sentence<'a> {
    pub(super) line: usize,
    /// As it was said.
    pub(super) whole: &'a str,
    /// Without what only leads up to it.
    pub(super) text: &'a str,
    pub(super) words: Vec<Word>,
    /// The words of the whole sentence.
    pub(super) all: Vec<Word>,
    pub(super) leads: Leads,
    /// The sentence that follows in the same message.
    pub(super) next: Option<&'a str>,
}

/// What the words before a statement say about it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Leads {
    /// "no,", "actually"
    pub(super) corrects: bool,
    /// "fyi", "heads up"
    pub(super) informs: bool,
    /// "I keep telling you"
    pub(super) insists: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// In small letters; a longer quotation is one word without letters.
    pub(super) text: String,
    /// The sign that follows, of those that part clauses.
    pub(super) then: Option<char>,
    /// Where in the text, in bytes, what follows it begins.
    after: usize,
    /// Written as code, or as nobody writes words: paths, flags, names with signs, digits.
    pub(super) is_name: bool,
    pub(super) is_capital: bool,
    /// Written like an identifier: `fetchOrders`.
    pub(super) has_hump: bool,
}

/// Sentences of more words say more than one thing.
pub(super) const MAX_WORDS: usize = 60;
const MAX_SENTENCES: usize = 200;
const QUOTATION: &str = "\u{201c}\u{201d}";
/// Stands for each byte that is left out, so that all others keep their places.
const LEFT_OUT: char = '\0';

/// The sentences of a message.
pub(super) fn read(lines: &[(usize, String)]) -> Vec<Sentence<'_>> {
    let split = |(number, line): &'_ (usize, String)| (*number, without_mark_of_list(line).len(), line.len());
    let mut texts: Vec<(usize, &str)> = vec![];
    for line in lines {
        let (number, kept, length) = split(line);
        let sentences = wording::sentences(&line.1[length - kept..]);
        texts.extend(sentences.into_iter().map(|sentence| (number, sentence)));
    }
    texts.truncate(MAX_SENTENCES);
    let following = texts.iter().skip(1).map(|(_, text)| Some(*text)).chain([None]);
    texts.iter().zip(following).map(|((line, text), next)| Sentence::new(*line, text, next)).collect()
}

impl<'a> Sentence<'a> {
    pub(super) fn new(line: usize, whole: &'a str, next: Option<&'a str>) -> Sentence<'a> {
        let (leads, text) = lead_in(whole);
        Sentence { line, whole, text, words: words(text), all: words(whole), leads, next }
    }

    pub(super) fn asks(&self) -> bool {
        self.whole.trim_end_matches(['"', ')', '*', ' ']).ends_with(['?', '？'])
    }

    pub(super) fn starts(&self, phrase: &str) -> bool {
        starts(&self.words, phrase)
    }

    pub(super) fn starts_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.starts(phrase))
    }

    pub(super) fn has(&self, phrase: &str) -> bool {
        find(&self.words, phrase).is_some()
    }

    pub(super) fn has_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.has(phrase))
    }

    /// The words after a phrase that the sentence starts with.
    pub(super) fn after(&self, phrase: &str) -> &[Word] {
        &self.words[phrase.split(' ').count().min(self.words.len())..]
    }

    /// The text after so many of its words.
    pub(super) fn text_after(&self, count: usize) -> &'a str {
        let after = count.checked_sub(1).map_or(0, |last| self.words[last].after);
        self.text[after..].trim_start()
    }

    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.text.as_str())
    }
}

/// Whether words begin with the words of a phrase.
pub(super) fn starts(words: &[Word], phrase: &str) -> bool {
    let mut have = words.iter();
    phrase.split(' ').all(|wanted| have.next().is_some_and(|word| word.text == wanted))
}

/// Where the words of a phrase stand together.
pub(super) fn find(words: &[Word], phrase: &str) -> Option<usize> {
    (0..words.len()).find(|at| starts(&words[*at..], phrase))
}

/// Words in small letters, without signs.
pub(super) fn plain_words(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.text).filter(|word| !word.is_empty()).collect()
}

pub(super) fn words(text: &str) -> Vec<Word> {
    let text = without_quotations(text);
    let mut words = vec![];
    let mut after = 0;
    let pieces = text.split_inclusive(char::is_whitespace).map(|piece| {
        after += piece.len();
        (piece.trim_end().replace(LEFT_OUT, ""), after)
    });
    // What follows makes the sentence too long whatever it is.
    for (raw, after) in pieces.filter(|(raw, _)| !raw.is_empty()).take(2 * MAX_WORDS) {
        let bare = raw.trim_matches(|c: char| {
            !c.is_alphanumeric()
                && !"/.@#$%&+*<>`".contains(c)
                && c != '“'
                && c != '”'
                && c != '-'
                && c != '_'
        });
        let bare = if bare.starts_with('-') && bare.trim_start_matches('-').is_empty() { "" } else { bare };
        let bare = bare.trim_end_matches(['.', '*']);
        let then = raw
            .chars()
            .last()
            .filter(|c| matches!(c, ',' | ':' | ';' | '.' | '!' | '?' | '–' | '—' | '：' | '，'));
        if bare.is_empty() {
            // A dash that stands alone parts clauses too.
            if let (Some(last), true) =
                (words.last_mut(), matches!(raw.as_str(), "-" | "–" | "—" | "--" | ";" | ":"))
            {
                let last: &mut Word = last;
                last.then = last.then.or(Some('—'));
            }
            continue;
        }
        words.push(Word { after, ..word(bare, then) });
    }
    words
}

fn word(bare: &str, then: Option<char>) -> Word {
    let code = bare.contains('`');
    let text = bare.trim_matches('`').replace('’', "'").to_lowercase();
    let text = match text.as_str() {
        "dont" => "don't".to_owned(),
        "doesnt" => "doesn't".to_owned(),
        "cant" => "can't".to_owned(),
        "isnt" => "isn't".to_owned(),
        "wont" => "won't".to_owned(),
        "im" => "i'm".to_owned(),
        "lets" => "let's".to_owned(),
        "thats" => "that's".to_owned(),
        "its" if then == Some(',') => "it's".to_owned(),
        _ => text,
    };
    let signs = text.chars().any(|c| "/_.=@#$<>+".contains(c) || c.is_ascii_digit()) || text.starts_with('-');
    let is_capital = bare.chars().any(char::is_uppercase) && text.len() > 1;
    let has_hump =
        bare.chars().zip(bare.chars().skip(1)).any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    Word { has_hump, is_name: code || (signs && text != QUOTATION), is_capital, text, then, after: 0 }
}

/// Longer quotations are somebody else's words.
fn without_quotations(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(['"', '“', '„', '«']) {
        kept.push_str(before);
        rest = match after.split_once(['"', '”', '“', '»']) {
            Some((quoted, after)) if quoted.split_whitespace().count() > 2 => {
                kept.push_str(QUOTATION);
                after
            }
            Some((quoted, rest)) => {
                fill(&mut kept, text.len() - after.len());
                kept.push_str(quoted);
                rest
            }
            None => after,
        };
        fill(&mut kept, text.len() - rest.len());
    }
    kept + rest
}

fn fill(kept: &mut String, length: usize) {
    kept.extend(std::iter::repeat_n(LEFT_OUT, length - kept.len()));
}

fn without_mark_of_list(line: &str) -> &str {
    let bare = line.trim_start_matches(['-', '*', '•', '+']).trim_start();
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    match bare[digits..].strip_prefix(['.', ')']) {
        Some(rest) if digits > 0 && rest.starts_with(' ') => rest.trim_start(),
        _ if bare.len() < line.len() && !line.starts_with("--") => bare,
        _ => line,
    }
}

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
fn lead_in(whole: &str) -> (Leads, &str) {
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

#[cfg(test)]
mod tests;
