//! Is this a JSON Web Token? Two to five base64url parts joined by dots, of which the first is a JSON object.

use super::bytes::WORD_DASH;
use super::scan::{Find, Text};

const MIN_HEADER: usize = 12;
const MAX_PARTS: usize = 5;

/// The token whose `eyJ` is at `start`.
pub(super) fn find(text: &Text<'_>, start: usize) -> Option<Find> {
    // Asked first: else a long row of `eyJeyJ…` would be measured again from each of its parts.
    if !text.begins(start, WORD_DASH) {
        return None;
    }
    let header_end = WORD_DASH.run_end(text.bytes, start, usize::MAX);
    if header_end - start < MIN_HEADER || text.byte(header_end) != b'.' {
        return None;
    }
    let (end, parts) = rest(text, header_end);
    // Cut off after its payload it is still worth hiding; but `eyJ….map` is a file name.
    let payload_is_json = text.starts_with(header_end + 1, "eyJ") && end - header_end > 16;
    let complete = parts >= 3 && end - header_end >= 32;
    ((payload_is_json || complete) && !text.marker_at(end)).then_some(Find { start, end, rule: "jwt" })
}

fn rest(text: &Text<'_>, header_end: usize) -> (usize, usize) {
    let (mut end, mut parts) = (header_end, 1);
    while parts < MAX_PARTS && text.byte(end) == b'.' {
        let part_end = WORD_DASH.run_end(text.bytes, end + 1, usize::MAX);
        if part_end == end + 1 {
            break;
        }
        (end, parts) = (part_end, parts + 1);
    }
    (end, parts)
}
