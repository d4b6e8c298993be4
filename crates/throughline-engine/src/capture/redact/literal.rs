//! Is this value a secret itself, or code, a template or a stand-in for one? `hunter2` is; `getPassword()`,
//! `${DB_PASSWORD}`, `changeme`, `string` and `Enter your password` are not.

use super::bytes::{ALNUM, BASE64, DIGIT, LETTER, LOWER, UPPER, WORD};
use super::names::{Name, Strength};
use super::randomness;
use super::scan::MARKER;

/// How a value is written, which says what else it could be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Style {
    /// Between quotes or tags: a literal, perhaps of prose.
    Quoted,
    /// `NAME=value` of a shell or an `.env` file: a literal.
    Env,
    /// After a command-line flag: a literal, or the next word of a sentence.
    Flag,
    /// Without quotes: perhaps code.
    Bare,
}

/// Whole values that stand for a secret, or for its absence or type.
const STAND_INS: &[&str] = &[
    "abc",
    "any",
    "apikey",
    "boolean",
    "bool",
    "bytes",
    "default",
    "disabled",
    "email",
    "empty",
    "enabled",
    "false",
    "file",
    "foobar",
    "get",
    "hash",
    "hidden",
    "inherit",
    "input",
    "int",
    "key",
    "keyring",
    "masked",
    "md5",
    "na",
    "nil",
    "no",
    "none",
    "null",
    "number",
    "object",
    "off",
    "on",
    "optional",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "plain",
    "plaintext",
    "post",
    "prompt",
    "pwd",
    "redacted",
    "removed",
    "required",
    "sample",
    "secret",
    "self",
    "set",
    "sha256",
    "stdin",
    "str",
    "string",
    "tbd",
    "test",
    "text",
    "todo",
    "token",
    "true",
    "undefined",
    "unknown",
    "unset",
    "user",
    "username",
    "varchar",
    "void",
    "yes",
    "i32",
    "u32",
    "u64",
    "i64",
    "u8",
    "int64",
    "uint8",
    "include",
    "omit",
    "bearer",
    "basic",
    "value",
];

/// Parts that give away a stand-in.
const STAND_IN_PARTS: &[&str] = &[
    "xxxx",
    "****",
    "....",
    "----",
    "____",
    "changeme",
    "change-me",
    "change_me",
    "change-this",
    "replaceme",
    "replace-me",
    "replace_me",
    "placeholder",
    "your-",
    "your_",
    "yourpass",
    "yourtoken",
    "yoursecret",
    "yourapikey",
    "insert-",
    "insert_",
    "<",
    "redacted",
    "dummy",
    "not-a-real",
    "notareal",
];

/// What follows `--password` in a sentence about it.
const SENTENCE_WORDS: &[&str] = &[
    "and",
    "are",
    "argument",
    "as",
    "at",
    "be",
    "but",
    "by",
    "can",
    "flag",
    "for",
    "from",
    "has",
    "if",
    "in",
    "instead",
    "into",
    "is",
    "it",
    "may",
    "must",
    "not",
    "of",
    "option",
    "options",
    "or",
    "parameter",
    "should",
    "so",
    "switch",
    "that",
    "the",
    "then",
    "this",
    "to",
    "was",
    "when",
    "which",
    "will",
    "with",
    "you",
    "your",
];

/// Whether `value`, given to `name`, is a secret.
pub(super) fn is_secret(value: &str, name: Name, style: Style) -> bool {
    if is_placeholder(value) || is_template(value) || is_address(value) {
        return false;
    }
    match name.strength {
        Strength::Strong => is_password(value, style),
        Strength::Doubtful => is_password(value, Style::Bare),
        Strength::Firm => {
            is_random_value(value) || (name.is_screaming && style == Style::Env && is_password(value, style))
        }
        Strength::Weak | Strength::Header => is_random_value(value) || is_user_and_password(value),
    }
}

/// Whether `value` only stands for a secret, or was one before it was redacted.
pub(super) fn is_placeholder(value: &str) -> bool {
    if value.contains(MARKER) {
        return true;
    }
    let folded = value.to_ascii_lowercase();
    let core = folded.trim_matches(|c: char| !c.is_alphanumeric());
    STAND_INS.contains(&core)
        || STAND_IN_PARTS.iter().any(|part| folded.contains(part))
        || names_itself(core)
        || (value.len() >= 3 && !randomness::is_varied(value))
}

/// `user_password`, `new-password`, `API_TOKEN`: the name of a field, not its content.
fn names_itself(core: &str) -> bool {
    let names =
        ["password", "passwd", "passphrase", "secret", "token", "apikey", "api_key", "api-key", "credential"];
    names.iter().any(|name| core.contains(name)) && !DIGIT.touches(core) && randomness::is_wordy(core)
}

/// Whether `value` is filled in later: `${X}`, `$X`, `{{ x }}`, `%s`, `%(x)s`, `{x}`, `#{x}`.
pub(super) fn is_template(value: &str) -> bool {
    let opens =
        ["${", "{{", "#{", "%(", "%{", "<%", "$(", "%s", "{}"].iter().any(|open| value.contains(open));
    let is_variable = value.strip_prefix('$').is_some_and(|name| WORD.covers(name));
    let is_windows_variable = value.len() > 2 && value.starts_with('%') && value.ends_with('%');
    let is_format = value.strip_prefix('%').is_some_and(|verb| verb.len() <= 2 && LETTER.covers(verb));
    let is_braced = value.starts_with('{') && value.ends_with('}');
    opens || is_variable || is_windows_variable || is_format || is_braced
}

