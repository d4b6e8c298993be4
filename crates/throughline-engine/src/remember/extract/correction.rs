//! What somebody puts right: "no, use pnpm", "the port is 5433, not 5432", "stop adding …", "again: X, not Y".

use throughline_store::memory::Kind;

use super::sentence::{Sentence, Word, find};
use super::{Family, Found, Reason, doubt, nouns};
use crate::remember::alternatives;

/// What says which of two it is not.
const AGAINST: &[&str] = &["not", "instead of", "rather than", "never", "don't use", "and not"];
const STATING: &[&str] = &[
    "is", "are", "runs", "run", "lives", "live", "uses", "use", "listens", "goes", "go", "comes", "needs",
    "isn't", "aren't", "was", "sits", "sit",
];

pub(super) fn says(sentence: &Sentence<'_>) -> Result<Option<Found>, Reason> {
    let puts_right = sentence.leads.corrects || sentence.leads.insists;
    let found = avoid(sentence)
        .or_else(|| use_instead(sentence, puts_right))
        .or_else(|| value(sentence, puts_right))
        .or_else(|| bare_contrast(sentence, puts_right))
        .or_else(|| it_is(sentence))
        .or_else(|| ordered_contrast(sentence, puts_right));
    let Some(found) = found else { return Ok(None) };
    if let Some(reason) = doubt::of_statement(sentence) {
        return Err(reason);
    }
    if doubt::is_symptom(sentence) {
        return Err(Reason::Symptom);
    }
    if doubt::is_local(sentence) {
        return Err(Reason::Task);
    }
    found.map(Some)
}

type Tried = Option<Result<Found, Reason>>;

/// "stop adding X to Y"
fn avoid(sentence: &Sentence<'_>) -> Tried {
    let doing = sentence.word(1);
    if sentence.word(0) != "stop" || !doing.ends_with("ing") || doing.len() < 6 {
        return None;
    }
    let object = &sentence.words[2..];
    if object.len() < 2 || doubt::points(object) || doubt::is_unresolved(object) {
        return Some(Err(Reason::Unresolved));
    }
    let rest = sentence.text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
    Some(Ok(found(Kind::Rule, 0.75, &format!("Avoid {rest}"))))
}

/// "use X" after a correction, and "use X, not Y" in any case, where X is a thing with a name.
fn use_instead(sentence: &Sentence<'_>, puts_right: bool) -> Tried {
    let at =
        ["use", "don't use"].iter().find_map(|cue| sentence.starts(cue).then(|| cue.split(' ').count()))?;
    let forbids = at == 2;
    let object = &sentence.words[at..];
    let other = sentence.words.iter().skip(1).any(|word| word.text == "use");
    let against = AGAINST.iter().any(|phrase| find(object, phrase).is_some()) || (forbids && other);
    if doubt::points(object) || doubt::is_unresolved(object) {
        return Some(Err(Reason::Unresolved));
    }
    let article = matches!(
        object.first().map_or("", |word| word.text.as_str()),
        "a" | "an" | "the" | "two" | "some" | "my"
    );
    if in_one_place(object) {
        return Some(Err(Reason::Task));
    }
    let is_number = |word: &Word| word.text.starts_with(|c: char| c.is_ascii_digit());
    let named = object
        .iter()
        .take(2)
        .any(|word| (nouns::is_specific(word) && !is_number(word)) || alternatives::is_known(&word.text));
    let everywhere = sentence.has_any(&[
        "everywhere",
        "in this repo",
        "in this project",
        "in our codebase",
        "in this codebase",
    ]);
    let is_rule = match (puts_right, against) {
        _ if everywhere => true,
        (true, true) => true,
        (true, false) => !article && named && object.len() < 8,
        (false, true) => !article && named && !forbids,
        (false, false) => false,
    };
    if is_rule {
        Some(Ok(found(Kind::Rule, 0.7, sentence.text)))
    } else {
        puts_right.then_some(Err(Reason::Task))
    }
}

