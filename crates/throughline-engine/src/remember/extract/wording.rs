//! Sentences of a text, and a statement made presentable: without courtesies, with a capital letter.

use crate::words::is_in;
use std::ops::Range;

/// What ends with a dot and no sentence.
const ABBREVIATIONS: [&str; 25] = [
    "e.g", "i.e", "etc", "vs", "approx", "no", "fig", "z.b", "d.h", "bzw", "ca", "resp", "dr", "mr", "mrs",
    "prof", "inc", "ltd", "jr", "sr", "st", "incl", "excl", "dept", "misc",
];

/// What ends with a dot before the number of a place in a document.
const PLACES: [&str; 8] = ["p", "pp", "ch", "sec", "vol", "nr", "art", "para"];

/// The sentences of a line. Dots inside of names, versions and abbreviations end none, and what says nothing without the sentence
/// before it belongs to that.
pub(in crate::remember) fn sentences(line: &str) -> Vec<&str> {
    let mut joined: Vec<Range<usize>> = vec![];
    for sentence in parts(line) {
        match joined.last_mut() {
            Some(before) if leans_on(&line[before.clone()], &line[sentence.clone()]) => {
                before.end = sentence.end;
            }
            _ => joined.push(sentence),
        }
    }
    joined.into_iter().map(|sentence| &line[sentence]).collect()
}

/// What a sign ends.
fn parts(line: &str) -> Vec<Range<usize>> {
    let mut parts = vec![];
    let mut start = 0;
    let mut in_code = false;
    for (at, c) in line.char_indices() {
        in_code ^= c == '`';
        let end = past_closing(line, at + c.len_utf8());
        let is_last = line[end..].chars().next().is_none_or(char::is_whitespace);
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' => is_last && !goes_on(&line[start..at], &line[end..]),
            // "use ? and thiserror"
            '?' => is_last && !line[start..at].ends_with(char::is_whitespace),
            '!' => is_last,
            ':' => is_last && passes_on(&line[start..at]),
            _ => false,
        };
        if ends && !in_code {
            parts.push(trimmed(line, start..end));
            start = end;
        }
    }
    parts.push(trimmed(line, start..line.len()));
    parts.retain(|part| line[part.clone()].chars().any(char::is_alphanumeric));
    parts
}

/// "…, by the way: since today we ship for free": what follows is said for itself.
fn passes_on(before: &str) -> bool {
    const PASSING: [&str; 3] = [", by the way", ", btw", " - by the way"];
    PASSING.iter().any(|passing| before.len() >= passing.len() && before.to_lowercase().ends_with(passing))
}

/// Where what closes a quotation or a bracket ends.
fn past_closing(line: &str, at: usize) -> usize {
    line[at..].find(|c| !matches!(c, '"' | '”' | '“' | '»' | ')')).map_or(line.len(), |more| at + more)
}

fn trimmed(line: &str, part: Range<usize>) -> Range<usize> {
    let text = &line[part.clone()];
    let start = part.start + text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// "We got rid of Drizzle. It's all Kysely", "We moved the listener. Port 6661", "New messages? Create them in src/wire".
fn leans_on(before: &str, sentence: &str) -> bool {
    const FEW: usize = 6;
    // What is so long says more than one thing by itself.
    const LONG: usize = 300;
    let words: Vec<&str> = sentence.split_whitespace().take(FEW + 1).collect();
    let first = first_word(sentence);
    let has_digit = |word: &&str| word.bytes().any(|byte| byte.is_ascii_digit());
    let is_named =
        |word: &&str| has_digit(word) || word.contains('/') || word.starts_with(char::is_uppercase);
    let points_back = matches!(first.as_str(), "it's" | "it" | "they're" | "they" | "that's");
    let is_value = words.len() == 2 && first.chars().all(char::is_alphabetic) && has_digit(&words[1]);
    if is_announcement(before) {
        return !sentence.ends_with('?');
    }
    if follows_from(before, sentence) {
        return true;
    }
    match words.len() <= FEW && before.len() <= LONG && !sentence.ends_with('?') {
        true if before.ends_with('?') => is_heading(before) && words.contains(&"them"),
        true => {
            is_value
                || points_back && words[1..].iter().any(is_named)
                || is_instead(before, sentence)
                || is_afterthought(sentence)
        }
        false => false,
    }
}

/// "The tables have uuid keys. So don't use the autoincrement id for them"
fn follows_from(before: &str, sentence: &str) -> bool {
    const MANY: usize = 14;
    const LONG: usize = 200;
    let words: Vec<String> = sentence
        .split_whitespace()
        .take(MANY + 1)
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).replace('’', "'").to_lowercase())
        .collect();
    let rules = words.get(1).is_some_and(|word| is_in("don't never always only we they use no", word));
    let points = words.iter().skip(2).any(|word| is_in("them it those they", word));
    words.first().is_some_and(|word| word == "so")
        && rules
        && points
        && words.len() <= MANY
        && before.len() <= LONG
        && !before.ends_with('?')
}

