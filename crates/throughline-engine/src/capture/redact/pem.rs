//! Is this a private key block? From `-----BEGIN … PRIVATE KEY-----` to its end, or to where it was cut off.

use super::bytes::{ALNUM, BASE64, DIGIT, UPPER_ALNUM};
use super::scan::{Find, Text};

const BEGIN: &str = "-----BEGIN ";
const DASHES: &str = "-----";
const MIN_BODY: usize = 32;
/// A word of a cut-off block shorter than this is as likely prose.
const MIN_WORD: usize = 16;
/// Between the first and the last line, besides base64: headers such as `Proc-Type: 4,ENCRYPTED`, escaped line
/// ends, and what a diff, a quotation or a numbered listing puts before each line.
const PLAIN: &[u8] = b"\\-:,.#>|*()@<\xe2\x86\x92";
/// The same for a block written as one string per line. Without the colon, or it could leave the string it
/// began in for the next field of the same object.
const QUOTED: &[u8] = b"\\\"'`,.#";

/// The private key whose `-----BEGIN ` is at `start`.
pub(super) fn find(text: &Text<'_>, start: usize) -> Option<Find> {
    let body = label_end(text, start + BEGIN.len(), "PRIVATE KEY")?;
    let end = complete_end(text, body, PLAIN)
        .or_else(|| complete_end(text, body, QUOTED).filter(|&end| ends_list(text, end)))
        .or_else(|| cut_off_end(text, body))?;
    Some(Find { start, end, rule: "private-key" })
}

/// The place after `LABEL-----`, where the label speaks of `what`.
fn label_end(text: &Text<'_>, label: usize, what: &str) -> Option<usize> {
    let window = &text.bytes[label..(label + 48).min(text.bytes.len())];
    let len = window.iter().position(|&byte| !UPPER_ALNUM.has(byte) && byte != b' ')?;
    let end = label + len;
    (text.slice(label, end).contains(what) && text.starts_with(end, DASHES)).then_some(end + DASHES.len())
}

/// The end of the `-----END …-----` line, where nothing but the key lies before it.
fn complete_end(text: &Text<'_>, body: usize, between: &[u8]) -> Option<usize> {
    let (mut at, mut letters) = (body, 0);
    while !text.starts_with(at, DASHES) {
        let byte = *text.bytes.get(at)?;
        if !(BASE64.has(byte) || byte.is_ascii_whitespace() || between.contains(&byte)) {
            return None;
        }
        letters += usize::from(ALNUM.has(byte));
        at += 1;
    }
    let label = at + DASHES.len();
    (letters >= MIN_BODY && text.starts_with(label, "END ")).then(|| label_end(text, label, "KEY"))?
}

/// Whether the last line is all of its string, and that string not the key of an object: only then did the
/// block begin in a string of the same list or sum.
fn ends_list(text: &Text<'_>, end: usize) -> bool {
    let after_line = next_word(text, end);
    let quote = after_line + usize::from(text.byte(after_line) == b'\\');
    let is_quote = matches!(text.byte(quote), b'"' | b'\'' | b'`');
    is_quote && text.byte(text.skip_blanks(quote + 1)) != b':'
}

/// The end of the last long base64 word of a block that has no last line.
fn cut_off_end(text: &Text<'_>, body: usize) -> Option<usize> {
    let (mut at, mut end) = (after_headers(text, body), None);
    loop {
        at = next_word(text, at);
        let word_end = BASE64.run_end(text.bytes, at, usize::MAX);
        if word_end - at >= MIN_WORD {
            end = Some(word_end);
        } else if word_end == at || !DIGIT.covers(text.slice(at, word_end)) {
            return end;
        }
        at = word_end;
    }
}

/// Encrypted keys put `Proc-Type: …` and `DEK-Info: …` first, closed by an empty line.
fn after_headers(text: &Text<'_>, body: usize) -> usize {
    let start = next_word(text, body);
    if !text.starts_with(start, "Proc-Type:") {
        return start;
    }
    let window = &text.bytes[start..(start + 200).min(text.bytes.len())];
    let close = |gap: &[u8]| window.windows(gap.len()).position(|bytes| bytes == gap);
    close(b"\n\n").or_else(|| close(b"\\n\\n")).map_or(start, |gap| start + gap)
}

fn next_word(text: &Text<'_>, mut at: usize) -> usize {
    loop {
        at += match text.byte(at) {
            b'\\' if matches!(text.byte(at + 1), b'n' | b'r' | b't') => 2,
            b'#' | b'>' | b'|' | b'*' | b' ' | b'\t' | b'\r' | b'\n' => 1,
            0xe2 if text.starts_with(at, "→") => 3,
            _ => return at,
        };
    }
}
