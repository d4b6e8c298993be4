//! What must never reach the disk? Replaces credentials in captured text and JSON by `[redacted:rule-name]`,
//! leaving names, quotes and structure readable. Which texts are captured is left to `capture`.

mod anchors;
mod assignment;
mod bytes;
mod command;
mod formats;
mod header;
mod json;
mod jwt;
mod literal;
mod names;
mod pem;
mod prose;
mod randomness;
mod scan;
#[cfg(test)]
mod tests;
mod url;

use std::borrow::Cow;

pub use json::json;

/// Text with its secrets replaced by `[redacted:rule-name]`, and how many there were.
#[derive(Debug)]
pub struct Redacted<'a> {
    pub text: Cow<'a, str>,
    pub count: u32,
}

/// Redacts a text; borrows it when it holds no secret. Redacting the result again changes nothing.
pub fn text(input: &str) -> Redacted<'_> {
    let secrets = scan::secrets(input);
    if secrets.is_empty() {
        return Redacted { text: Cow::Borrowed(input), count: 0 };
    }
    let mut output = String::with_capacity(input.len());
    let mut kept = 0;
    for secret in &secrets {
        output.push_str(&input[kept..secret.start]);
        push_marker(&mut output, secret.rule);
        kept = secret.end;
    }
    output.push_str(&input[kept..]);
    Redacted { text: Cow::Owned(output), count: u32::try_from(secrets.len()).unwrap_or(u32::MAX) }
}

fn push_marker(output: &mut String, rule: &str) {
    output.push_str(scan::MARKER);
    output.push_str(rule);
    output.push(']');
}