/// "New calibration lab! Norlab has the contract": what it is follows.
fn is_announcement(before: &str) -> bool {
    const FEW: usize = 5;
    before.ends_with('!') && first_word(before) == "new" && before.split_whitespace().count() <= FEW
}

/// "Lines have 100 characters. Docstrings too", "Staging is refreshed on Sunday. Each week".
fn is_afterthought(sentence: &str) -> bool {
    const FEW: usize = 3;
    const HOW_OFTEN: [&str; 5] = ["each", "every", "daily", "weekly", "monthly"];
    let said = sentence.trim_end_matches(['.', '!']).to_lowercase();
    let adds = ["too", "as well", "also", "included"].iter().any(|word| said.ends_with(&format!(" {word}")));
    said.split_whitespace().count() <= FEW && (adds || HOW_OFTEN.contains(&first_word(&said).as_str()))
}

/// "Don't add messages to src/old please. Messages go in src/wire": what is to be done instead is of the same thing.
fn is_instead(before: &str, sentence: &str) -> bool {
    const SHORT: usize = 4;
    let forbids = |text: &str| matches!(first_word(text).as_str(), "don't" | "dont" | "never" | "stop");
    let things = |text: &str| -> Vec<String> {
        let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        words.filter(|word| word.len() > SHORT).map(str::to_lowercase).collect()
    };
    let named = things(before);
    forbids(before) && !forbids(sentence) && things(sentence).iter().any(|thing| named.contains(thing))
}

fn first_word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or_default().replace('’', "'").to_lowercase()
}

/// "New messages?" names what is spoken of and asks nothing.
fn is_heading(question: &str) -> bool {
    const ASKS: &str = "what how why when where which who whose is are was were do does did can could should would will has have right ok \
        okay sure ready really any see got";
    let words = question.split_whitespace().map(|word| word.trim_matches('?').to_lowercase());
    (2..=4).contains(&words.clone().count()) && !words.into_iter().any(|word| is_in(ASKS, &word))
}

/// "zod!! not ajv" is one statement: the sign says it louder.
pub(super) fn with_contrasts(line: &str) -> String {
    let mut whole = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('!') {
        let after = rest[at..].trim_start_matches('!');
        let (before, said) = (&rest[..at], after.trim_start());
        let is_one = said.len() < after.len() && names_few(before) && denies(said);
        whole.push_str(if is_one { before } else { &rest[..rest.len() - after.len()] });
        whole.push_str(if is_one { ", " } else { "" });
        rest = if is_one { said } else { after };
    }
    whole + rest
}

/// The last sentence names a thing and is no call.
fn names_few(before: &str) -> bool {
    const FEW: usize = 7;
    const CALLS: &str =
        "no nope stop wait hey please thanks careful sorry oh wow great nice hi hello yes yeah done good";
    let last = before.rsplit(". ").next().unwrap_or(before);
    let count = last.split_whitespace().count();
    let last_word = last.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    (1..=FEW).contains(&count) && !is_in(CALLS, &last_word)
}

/// "not snake_case filenames", but not "not that one".
fn denies(said: &str) -> bool {
    const FEW: usize = 6;
    const POINTING: &str =
        "that this these those it yet now again so sure here there only just even the a an in at for really";
    let is_last = |at: usize| said[at + 1..].chars().next().is_none_or(|c| c.is_whitespace() || c == '!');
    let end = said.char_indices().find(|(at, c)| matches!(c, '.' | '!' | '?' | ',') && is_last(*at));
    let end = end.map_or(said.len(), |(at, _)| at);
    let words: Vec<String> = said[..end].split_whitespace().map(str::to_lowercase).collect();
    let denied = words.get(1).map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words.len() <= FEW
        && words.first().is_some_and(|word| word == "not")
        && denied.is_some_and(|word| !is_in(POINTING, word))
}

/// An abbreviation ends no sentence, and neither do dots after which it goes on in small letters: "not yarn... it's pnpm".
fn goes_on(before: &str, after: &str) -> bool {
    let is_pause = before.ends_with("..") && after.trim_start().starts_with(char::is_lowercase);
    let last = before.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    let is_place =
        PLACES.contains(&last.as_str()) && after.trim_start().starts_with(|c: char| c.is_ascii_digit());
    is_pause || is_place || is_abbreviation(before)
}

