//! A text by its lines, counted from 0.

#[derive(Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    /// Where each line begins, and where the text ends.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Lines<'a> {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let mut starts: Vec<usize> = std::iter::once(0).chain(ends).collect();
        if starts.last() != Some(&text.len()) {
            starts.push(text.len());
        }
        Lines { text, starts }
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn get(&self, line: usize) -> &'a str {
        self.slice(line, line + 1).trim_end()
    }

    /// The lines from `from` on and before `to`.
    pub(super) fn slice(&self, from: usize, to: usize) -> &'a str {
        let at = |line: usize| self.starts[line.min(self.starts.len() - 1)];
        &self.text[at(from)..at(to.max(from))]
    }

    pub(super) fn is_blank(&self, line: usize) -> bool {
        self.get(line).trim().is_empty()
    }

    /// How far a line is indented; nothing for an empty one.
    pub(super) fn indent(&self, line: usize) -> Option<usize> {
        let line = self.get(line);
        (!line.trim().is_empty()).then(|| line.len() - line.trim_start().len())
    }
}
