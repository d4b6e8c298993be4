//! Is a secret given to a name here? `NAME=value`, `name: "value"`, `--name value`, `<name>value</name>` and
//! their relatives in shells, `.env` files, YAML, JSON, TOML, code, headers and connection strings.

use super::bytes::{ALNUM, WORD, WORD_DASH, WORD_DASH_DOT};
use super::formats;
use super::jwt;
use super::literal::{self, Style};
use super::names::{self, Name, Strength};
use super::prose;
use super::scan::{Find, Text};

const MAX_NAME: usize = 64;
/// A longer value without quotes is not looked at: it bounds the work on hostile text.
const MAX_BARE: usize = 1024;
/// Quotes inside quoted text inside quoted text: `\\\"` is three backslashes deep.
const MAX_DEPTH: usize = 7;
const MAX_TYPE: usize = 40;
const SCHEMES: &[&str] = &["bearer", "basic", "token", "bot", "apikey", "digest", "ssws", "key", "flyv1"];

/// What stands between a name and its value.
#[derive(Clone, Copy, PartialEq)]
enum Link {
    /// `=`, `:=`, `?=`
    Equals,
    /// `:`, `=>`
    Colon,
    /// `==`, `!=`
    Compare,
    /// `"name", "value"`
    Comma,
    /// `<name>value<`
    Tag,
    /// `--name value`, `ENV name value`, `PASSWORD 'value'`
    Blank,
}

struct Value {
    start: usize,
    end: usize,
    style: Style,
}

/// Where a name lies and how it is written.
struct Place {
    start: usize,
    end: usize,
    is_quoted: bool,
    is_flag: bool,
}

/// The secret given to the name around `hit_start..hit_end`.
pub(super) fn find(text: &Text<'_>, hit_start: usize, hit_end: usize) -> Option<Find> {
    let end = WORD_DASH.run_end(text.bytes, hit_end, MAX_NAME);
    let (link, after) = link(text, end)?;
    let start =
        WORD_DASH.run_start(text.bytes, hit_start, text.floor.max(hit_start.saturating_sub(MAX_NAME)));
    if let Some(told) = (link == Link::Blank).then(|| prose::find(text, (start, end), after)).flatten() {
        return Some(told);
    }
    let name = names::classify(text.slice(start, end).trim_start_matches('-'))?;
    let place = Place {
        start,
        end,
        is_quoted: matches!(text.byte(end), b'"' | b'\'' | b'\\'),
        is_flag: text.starts_with(start, "--"),
    };
    let value = value(text, &place, name, link, after)?;
    secret(text, &value, name)
}

/// The part of a whole string that is secret because `key` names it: all but the scheme of a header.
pub(super) fn in_named_string(key: &str, text: &str) -> Option<Find> {
    let name = names::classify(key)?;
    let whole = Value { start: 0, end: text.len(), style: Style::Quoted };
    secret(&Text::of(text), &whole, name)
}

fn secret(text: &Text<'_>, value: &Value, name: Name) -> Option<Find> {
    let is_header = name.strength == Strength::Header;
    let start = if is_header { after_scheme(text, value.start).min(value.end) } else { value.start };
    let content = text.slice(start, value.end);
    let is_real =
        literal::is_secret(content, name, value.style) || (is_header && literal::is_short_token(content));
    let rule = own_name(text, start, value.end);
    (is_real || rule.is_some()).then_some(Find { start, end: value.end, rule: rule.unwrap_or(name.rule) })
}