fn is_abbreviation(before: &str) -> bool {
    let last = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let last = last.to_lowercase();
    // An ordinal, as in "2. second".
    let is_ordinal = before.trim().len() <= 2 && before.trim().bytes().all(|byte| byte.is_ascii_digit());
    is_ordinal || (last.len() > 1 && ABBREVIATIONS.contains(&last.as_str()))
}

/// Said at the end out of habit.
const COURTESIES: [&str; 22] = [
    "please",
    "pls",
    "plz",
    "thanks",
    "thank you",
    "thx",
    "ok",
    "okay",
    "btw",
    "by the way",
    "lol",
    "always have",
    "i told you",
    "i told you already",
    "i already told you",
    "as i said",
    "bitte",
    "danke",
    "s'il te plaît",
    "por favor",
    "пожалуйста",
    "that's all",
];

/// Without courtesies, list marks and emphasis; with a capital letter and no full stop.
pub(in crate::remember) fn tidy(text: &str) -> String {
    let text = text.trim().trim_matches('*').trim();
    // Emphasis stands on both sides; at one side it belongs to a name: `fct_`.
    let mut text = text.strip_prefix('_').and_then(|text| text.strip_suffix('_')).unwrap_or(text).trim();
    loop {
        let cut = without_end(text);
        let lower = cut.to_lowercase();
        let habit = COURTESIES.iter().find(|habit| {
            // Folding may change lengths, and a cut must fall on a letter's edge.
            lower.len() == cut.len() && lower.strip_suffix(**habit).is_some_and(ends_clause)
        });
        match habit {
            Some(habit) => text = &cut[..cut.len() - habit.len()],
            None => {
                text = cut;
                break;
            }
        }
    }
    capitalised(
        text.trim_start_matches(|c: char| {
            matches!(c, ',' | ':' | '-' | '–' | '—' | ';') || c.is_whitespace()
        }),
    )
}

/// A dash that belongs to a word says something: "the prefix is TUCK-".
fn without_end(text: &str) -> &str {
    let is_end = |c: char| matches!(c, '.' | '!' | ',' | ';' | ':' | '。' | '！') || c.is_whitespace();
    let cut = text.trim_end_matches(is_end);
    let without_dash = cut.trim_end_matches(['-', '–', '—']);
    match without_dash.chars().next_back() {
        Some(last) if !last.is_whitespace() => cut,
        Some(_) => without_end(without_dash),
        None => "",
    }
}

/// A courtesy stands after a comma or a space, and is not all there is.
fn ends_clause(before: &str) -> bool {
    // "without Svetlana's ok" is hers, and no courtesy.
    const LEANING: &str = "a an the is are be without with to our my your their get gets needs need says";
    let last = before.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    let leans = last.ends_with("'s") || last.ends_with("’s") || last.ends_with("s'") || is_in(LEANING, &last);
    before.ends_with([' ', ',']) && before.trim().len() > 3 && !leans
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        // A name that is written small stays so: `npm ci`, src/lib, snake_case.
        Some(first)
            if first.is_lowercase() && is_word(text.split_whitespace().next().unwrap_or_default()) =>
        {
            first.to_uppercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

fn is_word(first: &str) -> bool {
    first.trim_end_matches([',', ':']).chars().all(|c| c.is_lowercase() || c == '\'' || c == '’')
}

#[cfg(test)]
mod tests {
    use super::{sentences, tidy};

    #[test]
    fn what_says_nothing_alone_belongs_to_the_sentence_before() {
        for whole in [
            "We got rid of Drizzle in the order service. It's all Kysely",
            "We had to reconfigure the HL7 listener this morning. Port 6661.",
            "New protobuf messages? create them in schemas/wire",
            "don't add protobuf to contracts/grpc please. protobuf goes in idl/v1",
            "datasheet p. 44: the default address is 0x1F",
            "Line length: 100. Docstrings too.",
            "Sunday: staging refresh. each week",
            "New calibration lab! Norlab has the contract from today.",
            "after the merger with St. Anna a patient number has nine digits",
        ] {
            assert_eq!(sentences(whole), [whole]);
        }
        for (line, count) in [
            ("Deploys go out on Fridays. It's fun.", 2),
            ("Is it Kysely? It's all Drizzle.", 2),
            ("Don't touch the lockfile. Run the tests.", 2),
            ("Run the tests. Then push. Node 22 is what we use here.", 3),
        ] {
            assert_eq!(sentences(line).len(), count, "{line}");
        }
    }

    #[test]
    fn a_dash_that_belongs_to_a_word_stays() {
        assert_eq!(tidy("every coupon has the prefix TUCK-."), "Every coupon has the prefix TUCK-");
        assert_eq!(tidy("we deploy on Mondays - "), "We deploy on Mondays");
        assert_eq!(tidy("--"), "");
    }
}
