//! What is to be done about a block: three texts are compared, that of the file, that of the memory, and the one that both
//! had when they were last in step. Pure.

/// What the memory behind a block says by now, as the hash of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stored<'a> {
    Says(&'a str),
    /// It waits for somebody's word.
    Waits,
    Ended,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Both are as they were.
    Nothing,
    /// The file is to show what the memory says.
    Show,
    /// The file's text is to be remembered in place of the memory.
    Take,
    /// The block is to go.
    Drop,
    /// Both have changed, and differ.
    Conflict,
}

/// `base` is the hash of the text that was written, `file` that of the text that stands there.
pub(super) fn step(base: &str, file: &str, stored: Stored<'_>) -> Step {
    let is_changed = base != file;
    match stored {
        Stored::Says(now) if now == file => {
            if is_changed {
                Step::Show
            } else {
                Step::Nothing
            }
        }
        Stored::Says(_) if !is_changed => Step::Show,
        Stored::Says(now) if now == base => Step::Take,
        Stored::Says(_) => Step::Conflict,
        Stored::Waits => {
            if is_changed {
                Step::Take
            } else {
                Step::Nothing
            }
        }
        Stored::Ended => {
            if is_changed {
                Step::Conflict
            } else {
                Step::Drop
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Step, Stored, step};

    #[test]
    fn three_texts_decide_what_is_done() {
        for (base, file, stored, expected) in [
            ("a", "a", Stored::Says("a"), Step::Nothing),
            ("a", "a", Stored::Says("b"), Step::Show),
            ("a", "a", Stored::Ended, Step::Drop),
            ("a", "a", Stored::Waits, Step::Nothing),
            ("a", "b", Stored::Says("a"), Step::Take),
            ("a", "b", Stored::Says("b"), Step::Show),
            ("a", "b", Stored::Says("c"), Step::Conflict),
            ("a", "b", Stored::Ended, Step::Conflict),
            ("a", "b", Stored::Waits, Step::Take),
        ] {
            assert_eq!(step(base, file, stored), expected, "{base} {file} {stored:?}");
        }
    }
}
