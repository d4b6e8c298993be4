//! Which HTTP headers carry secrets whose name is not enough to find them? `Bearer …` and `Basic …` wherever
//! they stand, and cookies. Headers like `x-api-key: …` are assignments.

use super::bytes::{BEARER, WORD_DASH, WORD_DASH_DOT};
use super::formats;
use super::literal;
use super::randomness;
use super::scan::{Find, Text};

const MAX_TOKEN: usize = 8192;
const MAX_COOKIES: usize = 2048;

/// The token after the word `Bearer` at `start..end`.
pub(super) fn bearer(text: &Text<'_>, start: usize, end: usize) -> Option<Find> {
    let value = text.skip_blanks(end);
    let value_end = BEARER.run_end(text.bytes, value, MAX_TOKEN);
    let token = text.slice(value, value_end).trim_end_matches('.');
    let stands_alone = text.begins(start, WORD_DASH) && value > end && !text.marker_at(value_end);
    if !stands_alone || !(randomness::is_random(token) || literal::is_short_token(token)) {
        return None;
    }
    let end = value + token.len();
    let rule = formats::name_of(text, value, end).unwrap_or("bearer-token");
    Some(Find { start: value, end, rule })
}

/// The user and password, in base64, after the word `Basic ` at `start..end`.
pub(super) fn basic(text: &Text<'_>, start: usize, end: usize) -> Option<Find> {
    let value_end = BEARER.run_end(text.bytes, end, MAX_TOKEN);
    let holds_password = literal::is_user_and_password(text.slice(end, value_end));
    let stands_alone = text.begins(start, WORD_DASH) && !text.marker_at(value_end);
    (holds_password && stands_alone).then_some(Find { start: end, end: value_end, rule: "basic-auth" })
}

/// The cookies after the word `Cookie` at `start..end`: all of them in a request, where they have no other
/// purpose than to be sent; the value alone in `Set-Cookie`, whose attributes are worth reading.
pub(super) fn cookie(text: &Text<'_>, start: usize, end: usize) -> Option<Find> {
    let header = WORD_DASH.run_start(text.bytes, start, text.floor.max(start.saturating_sub(8)));
    // Only where no cookie could reach it from before, so that no cookie is read twice.
    if !matches!(text.before(header), 0 | b' ' | b'\t' | b'\n' | b'"' | b'\'' | b'n') {
        return None;
    }
    let value = value_start(text, end)?;
    let name_end = WORD_DASH_DOT.run_end(text.bytes, value, 64);
    if name_end == value || text.byte(name_end) != b'=' {
        return None;
    }
    let first_end = pair_end(text, name_end + 1);
    let sets = text.before(start) == b'-';
    let (from, to) = if sets { (name_end + 1, first_end) } else { (value, all_end(text, first_end)) };
    let name = text.slice(value, name_end);
    let worthy =
        if sets { is_session(name, text.slice(from, to)) } else { any_session(text.slice(from, to)) };
    (worthy && !text.marker_at(to)).then_some(Find { start: from, end: to, rule: "cookie" })
}

fn value_start(text: &Text<'_>, name_end: usize) -> Option<usize> {
    let colon = skip_quote(text, name_end);
    (text.byte(colon) == b':').then(|| skip_quote(text, text.skip_blanks(colon + 1)))
}

fn skip_quote(text: &Text<'_>, at: usize) -> usize {
    let quote = at + usize::from(text.byte(at) == b'\\');
    if matches!(text.byte(quote), b'"' | b'\'') { quote + 1 } else { at }
}

fn pair_end(text: &Text<'_>, at: usize) -> usize {
    let window = &text.bytes[at..(at + MAX_COOKIES).min(text.bytes.len())];
    at + window
        .iter()
        .position(|&byte| byte.is_ascii_whitespace() || !byte.is_ascii() || b";\"'\\,[".contains(&byte))
        .unwrap_or(window.len())
}

fn all_end(text: &Text<'_>, first_end: usize) -> usize {
    let mut end = first_end;
    while text.starts_with(end, "; ") && end - first_end < MAX_COOKIES {
        let pair = pair_end(text, end + 2);
        if pair == end + 2 {
            break;
        }
        end = pair;
    }
    end
}

fn any_session(cookies: &str) -> bool {
    cookies.split("; ").any(|pair| pair.split_once('=').is_some_and(|(name, value)| is_session(name, value)))
}

fn is_session(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let names_session =
        ["sess", "sid", "auth", "token", "jwt", "login"].iter().any(|part| name.contains(part));
    let is_literal = !literal::is_placeholder(value) && !literal::is_template(value);
    is_literal && (randomness::is_random(value) || (names_session && value.len() >= 4))
}
