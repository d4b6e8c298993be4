//! Does this identifier name a secret? Looks at how it ends, in any spelling: `DB_PASSWORD`, `clientSecret`,
//! `x-api-key`, `pgpassword`; and not `max_tokens`, `primary_key`, `passwordPolicy`.

use super::bytes::{DIGIT, LOWER, UPPER};

/// How sure a name makes us that its value is a secret.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Strength {
    /// Any literal is one: `password`.
    Strong,
    /// Only what looks like a password is one: `pass` alone, which is also a word of tests and compilers.
    Doubtful,
    /// Any literal is one in the environment, elsewhere only what looks random: `SECRET`.
    Firm,
    /// Only what looks random is one: `token`, which is also a word of parsers.
    Weak,
    /// `Authorization`: a scheme, then the secret.
    Header,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) strength: Strength,
    pub(super) rule: &'static str,
    /// Written `LIKE_THIS`, as environment variables are.
    pub(super) is_screaming: bool,
}

/// An ending, whether a word must begin there, and what it means.
const ENDINGS: &[(&str, Begins, Strength, &str)] = &[
    ("password", Begins::Anywhere, Strength::Strong, "password"),
    ("passwd", Begins::Anywhere, Strength::Strong, "password"),
    ("passwort", Begins::Anywhere, Strength::Strong, "password"),
    ("passphrase", Begins::Anywhere, Strength::Strong, "password"),
    ("passcode", Begins::Anywhere, Strength::Strong, "password"),
    ("pwd", Begins::Anywhere, Strength::Strong, "password"),
    ("pass", Begins::Word, Strength::Strong, "password"),
    ("userpass", Begins::Anywhere, Strength::Strong, "password"),
    ("dbpass", Begins::Anywhere, Strength::Strong, "password"),
    ("secretkey", Begins::Anywhere, Strength::Firm, "secret"),
    ("secret", Begins::Anywhere, Strength::Firm, "secret"),
    ("token", Begins::Anywhere, Strength::Weak, "token"),
    ("authorization", Begins::Word, Strength::Header, "authorization"),
    ("auth", Begins::Word, Strength::Weak, "credential"),
    ("credential", Begins::Anywhere, Strength::Weak, "credential"),
    ("credentials", Begins::Anywhere, Strength::Weak, "credential"),
    ("creds", Begins::Word, Strength::Weak, "credential"),
    ("cred", Begins::Word, Strength::Weak, "credential"),
];

/// Words that make a `key` a secret one.
const SECRET_KEYS: &[&str] = &[
    "access",
    "account",
    "admin",
    "api",
    "app",
    "application",
    "auth",
    "client",
    "consumer",
    "deploy",
    "encryption",
    "functions",
    "hmac",
    "ingest",
    "jwt",
    "license",
    "master",
    "private",
    "root",
    "sas",
    "security",
    "server",
    "service",
    "session",
    "shared",
    "signing",
    "ssh",
    "subscription",
    "symmetric",
    "webhook",
    "write",
];

/// Words that make a `KEY` of the environment none.
const PLAIN_KEYS: &[&str] = &[
    "cache",
    "foreign",
    "group",
    "hash",
    "host",
    "idempotency",
    "index",
    "json",
    "lookup",
    "map",
    "object",
    "partition",
    "primary",
    "pub",
    "public",
    "publishable",
    "redis",
    "registry",
    "routing",
    "row",
    "site",
    "sort",
    "storage",
    "unique",
];

/// Words that make a token one of paging or parsing, or a key one to be shown.
const HARMLESS: &[&str] =
    &["public", "publishable", "page", "next", "prev", "previous", "sync", "continuation", "cancellation"];

/// Words after the one that matters: `SECRET_KEY_BASE`, `TOKEN_PROD`.
const QUALIFIERS: &[&str] = &[
    "b64",
    "base",
    "base64",
    "current",
    "default",
    "dev",
    "development",
    "live",
    "local",
    "main",
    "new",
    "old",
    "plain",
    "plaintext",
    "prod",
    "production",
    "raw",
    "sandbox",
    "secondary",
    "staging",
    "test",
    "value",
];

#[derive(Clone, Copy, PartialEq)]
enum Begins {
    Anywhere,
    Word,
}

/// What `identifier` says about its value, if it names a secret.
pub(super) fn classify(identifier: &str) -> Option<Name> {
    let folded = identifier.to_ascii_lowercase();
    let words = words(identifier, &folded);
    let kept = words.len() - words.iter().rev().take_while(|word| is_qualifier(word)).count();
    let words = &words[..kept];
    if words.iter().any(|word| HARMLESS.contains(word)) {
        return None;
    }
    let is_screaming = UPPER.touches(identifier) && !LOWER.touches(identifier);
    if words == ["pass"] {
        return Some(Name { strength: Strength::Doubtful, rule: "password", is_screaming });
    }
    let (strength, rule) = ending(words).or_else(|| key(words, is_screaming))?;
    Some(Name { strength, rule, is_screaming })
}

fn ending(words: &[&str]) -> Option<(Strength, &'static str)> {
    let last = words.last()?;
    let found = ENDINGS.iter().find(|(ending, begins, _, _)| match begins {
        Begins::Anywhere => last.ends_with(ending),
        Begins::Word => last == ending,
    });
    if let Some((_, _, strength, rule)) = found {
        return Some((*strength, rule));
    }
    let secret_key = *last == "key" && words.len() > 1 && words[words.len() - 2].ends_with("secret");
    secret_key.then_some((Strength::Firm, "secret"))
}

fn key(words: &[&str], is_screaming: bool) -> Option<(Strength, &'static str)> {
    let (last, rest) = words.split_last()?;
    let of = match last.strip_suffix("key")? {
        "" => *rest.last()?,
        joined => joined,
    };
    let is_secret = SECRET_KEYS.iter().any(|word| of.ends_with(word))
        || (is_screaming && *last == "key" && !PLAIN_KEYS.contains(&of));
    is_secret.then_some((Strength::Weak, "api-key"))
}

fn is_qualifier(word: &str) -> bool {
    QUALIFIERS.contains(&word) || DIGIT.covers(word)
}

/// The words of an identifier, taken from its lower-case form.
fn words<'a>(identifier: &str, folded: &'a str) -> Vec<&'a str> {
    let bytes = identifier.as_bytes();
    let mut words = Vec::with_capacity(8);
    let mut start = 0;
    for at in 0..=bytes.len() {
        let is_separator = at == bytes.len() || matches!(bytes[at], b'_' | b'-' | b'.');
        if is_separator || starts_word(bytes, at) {
            words.extend(folded.get(start..at).filter(|word| !word.is_empty()));
            start = at + usize::from(is_separator);
        }
    }
    words
}

/// `camelCase` and `HTTPServer` begin a word at their second capital and at `S`.
fn starts_word(bytes: &[u8], at: usize) -> bool {
    if at == 0 || !UPPER.has(bytes[at]) {
        return false;
    }
    let before = bytes[at - 1];
    LOWER.has(before)
        || DIGIT.has(before)
        || (UPPER.has(before) && bytes.get(at + 1).is_some_and(|&next| LOWER.has(next)))
}
