//! The elements of a JSON array with the lines they begin at, so that a wrong one can be named.

/// Of a text that is valid JSON: the elements of an array, or the text itself.
pub(super) fn of(text: &str) -> Vec<(usize, &str)> {
    let start = text.len() - text.trim_start().len();
    if !text[start..].starts_with('[') {
        return vec![(line(text, start), text.trim())];
    }
    let mut found = vec![];
    let mut begun = start + 1;
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' => depth += 1,
            b',' if depth == 1 => {
                found.push(element(text, begun, at));
                begun = at + 1;
            }
            b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    found.push(element(text, begun, at));
                }
            }
            _ => {}
        }
    }
    found.retain(|(_, element)| !element.is_empty());
    found
}

fn element(text: &str, from: usize, to: usize) -> (usize, &str) {
    let part = &text[from..to];
    (line(text, from + (part.len() - part.trim_start().len())), part.trim())
}

fn line(text: &str, at: usize) -> usize {
    1 + text[..at].bytes().filter(|byte| *byte == b'\n').count()
}
