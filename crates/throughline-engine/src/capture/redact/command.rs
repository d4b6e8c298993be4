//! Which one-letter options take a password? Only those of a few commands; `-p` is a port to most.

use super::bytes::WORD_DASH;
use super::literal;
use super::scan::{Find, Text};

/// Command, letter of its option, where the password stands.
const OPTIONS: &[(&str, u8, Place)] = &[
    ("mysql", b'p', Place::Attached),
    ("mysqldump", b'p', Place::Attached),
    ("mysqladmin", b'p', Place::Attached),
    ("mysqlimport", b'p', Place::Attached),
    ("mariadb", b'p', Place::Attached),
    ("mariadb-dump", b'p', Place::Attached),
    ("sshpass", b'p', Place::Next),
    ("sshpass", b'p', Place::Attached),
    ("login", b'p', Place::Next),
    ("mongo", b'p', Place::Next),
    ("mongosh", b'p', Place::Next),
    ("mongodump", b'p', Place::Next),
    ("mongorestore", b'p', Place::Next),
    ("redis-cli", b'a', Place::Next),
    ("ldapsearch", b'w', Place::Next),
    ("ldapmodify", b'w', Place::Next),
    ("curl", b'u', Place::AfterColon),
    ("wget", b'u', Place::AfterColon),
    ("http", b'a', Place::AfterColon),
];

#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// `-pSECRET`
    Attached,
    /// `-p SECRET`
    Next,
    /// `-u user:SECRET`
    AfterColon,
}

/// How far back the command's name may be.
const REACH: usize = 160;
const MAX_VALUE: usize = 256;

/// The password after the option whose ` -x` is at `start`.
pub(super) fn find(text: &Text<'_>, start: usize) -> Option<Find> {
    let letter = text.byte(start + 2);
    let after = start + 3;
    let attached = !matches!(text.byte(after), b' ' | b'=' | b'\t' | 0..32);
    let at = if attached { after } else { text.skip_blanks(after) };
    let at = at + usize::from(matches!(text.byte(at), b'\'' | b'"'));
    let end = value_end(text, at);
    if end == at || text.byte(at) == b'-' {
        return None;
    }
    let place = place_of(text, start, letter, attached)?;
    let from = if place == Place::AfterColon { at + text.slice(at, end).find(':')? + 1 } else { at };
    let value = text.slice(from, end);
    let real = value.len() >= 3 && !literal::is_placeholder(value) && !literal::is_template(value);
    real.then_some(Find { start: from, end, rule: "password" })
}

fn value_end(text: &Text<'_>, at: usize) -> usize {
    let window = &text.bytes[at.min(text.bytes.len())..(at + MAX_VALUE).min(text.bytes.len())];
    let ends = |&byte: &u8| !byte.is_ascii_graphic() || b"\"'`;|&\\<>)".contains(&byte);
    at + window.iter().position(ends).unwrap_or(window.len())
}

/// Where the nearest command before `start`, on the same line, expects the password of this option.
fn place_of(text: &Text<'_>, start: usize, letter: u8, attached: bool) -> Option<Place> {
    let mut end = start;
    let reach = text.floor.max(start.saturating_sub(REACH));
    while end > reach {
        let word = WORD_DASH.run_start(text.bytes, end, reach);
        let name = text.slice(word, end);
        let option = OPTIONS.iter().find(|(command, of, place)| {
            *command == name && *of == letter && (*place == Place::Attached) == attached
        });
        if let Some((_, _, place)) = option {
            return Some(*place);
        }
        let separator = text.before(word);
        if separator == b'\n' || word == reach {
            return None;
        }
        end = word - 1;
    }
    None
}