/// "… in fetchOrders", "… in utils/date.ts": one place in the code.
fn in_one_place(object: &[Word]) -> bool {
    object.windows(2).any(|pair| {
        let word = &pair[1];
        let file = word.text.rsplit_once('.').is_some_and(|(_, ending)| (1..=4).contains(&ending.len()));
        let identifier = word.text.ends_with("()") || word.has_hump;
        matches!(pair[0].text.as_str(), "in" | "inside" | "within") && (file || identifier)
    })
}

/// "the gateway runs on 8443, not 8080": a statement of a value with the one that it is not.
fn value(sentence: &Sentence<'_>, puts_right: bool) -> Tried {
    let verb = sentence.words.iter().take(8).position(|word| STATING.contains(&word.text.as_str()))?;
    let subject = &sentence.words[..verb];
    let first = sentence.word(0);
    let contrast = contrast(&sentence.words);
    let denies = matches!(first, "it's" | "that's" | "they're") && sentence.word(1) == "not";
    let points = matches!(
        first,
        "it" | "this" | "that" | "these" | "they" | "i" | "you" | "it's" | "that's" | "use" | "don't"
    );
    let value_is_named = sentence.words[verb..].iter().any(nouns::is_specific);
    let titled = sentence
        .words
        .iter()
        .any(|word| matches!(word.text.as_str(), "title" | "sum" | "label" | "button" | "text"));
    if (points && !denies) || subject.is_empty() || titled {
        return None;
    }
    let says_which = (contrast && value_is_named) || (puts_right && value_is_named && !subject.is_empty());
    let kind = if subject.iter().any(|word| word.text == "we") { Kind::Rule } else { Kind::Fact };
    let kind = if sentence.has_any(&["never", "always", "must"]) { Kind::Rule } else { kind };
    says_which.then(|| Ok(found(kind, 0.7, denial_removed(sentence, denies))))
}

/// "it's not eu-west-1, our buckets are all in us-east-1": what it is comes second.
fn denial_removed<'a>(sentence: &Sentence<'a>, denies: bool) -> &'a str {
    match sentence.text.split_once(',') {
        Some((_, rest)) if denies => rest,
        _ => sentence.text,
    }
}

/// "it's pnpm run check, not npm run lint"
fn it_is(sentence: &Sentence<'_>) -> Tried {
    let named = sentence.words.get(1).is_some_and(|word| alternatives::is_known(&word.text) || word.is_name);
    let rest = sentence.text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
    (sentence.word(0) == "it's" && named && contrast(&sentence.words))
        .then(|| Ok(found(Kind::Rule, 0.65, &format!("Use {rest}"))))
}

/// "pnpm, not npm" and nothing else.
fn bare_contrast(sentence: &Sentence<'_>, puts_right: bool) -> Tried {
    let short = sentence.words.len() <= 5 && sentence.word(1) == "not";
    let named =
        alternatives::is_known(sentence.word(0)) || sentence.words.first().is_some_and(nouns::is_specific);
    (short && named && puts_right).then(|| Ok(found(Kind::Rule, 0.7, &format!("Use {}", sentence.text))))
}

/// "log via slog, not fmt.Println", said once more.
fn ordered_contrast(sentence: &Sentence<'_>, puts_right: bool) -> Tried {
    let named = sentence.words.iter().any(nouns::is_specific) && !doubt::points(&sentence.words);
    (puts_right && sentence.leads.insists && contrast(&sentence.words) && named)
        .then(|| Ok(found(Kind::Rule, 0.7, sentence.text)))
}

/// "…, not Y", "… instead of Y"
pub(super) fn contrast(words: &[Word]) -> bool {
    let parted = words
        .windows(2)
        .any(|pair| pair[0].then == Some(',') && matches!(pair[1].text.as_str(), "not" | "never"));
    parted || find(words, "instead of").is_some() || find(words, "rather than").is_some()
}

fn found(kind: Kind, confidence: f64, content: &str) -> Found {
    Found::new(Family::Correction, kind, confidence, content)
}
