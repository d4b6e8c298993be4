//! Does this URL carry a password? `scheme://user:password@host`, or a token in place of the user.

use super::bytes::{ALNUM, URL_SCHEME};
use super::formats;
use super::literal;
use super::randomness;
use super::scan::{Find, MARKER, Text};

const MAX_AUTHORITY: usize = 1024;

/// The password of the URL whose `://` is at `colon`.
pub(super) fn find(text: &Text<'_>, colon: usize) -> Option<Find> {
    if !URL_SCHEME.has(text.before(colon)) {
        return None;
    }
    let start = colon + 3;
    let at_sign = userinfo_end(text, start)?;
    let userinfo = text.slice(start, at_sign);
    let secret = match userinfo.split_once(':') {
        Some((_, "")) | None => start,
        Some((user, _)) => start + user.len() + 1,
    };
    let end = if userinfo.ends_with(':') && secret == start { at_sign - 1 } else { at_sign };
    let value = text.slice(secret, end);
    let real = if secret == start { randomness::is_random(value) } else { is_password(value) };
    let rule = formats::name_of(text, secret, end).unwrap_or("url-password");
    real.then_some(Find { start: secret, end, rule })
}

fn is_password(value: &str) -> bool {
    !value.is_empty() && !literal::is_placeholder(value) && !literal::is_template(value)
}

/// Where the last `@` of the authority is. Passwords may hold an unescaped `@`, hosts cannot.
fn userinfo_end(text: &Text<'_>, start: usize) -> Option<usize> {
    let window = &text.bytes[start..(start + MAX_AUTHORITY).min(text.bytes.len())];
    let len = window.iter().position(|&byte| ends_authority(byte)).unwrap_or(window.len());
    let authority = text.slice(start, start + len);
    let at_sign = start + authority.rfind('@')?;
    let host = text.byte(at_sign + 1);
    let is_host = ALNUM.has(host) || matches!(host, b'[' | b'$' | b'{' | b'<' | b'%');
    // A marker may have taken the place of a later `@`.
    (is_host && len < MAX_AUTHORITY && !authority.contains(MARKER)).then_some(at_sign)
}

fn ends_authority(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte.is_ascii_control() || b"/?#\"'`\\<>,;()".contains(&byte)
}
