//! A command line, cut where a shell cuts it: not inside of quotes, of `$(…)`, nor of what is written down for a command to read.

use std::ops::Range;

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
    let documents = documents(line);
    let (mut before, mut is_escaped) = (b' ', false);
    let all = line.bytes().enumerate().map(|(at, byte)| {
        if documents.iter().any(|document| document.contains(&at)) {
            return false;
        }
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

/// Where the lines are that a command is given to read: `cat > run.sh <<EOF`, up to a line that is `EOF`.
fn documents(line: &str) -> Vec<Range<usize>> {
    let (mut found, mut from) = (vec![], 0);
    while let Some(at) = line[from..].find("<<") {
        from += at + 2;
        let name = line[from..].trim_start_matches(['-', ' ']);
        let name = name.split(|c: char| c.is_whitespace() || ";|>&)".contains(c)).next().unwrap_or_default();
        let name = name.trim_matches(['\'', '"', '\\']);
        let start = line[from..].find('\n').filter(|_| !name.is_empty()).map(|length| from + length);
        if let Some(document) = start.and_then(|start| Some(start..end_of(line, start, name)?)) {
            from = document.end;
            found.push(document);
        }
    }
    found
}

/// Where the line ends that is the name.
fn end_of(line: &str, start: usize, name: &str) -> Option<usize> {
    let mut at = start;
    let mut lines = line[start + 1..].split('\n');
    lines.find(|text| {
        at += 1 + text.len();
        text.trim() == name
    })?;
    Some(at)
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
    fn what_is_given_to_read_is_no_command() {
        let line = "cat > a.sh <<'EOF'\ncargo test; it isn't run\nEOF\nsh a.sh";
        assert_eq!(
            cut_at(line, &["\n", ";"]),
            ["cat > a.sh <<'EOF'\ncargo test; it isn't run\nEOF", "sh a.sh"]
        );
        assert_eq!(cut_at("echo $((1 << 3))\nmake", &["\n"]), ["echo $((1 << 3))", "make"]);
        assert_eq!(cut_at("cat <<EOF\nno end\nmake", &["\n"]), ["cat <<EOF", "no end", "make"]);
    }

    #[test]
    fn a_line_that_leaves_a_quote_open_is_cut_at_every_mark() {
        assert_eq!(words("echo don't stop"), ["echo", "don't", "stop"]);
        assert_eq!(cut_at("say \"a && b", &["&&"]), ["say \"a", "b"]);
    }
}
