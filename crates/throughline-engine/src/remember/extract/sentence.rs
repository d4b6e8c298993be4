//! A sentence as the rules see it: its words, what stands before the statement itself, and what it ends with.

mod lead;

use super::wording;
use lead::lead_in;

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
    /// The message has no other.
    pub(super) is_alone: bool,
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
    let is_alone = texts.len() == 1;
    let following = texts.iter().skip(1).map(|(_, text)| Some(*text)).chain([None]);
    let all = texts.iter().zip(following).map(|((line, text), next)| Sentence::new(*line, text, next));
    all.map(|sentence| Sentence { is_alone, ..sentence }).collect()
}

impl<'a> Sentence<'a> {
    pub(super) fn new(line: usize, whole: &'a str, next: Option<&'a str>) -> Sentence<'a> {
        let (leads, text) = lead_in(whole);
        Sentence { line, whole, text, words: words(text), all: words(whole), leads, next, is_alone: false }
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

    /// The text of its words from one place to before another, without the sign behind them.
    pub(super) fn text_between(&self, from: usize, to: usize) -> &'a str {
        let begin = |at: usize| at.checked_sub(1).map_or(0, |last| self.words[last].after);
        self.text[begin(from)..begin(to)].trim().trim_end_matches([',', ';', ':', '.', '!', '?'])
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

#[cfg(test)]
mod tests;
