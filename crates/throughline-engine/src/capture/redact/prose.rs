//! Is a secret told in a sentence? "The admin password is …", "the api key for staging is …". A sentence about passwords has words where a
//! secret would stand, so only what no word looks like is one, and only where the clause ends behind it.

use super::bytes::{ALNUM, DIGIT, LETTER, LOWER, UPPER, WORD_DASH};
use super::literal;
use super::names::{self, Name, Strength};
use super::scan::{Find, Text};

/// What ties a value to its name.
const TIES: [&str; 6] = ["is now ", "is: ", "is ", "was ", "will be ", "changed to "];
/// Whose it is may stand between: "the password for the admin is …".
const BETWEEN: [&str; 6] = ["for ", "of ", "on ", "to ", "in ", "at "];
const MAX_BETWEEN: usize = 40;
const MAX_VALUE: usize = 512;
const LEAST: usize = 6;
/// A clause ends before these.
const FOLLOWING: [&str; 12] =
    ["and ", "but ", "for ", "on ", "in ", "at ", "now", "please", "btw", "so ", "not ", "if "];

/// The secret told of the name that ends at `end`; `after` is where the next word begins.
pub(super) fn find(text: &Text<'_>, (start, end): (usize, usize), after: usize) -> Option<Find> {
    let tied = tie(text, after)?;
    let name = name(text, start, end)?;
    let quoted = matches!(text.byte(tied), b'"' | b'\'' | b'`');
    let from = tied + usize::from(quoted);
    let to = from
        + (0..MAX_VALUE)
            .take_while(|&n| !matches!(text.byte(from + n), 0..=b' ' | b'"' | b'`' | b'\\'))
            .count();
    let value = text.slice(from, to).trim_end_matches(['.', ',', ';', ':', ')', '\'']);
    let to = from + value.len();
    let is_secret = looks_secret(value, name) && (quoted || ends_clause(text, to));
    is_secret.then_some(Find { start: from, end: to, rule: name.rule })
}

/// "key" alone names none, "api key" does.
fn name(text: &Text<'_>, start: usize, end: usize) -> Option<Name> {
    let word = text.slice(start, end);
    let single = names::classify(word);
    if single.is_some() || text.before(start) != b' ' {
        return single;
    }
    let before = WORD_DASH.run_start(text.bytes, start - 1, text.floor.max(start.saturating_sub(24)));
    names::classify(&format!("{}_{word}", text.slice(before, start - 1)))
}

/// Where the value begins.
fn tie(text: &Text<'_>, at: usize) -> Option<usize> {
    let tied = |at: usize| {
        TIES.iter().find(|tie| text.starts_with(at, tie)).map(|tie| text.skip_blanks(at + tie.len()))
    };
    if let Some(value) = tied(at) {
        return Some(value);
    }
    let leads = BETWEEN.iter().any(|lead| text.starts_with(at, lead));
    let is_over = |n: &usize| matches!(text.byte(at + n), b'\n' | b'.' | b',' | b';' | 0);
    let length = (0..MAX_BETWEEN).find(is_over).unwrap_or(MAX_BETWEEN);
    let begins = |n: &usize| text.byte(at + n - 1) == b' ';
    leads.then(|| (1..length).filter(begins).find_map(|n| tied(at + n))).flatten()
}

/// No word of a language, no algorithm, no version.
fn looks_secret(value: &str, name: Name) -> bool {
    if literal::is_placeholder(value) || literal::is_template(value) || value.contains(['/', '(']) {
        return false;
    }
    let bytes = value.as_bytes();
    let count = |set: fn(&u8) -> bool| bytes.iter().filter(|byte| set(byte)).count();
    let digits = count(|byte| DIGIT.has(*byte));
    let signs = bytes.iter().filter(|byte| !ALNUM.has(**byte) && !b"-_.".contains(byte)).count();
    let is_mixed = UPPER.touches(value) && LOWER.touches(value);
    let is_long = value.len() >= LEAST && LETTER.touches(value);
    let weak = Name { strength: Strength::Weak, ..name };
    literal::is_secret(value, weak, literal::Style::Bare)
        || name.strength == Strength::Strong && is_long && digits > 0 && (signs > 0 || is_mixed || digits > 2)
}

fn ends_clause(text: &Text<'_>, end: usize) -> bool {
    let is_sign = matches!(
        text.byte(end),
        0 | b'\n' | b'\r' | b'.' | b',' | b';' | b':' | b')' | b'!' | b'?' | b'"' | b'\\'
    );
    let next = text.skip_blanks(end);
    is_sign
        || matches!(text.byte(next), 0 | b'\n' | b'\r' | b'(')
        || FOLLOWING.iter().any(|word| text.starts_with(next, word))
}
