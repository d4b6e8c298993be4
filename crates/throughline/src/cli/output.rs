//! The only place that prints: results on stdout, everything else on stderr.

use std::io::{self, ErrorKind, IsTerminal as _, Write as _};

use comfy_table::{ContentArrangement, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::wire::error::Problem;

pub(super) struct Output {
    json: bool,
}

impl Output {
    pub(super) fn new(json: bool) -> Output {
        Output { json }
    }

    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// The answer: as JSON when asked for, else as `text` makes it.
    pub(super) fn show<T: Serialize>(&self, answer: &T, text: impl FnOnce(&T) -> String) {
        let text = if self.json { pretty(answer) } else { harmless(text(answer)) };
        self.raw(&text);
    }

    /// One answer of a stream, on one line in JSON.
    pub(super) fn line<T: Serialize>(&self, answer: &T, text: impl FnOnce(&T) -> String) {
        let text = if self.json {
            serde_json::to_string(answer).expect("our shapes are valid JSON")
        } else {
            harmless(text(answer))
        };
        self.raw(&text);
    }

    pub(super) fn raw(&self, text: &str) {
        let mut out = io::stdout().lock();
        let newline = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
        end_if_closed(write!(out, "{text}{newline}").and_then(|()| out.flush()));
    }

    /// The answer to somebody who must never be disturbed: when it cannot be written, then not.
    pub(super) fn hand_over(&self, text: &str) {
        let mut out = io::stdout().lock();
        let newline = if text.is_empty() { "" } else { "\n" };
        let _ = write!(out, "{text}{newline}").and_then(|()| out.flush());
    }

    pub(super) fn warn(&self, text: &str) {
        self.say(&format!("warning: {text}"));
    }

    /// Something for a person to know that is not the answer.
    pub(super) fn say(&self, text: &str) {
        // Nobody left to tell: there is nothing else to do about it.
        let _ = writeln!(io::stderr(), "{text}");
    }

    /// How far something has come, for a person who waits for it at a terminal.
    pub(super) fn progress(&self, total_bytes: u64) -> ProgressBar {
        self.bar(total_bytes, "{bar:32} {bytes}/{total_bytes} {bytes_per_sec} {eta}")
    }

    /// The same in steps.
    pub(super) fn steps(&self, total: u64) -> ProgressBar {
        self.bar(total, "{bar:32} {pos}/{len} {eta}")
    }

    fn bar(&self, total: u64, template: &str) -> ProgressBar {
        if self.json || !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template(template).expect("the template is correct");
        ProgressBar::new(total).with_style(style)
    }

    pub(super) fn failure(&self, problem: &Problem, text: &str) {
        if self.json {
            self.raw(&pretty(problem));
        } else {
            self.say(&format!("error: {text}"));
        }
    }
}

/// What was recorded may come from anywhere; it must not steer the terminal.
pub(super) fn harmless(text: String) -> String {
    let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
    if text.contains(steers) { text.replace(steers, "\u{fffd}") } else { text }
}

/// A reader that has seen enough (`| head`) ends the program, and not as a failure.
fn end_if_closed(written: io::Result<()>) {
    match written {
        Ok(()) => {}
        Err(e) if e.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(e) => {
            // With stdout gone, stderr and the exit status are the only way left to say it.
            let _ = writeln!(io::stderr(), "error: cannot write the answer: {e}; check where it goes");
            std::process::exit(1);
        }
    }
}

fn pretty<T: Serialize>(answer: &T) -> String {
    serde_json::to_string_pretty(answer).expect("our shapes are valid JSON")
}

/// A plain table as wide as the terminal; full lines when nobody looks at it there.
pub(super) fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.iter().map(|name| name.to_uppercase()));
    if io::stdout().is_terminal() {
        table.set_content_arrangement(ContentArrangement::Dynamic);
    }
    rows.into_iter().for_each(|row| {
        table.add_row(row);
    });
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}