/// Paths and URLs; a password inside a URL is found by itself.
fn is_address(value: &str) -> bool {
    let bytes = value.as_bytes();
    let has_drive =
        bytes.len() > 3 && LETTER.has(bytes[0]) && bytes[1] == b':' && matches!(bytes[2], b'\\' | b'/');
    let is_path =
        value.starts_with(['/', '~', '.']) && (randomness::is_wordy(value) || value.matches('/').count() > 2);
    value.contains("://") || has_drive || is_path || value.starts_with("arn:") || value.starts_with("data:")
}

/// `abc123` after `Bearer` can be nothing else; `token2` can.
pub(super) fn is_short_token(token: &str) -> bool {
    let digits = token.bytes().filter(u8::is_ascii_digit).count();
    token.len() >= 6 && digits >= 2 && !is_placeholder(token) && !token.contains(['/', '.'])
}

/// Base64 of `user:password`, as in `Basic` authentication and Docker's `auth`.
pub(super) fn is_user_and_password(value: &str) -> bool {
    if value.len() < 8 || !value.len().is_multiple_of(4) || !BASE64.covers(value) {
        return false;
    }
    let decoded: Option<Vec<u8>> = value
        .trim_end_matches('=')
        .as_bytes()
        .chunks(4)
        .map(decode)
        .collect::<Option<Vec<_>>>()
        .map(|parts| parts.concat());
    decoded.is_some_and(|bytes| {
        bytes.iter().all(|byte| (32..127).contains(byte)) && bytes.iter().skip(1).any(|&byte| byte == b':')
    })
}

fn is_random_value(value: &str) -> bool {
    !value.contains(char::is_whitespace) && !is_contract_address(value) && randomness::is_random(value)
}

/// `0x` and twenty bytes name a contract or an account, which all may know.
fn is_contract_address(value: &str) -> bool {
    value.starts_with("0x") && value.len() == 42
}

fn is_password(value: &str, style: Style) -> bool {
    if value.len() < 3 {
        return false;
    }
    match style {
        Style::Env => !is_code(value),
        Style::Flag => !is_code(value) && !is_sentence_word(value),
        Style::Quoted => !is_prose(value),
        Style::Bare => value.len() > 3 && !is_code(value) && is_unlike_a_word(value),
    }
}

fn is_sentence_word(value: &str) -> bool {
    let word = value.trim_end_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    SENTENCE_WORDS.contains(&word.as_str()) || (UPPER.covers(value) && value.len() > 1)
}

/// Sentences, labels and validation rules: `Enter your password`, `Passwort`, `required|min:8`.
fn is_prose(value: &str) -> bool {
    let is_label =
        value.chars().skip(1).all(char::is_lowercase) && value.chars().next().is_some_and(char::is_uppercase);
    let is_foreign = !value.is_ascii() && value.chars().all(|c| c.is_alphabetic() || c.is_whitespace());
    let has_gaps = value.contains(char::is_whitespace) || value.contains('|');
    is_label
        || is_foreign
        || (has_gaps && randomness::is_wordy(value))
        || !value.contains(|c: char| c.is_alphanumeric())
}

/// Calls, paths through objects, references, and anything else that is evaluated.
fn is_code(value: &str) -> bool {
    let starts =
        value.starts_with(['(', '[', '{', '<', '&', '*', '|', '>', '!', '@', '%', '=', ':', '-', ',', '#']);
    let is_variable =
        value.strip_prefix('$').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    let has_operator = ["(", "::", "->", "=>", "[", "{"].iter().any(|operator| value.contains(operator));
    let is_object_path = value.contains('.') && value.split('.').all(is_identifier);
    starts || is_variable || has_operator || is_object_path || !ALNUM.touches(value)
}

fn is_identifier(text: &str) -> bool {
    text.bytes().next().is_some_and(|first| LETTER.has(first) || first == b'_') && WORD.covers(text)
}

/// Letters with digits or signs among them, or a number too long to count with.
fn is_unlike_a_word(value: &str) -> bool {
    let has_letter = LETTER.touches(value);
    let has_sign = value.contains(['!', '@', '#', '$', '%', '^', '&', '*', '+', '?', '~']);
    let is_number = DIGIT.covers(value) && value.len() >= 6;
    (has_letter && (DIGIT.touches(value) || has_sign)) || is_number || (LOWER.touches(value) && has_sign)
}

fn decode(chunk: &[u8]) -> Option<Vec<u8>> {
    let mut bits = 0u32;
    for &byte in chunk {
        bits = bits << 6 | sextet(byte)?;
    }
    let bits = bits << (6 * (4 - chunk.len()));
    let bytes = [(bits >> 16) as u8, (bits >> 8) as u8, bits as u8];
    Some(bytes[..(chunk.len() * 6 / 8).min(3)].to_vec())
}

fn sextet(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}