/// What the value is by its own spelling, which says more than the name it was given.
fn own_name(text: &Text<'_>, start: usize, end: usize) -> Option<&'static str> {
    if end - start < 16 {
        return None;
    }
    let as_jwt = || jwt::find(text, start).filter(|find| find.end == end).map(|find| find.rule);
    formats::name_of(text, start, end).or_else(as_jwt)
}

/// Past `Bearer ` and the like.
fn after_scheme(text: &Text<'_>, at: usize) -> usize {
    let scheme_end = WORD.run_end(text.bytes, at, 16);
    let scheme = text.slice(at, scheme_end).to_ascii_lowercase();
    let start = text.skip_blanks(scheme_end);
    if start > scheme_end && SCHEMES.contains(&scheme.as_str()) { start } else { at }
}

/// What links the name that ends at `end` to a value, and where to look for that.
fn link(text: &Text<'_>, end: usize) -> Option<(Link, usize)> {
    let after_quote = skip_quote(text, end);
    let is_quoted = after_quote > end;
    let after_name = after_quote + usize::from(is_quoted && text.byte(after_quote) == b']');
    let at = text.skip_blanks(after_name);
    let link = match (text.byte(at), text.byte(at + 1)) {
        (b':', b'=') | (b'?', b'=') => (Link::Equals, at + 2),
        (b':', b':') => return None,
        (b':', _) => (Link::Colon, at + 1),
        (b'?', b':') => (Link::Colon, at + 2),
        (b'=', b'>') => (Link::Colon, at + 2),
        (b'=', b'=') | (b'!', b'=') => (Link::Compare, at + 2 + usize::from(text.byte(at + 2) == b'=')),
        (b'=', _) => (Link::Equals, at + 1),
        (b'%', b'3') if matches!(text.byte(at + 2), b'D' | b'd') => (Link::Equals, at + 3),
        (b',', _) if is_quoted => (Link::Comma, at + 1),
        (b'>', _) if !is_quoted => (Link::Tag, at + 1),
        _ if at > after_name => (Link::Blank, at),
        _ => return None,
    };
    Some(link)
}

fn value(text: &Text<'_>, place: &Place, name: Name, link: Link, after: usize) -> Option<Value> {
    let at = text.skip_blanks(after);
    let quoted = || quoted(text, at);
    match link {
        Link::Equals | Link::Colon => {
            let at = if link == Link::Colon { after_type(text, at) } else { at };
            let from = Bare { link, after, at };
            quoted_env(text, place, name, &from).or_else(|| bare(text, place, name, &from))
        }
        // What is compared may be any word; a password must look like one.
        Link::Compare => quoted().map(|value| Value { style: Style::Bare, ..value }),
        Link::Comma => quoted().filter(|value| place.is_flag || is_random(text, value, name)),
        Link::Tag => tag(text, place, after),
        Link::Blank => blank(text, place, name, at),
    }
}

fn is_random(text: &Text<'_>, value: &Value, name: Name) -> bool {
    let name = Name { strength: Strength::Weak, ..name };
    literal::is_secret(text.slice(value.start, value.end), name, value.style)
}

/// Past a type and its `=`, in `password: &str = "…"`; `at` itself where there is none.
fn after_type(text: &Text<'_>, at: usize) -> usize {
    let name = at + if text.starts_with(at, "&'static ") { "&'static ".len() } else { 0 };
    let window = &text.bytes[name.min(text.bytes.len())..(name + MAX_TYPE).min(text.bytes.len())];
    let len = window.iter().take_while(|&&byte| WORD.has(byte) || b"&<>[]|.?:".contains(&byte)).count();
    let equals = text.skip_blanks(name + len);
    let value = text.skip_blanks(equals + 1);
    let is_declared = len > 0 && text.byte(equals) == b'=' && value > equals + 1;
    let is_literal = matches!(text.byte(value), b'"' | b'\'') && !text.marker_at(at);
    if is_declared && is_literal { value } else { at }
}

/// The text between quotes that open at `at`, with the backslashes that quoting them once more adds.
fn quoted(text: &Text<'_>, at: usize) -> Option<Value> {
    let at = after_string_prefix(text, at);
    let depth = backslashes(text, at);
    let quote = text.byte(at + depth);
    if depth > MAX_DEPTH || !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let opening = at + depth + 1;
    let is_triple = text.byte(opening) == quote && text.byte(opening + 1) == quote;
    let start = if is_triple { opening + 2 } else { opening };
    let end = quote_end(text, start, quote, depth);
    (end > start).then_some(Value { start, end, style: Style::Quoted })
}

/// `r"…"`, `b"…"`, `f"…"`, `r#"…"#`
fn after_string_prefix(text: &Text<'_>, at: usize) -> usize {
    let letters = (0..2).take_while(|&n| matches!(text.byte(at + n), b'r' | b'b' | b'f' | b'u')).count();
    let hash = at + letters + usize::from(letters > 0 && text.byte(at + letters) == b'#');
    if letters > 0 && matches!(text.byte(hash), b'"' | b'\'') { hash } else { at }
}

fn backslashes(text: &Text<'_>, at: usize) -> usize {
    (0..=MAX_DEPTH).take_while(|&n| text.byte(at + n) == b'\\').count()
}

/// Where the quoted text ends: before its closing quote, or with the line or the double-quoted string around
/// it where that is missing.
fn quote_end(text: &Text<'_>, start: usize, quote: u8, depth: usize) -> usize {
    let mut escapes = 0;
    for (index, &byte) in text.bytes[start..].iter().enumerate() {
        let is_escaped = escapes % 2 == 1;
        match byte {
            b'\\' => escapes += 1,
            b'\n' | b'\r' => return start + index,
            _ if byte == quote && depth > 0 && escapes <= depth => return start + index - escapes,
            _ if byte == quote && depth == 0 && !is_escaped => return start + index,
            b'"' if !is_escaped => return start + index,
            _ => escapes = 0,
        }
    }
    text.bytes.len()
}

/// Where a value without quotes may begin, and what came before it.
struct Bare {
    link: Link,
    after: usize,
    at: usize,
}

impl Bare {
    /// `NAME=value`, as shells and `.env` files write it.
    fn is_tight(&self, text: &Text<'_>, place: &Place) -> bool {
        self.link == Link::Equals && self.at == self.after && text.byte(place.end) == b'='
    }
}

fn quoted_env(text: &Text<'_>, place: &Place, name: Name, from: &Bare) -> Option<Value> {
    let is_env = name.is_screaming && from.is_tight(text, place);
    quoted(text, from.at).map(|value| if is_env { Value { style: Style::Env, ..value } } else { value })
}

fn bare(text: &Text<'_>, place: &Place, name: Name, from: &Bare) -> Option<Value> {
    // `{"token": 12}` and `case "token": f()` hold numbers and code; a marker there would not even parse.
    if place.is_quoted {
        return None;
    }
    let is_tight = from.is_tight(text, place);
    let is_field = matches!(text.before(place.start), b';' | b'\'' | b'"');
    let style = match from.link {
        _ if place.is_flag => Style::Flag,
        _ if is_tight && (name.is_screaming || is_field) => Style::Env,
        _ => Style::Bare,
    };
    let start = if name.strength == Strength::Header { after_scheme(text, from.at) } else { from.at };
    let end = bare_end(text, start, style)?;
    let is_called = matches!(text.byte(end), b'(' | b'[' | b'{');
    let is_argument = style == Style::Bare && is_tight && matches!(text.byte(end), b',' | b')');
    let is_statement =
        style == Style::Bare && !is_tight && matches!(text.byte(end), b';' | b',' | b')' | b'.');
    let is_code =
        is_called || ((is_argument || is_statement) && WORD_DASH_DOT.covers(text.slice(start, end)));
    let value = Value { start, end, style };
    let is_plain_code = is_code && !is_random(text, &value, name);
    (!is_plain_code && !is_called && end > start).then_some(value)
}

/// After a flag, or after a name that `ENV` or `login … password` introduces.
fn blank(text: &Text<'_>, place: &Place, name: Name, at: usize) -> Option<Value> {
    let introduced = text.slice(place.start.saturating_sub(4).max(text.floor), place.start) == "ENV ";
    let is_sql =
        text.byte(at) == b'\'' && text.slice(place.start, place.end).eq_ignore_ascii_case("password");
    if !place.is_flag && !introduced && !is_sql {
        return None;
    }
    let style = if introduced { Style::Env } else { Style::Flag };
    let literal = quoted(text, at).map(|value| Value { style: Style::Env, ..value });
    let value = literal.or_else(|| Some(Value { start: at, end: bare_end(text, at, style)?, style }))?;
    // `--password string   The password`: two blanks follow the name of a value, not a value.
    let is_usage = text.starts_with(value.end, "  ") || text.byte(at) == b'-';
    (!is_usage && (introduced || is_sql || !name.is_screaming)).then_some(value)
}

fn tag(text: &Text<'_>, place: &Place, start: usize) -> Option<Value> {
    if !matches!(text.before(place.start), b'<' | b':') {
        return None;
    }
    let end = bare_end(text, start, Style::Env)?;
    text.starts_with(end, "</").then_some(Value { start, end, style: Style::Quoted })
}

/// Where a value without quotes ends. `None` where it is too long, or runs into another assignment.
fn bare_end(text: &Text<'_>, start: usize, style: Style) -> Option<usize> {
    let mut at = start;
    while at < start + MAX_BARE {
        match text.byte(at) {
            b'[' if text.marker_at(at) => return None,
            0..=b' ' | b'"' | b'\'' | b'`' | b'<' | b'>' | 127 => return Some(trimmed(text, start, at)),
            b'\\' if ends_escaped_line(text, at) => return Some(trimmed(text, start, at)),
            b'&' if style != Style::Env || text.byte(at + 1) == b'&' => return Some(at),
            b',' | b')' | b']' | b'}' | b'|' | b'(' | b'[' | b'{' if style != Style::Env => return Some(at),
            b';' => return Some(at),
            // Far in, another assignment is likelier than a value; and `a=a=a=…` must not be read to its end.
            b'=' | b':' if at - start > 64 && ALNUM.has(text.byte(at + 1)) => return None,
            _ => at += 1,
        }
    }
    None
}

/// Without the dot or colon that ends a sentence rather than a value.
fn trimmed(text: &Text<'_>, start: usize, end: usize) -> usize {
    start + text.slice(start, end).trim_end_matches(['.', ',', ':']).len()
}

/// Backslashes that belong to a quote, a line end or a character code of the text around.
fn ends_escaped_line(text: &Text<'_>, at: usize) -> bool {
    let after = at + backslashes(text, at);
    matches!(text.byte(after), b'n' | b'r' | b't' | b'u' | b'"' | b'\'' | b'\\' | 0)
}

fn skip_quote(text: &Text<'_>, at: usize) -> usize {
    let quote = at + backslashes(text, at);
    if matches!(text.byte(quote), b'"' | b'\'') { quote + 1 } else { at }
}
