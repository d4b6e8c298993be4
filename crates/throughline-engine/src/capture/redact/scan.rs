//! Which parts of a text are secrets? Walks from anchor to anchor and asks whoever knows that kind.
//!
//! Redacting twice must change nothing, so every finder sees the text as it will be read the second time: it
//! looks back only to `floor`, the end of the last secret, and declines where an earlier marker is in the way.

use super::anchors::{self, Hit, Kind};
use super::bytes::{ALNUM, ANY_HEX, BASE64, Charset, DIGIT, WORD_DASH, WORD_DASH_DOT};
use super::formats;
use super::randomness;
use super::{assignment, command, header, jwt, pem, url};

/// What begins every replacement, and what finders must leave alone.
pub(super) const MARKER: &str = "[redacted:";

/// A secret at `start..end`.
#[derive(Debug)]
pub(super) struct Find {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) rule: &'static str,
}

/// A text, and where the part begins that may still be looked at.
pub(super) struct Text<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) floor: usize,
}

/// The secrets of a text, in order and apart from each other.
pub(super) fn secrets(input: &str) -> Vec<Find> {
    let mut scan = Scan { text: Text::of(input), cursor: 0, ahead: Vec::new(), found: Vec::new() };
    loop {
        let place = anchors::next(scan.text.bytes, scan.cursor);
        if scan.reach(place.unwrap_or(input.len())) {
            continue;
        }
        let Some(place) = place else { return scan.found };
        scan.cursor = place + 1;
        scan.examine(place);
        scan.reach(scan.cursor);
    }
}

struct Scan<'a> {
    text: Text<'a>,
    cursor: usize,
    /// Secrets found from their name but not yet come to, the nearest last. What lies before them is still to
    /// be examined, or the next redaction would find more there.
    ahead: Vec<Find>,
    found: Vec<Find>,
}

impl Scan<'_> {
    /// Takes the nearest secret ahead if it begins at or before `place`, and goes on after it.
    fn reach(&mut self, place: usize) -> bool {
        let Some(find) = self.ahead.pop_if(|find| find.start <= place) else { return false };
        self.go_on_from(find.end);
        self.found.push(find);
        true
    }

    fn examine(&mut self, place: usize) {
        for hit in anchors::at(self.text.bytes, place).filter(|hit| hit.start >= self.text.floor) {
            if let Some(end) = self.text.marker_end(&hit) {
                return self.go_on_from(end);
            }
            if let Some(find) = self.text.look(&hit)
                && self.is_nearest(&find)
            {
                self.ahead.retain(|farther| farther.start >= find.end);
                return self.ahead.push(find);
            }
        }
    }

    fn is_nearest(&self, find: &Find) -> bool {
        self.ahead.last().is_none_or(|nearest| find.start < nearest.start)
    }

    fn go_on_from(&mut self, end: usize) {
        self.text.floor = end;
        self.cursor = end;
    }
}

impl<'a> Text<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, bytes: text.as_bytes(), floor: 0 }
    }

    /// The byte at `at`; zero past the end, so that ends need no special case.
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// The byte before `at`, or zero where the part that may be looked at begins.
    pub(super) fn before(&self, at: usize) -> u8 {
        if at > self.floor { self.bytes[at - 1] } else { 0 }
    }

    /// The text of a range that begins and ends beside ASCII characters.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or("")
    }

    pub(super) fn starts_with(&self, at: usize, literal: &str) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(literal.as_bytes()))
    }

    pub(super) fn marker_at(&self, at: usize) -> bool {
        self.starts_with(at, MARKER)
    }

    /// The place after the blanks at `at`; newlines are not blanks.
    pub(super) fn skip_blanks(&self, at: usize) -> usize {
        let rest = &self.bytes[at.min(self.bytes.len())..];
        at + rest.iter().take(16).take_while(|&&byte| byte == b' ' || byte == b'\t').count()
    }

    /// Whether a credential written in `body` characters can begin at `at`, rather than being the tail of
    /// a longer word. What an escape leaves behind (`\n`, `%3D`, a colour code) is no such word.
    pub(super) fn begins(&self, at: usize, body: Charset) -> bool {
        let before = self.before(at);
        let continues = ALNUM.has(before) || (WORD_DASH_DOT.has(before) && body.has(before));
        (!continues || self.escape_before(at)) && !self.is_escaped(at) && !self.is_in_base64(at)
    }

    /// Whether the `/` or `+` before `at` is one of a long base64 text, such as an image.
    fn is_in_base64(&self, at: usize) -> bool {
        let start = at.saturating_sub(24);
        matches!(self.before(at), b'/' | b'+')
            && start >= self.floor
            && BASE64.run_start(self.bytes, at, start) == start
            && randomness::is_varied(self.slice(start, at))
            && !randomness::is_wordy(self.slice(start, at))
    }

    /// Whether the byte at `at` is the second half of an escape, as in `\npm_…`.
    fn is_escaped(&self, at: usize) -> bool {
        let before = self.bytes[self.floor.max(at.saturating_sub(16))..at].iter().rev();
        before.take_while(|&&byte| byte == b'\\').count() % 2 == 1
    }

    fn escape_before(&self, at: usize) -> bool {
        let window = &self.bytes[self.floor.max(at.saturating_sub(12))..at];
        match window {
            [.., b'\\', b'n' | b'r' | b't' | b'b' | b'f'] => true,
            [.., b'%', high, low] if ANY_HEX.has(*high) && ANY_HEX.has(*low) => true,
            [codes @ .., b'm'] => ends_colour(codes),
            _ => ends_unicode_escape(window),
        }
    }

    fn marker_end(&self, hit: &Hit) -> Option<usize> {
        if hit.kind != Kind::Marker {
            return None;
        }
        let end = WORD_DASH.run_end(self.bytes, hit.end, 48);
        (self.byte(end) == b']').then_some(end + 1)
    }

    fn look(&self, hit: &Hit) -> Option<Find> {
        match hit.kind {
            Kind::Marker => None,
            Kind::Format(index) => formats::find(self, index, hit.start..hit.end),
            Kind::Pem => pem::find(self, hit.start),
            Kind::Jwt => jwt::find(self, hit.start),
            Kind::Url => url::find(self, hit.start),
            Kind::Bearer => header::bearer(self, hit.start, hit.end),
            Kind::Basic => header::basic(self, hit.start, hit.end),
            Kind::Cookie => header::cookie(self, hit.start, hit.end),
            Kind::Command => command::find(self, hit.start),
            Kind::Name => assignment::find(self, hit.start, hit.end),
        }
    }
}

fn ends_unicode_escape(window: &[u8]) -> bool {
    let Some((rest, code)) = window.split_last_chunk::<4>() else { return false };
    rest.ends_with(b"\\u") && code.iter().all(|&byte| ANY_HEX.has(byte))
}

fn ends_colour(codes: &[u8]) -> bool {
    let digits = codes.iter().rev().take_while(|&&byte| DIGIT.has(byte) || byte == b';').count();
    codes.len() > digits && codes[codes.len() - digits - 1] == b'['
}
