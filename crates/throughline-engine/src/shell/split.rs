//! A command line, cut where a shell cuts it: not inside of quotes, nor of `$(…)`.

pub(crate) fn words(text: &str) -> Vec<&str> {
    let space = |rest: &str| rest.chars().next().filter(|c| c.is_whitespace()).map(char::len_utf8);
    cut(text, space).into_iter().filter(|word| !word.is_empty()).collect()
}

/// What stands before, between and after the marks.
pub(crate) fn cut_at<'a>(line: &'a str, marks: &[&str]) -> Vec<&'a str> {
    let mark = |rest: &str| marks.iter().find(|mark| rest.starts_with(**mark)).map(|mark| mark.len());
    cut(line, mark).into_iter().map(str::trim).collect()
}

/// `mark` says how long what is cut away is, where something begins with it.
fn cut(text: &str, mark: impl Fn(&str) -> Option<usize>) -> Vec<&str> {
    let outside = outside(text);
    let (mut parts, mut start) = (vec![], 0);
    for (at, _) in text.char_indices().filter(|(at, _)| outside[*at]) {
        if let Some(length) = mark(&text[at..]).filter(|_| at >= start) {
            parts.push(&text[start..at]);
            start = at + length;
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Of each byte, whether it stands outside. A line that leaves something open is no line of a shell, and stands outside whole.
fn outside(line: &str) -> Vec<bool> {
    let mut open: Vec<u8> = vec![];
    let (mut before, mut is_escaped) = (b' ', false);
    let all = line.bytes().map(|byte| {
        let within = open.last().copied();
        match (within, byte) {
            _ if is_escaped => {}
            (Some(end), _) if end == byte => drop(open.pop()),
            (Some(b'\''), _) | (Some(b'"'), b'\'') => {}
            (_, b'\'' | b'"' | b'`') => open.push(byte),
            (_, b'(') if before == b'$' || within == Some(b')') => open.push(b')'),
            _ => {}
        }
        is_escaped = byte == b'\\' && !is_escaped && within != Some(b'\'');
        before = byte;
        within.is_none() && open.is_empty()
    });
    let all: Vec<bool> = all.collect();
    if open.is_empty() { all } else { vec![true; line.len()] }
}

#[cfg(test)]
mod tests {
    use super::{cut_at, words};

    #[test]
    fn what_is_quoted_is_one_word() {
        let line =
            r#"PATH="$PATH:$(go env GOPATH)/bin" openocd -c 'program a.elf; exit' -c "say \"a b\"" naïve"#;
        assert_eq!(
            words(line),
            [
                r#"PATH="$PATH:$(go env GOPATH)/bin""#,
                "openocd",
                "-c",
                "'program a.elf; exit'",
                "-c",
                r#""say \"a b\"""#,
                "naïve"
            ]
        );
        assert_eq!(words("echo `date +%F` $(ls (a b))  c"), ["echo", "`date +%F`", "$(ls (a b))", "c"]);
    }

    #[test]
    fn commands_are_told_apart_outside_of_quotes() {
        let line = "cd a && make; sh -c 'x && y; z'";
        assert_eq!(cut_at(line, &["&&", ";"]), ["cd a", "make", "sh -c 'x && y; z'"]);
        assert_eq!(cut_at("grep 'a | b' f | head", &[" | "]), ["grep 'a | b' f", "head"]);
    }

    #[test]
    fn a_line_that_leaves_a_quote_open_is_cut_at_every_mark() {
        assert_eq!(words("echo don't stop"), ["echo", "don't", "stop"]);
        assert_eq!(cut_at("say \"a && b", &["&&"]), ["say \"a", "b"]);
    }
}
