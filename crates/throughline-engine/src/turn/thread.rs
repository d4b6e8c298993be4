//! What a session has done so far, for a model that has lost its context: from the log, without a model.

use throughline_store::Connection;
use throughline_store::session::Session;

use crate::capture::one_line;
use crate::compact;
use crate::session::summary;
use crate::{Caller, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Thread {
    pub headline: String,
    /// The most important first.
    pub lines: Vec<String>,
}

pub(super) fn of(conn: &mut dyn Connection, caller: &Caller, session: &Session) -> Result<Thread> {
    let summary = summary::of(conn, caller, session)?;
    let digest = compact::digest_now(conn, caller, session)?;
    let mut lines: Vec<String> = summary.text.lines().map(str::to_owned).collect();
    let told = |lines: &[String], text: &str| lines.iter().any(|line| line.contains(text));
    let mut kept: Vec<String> =
        digest.unresolved_lines().iter().map(|text| format!("not resolved: {text}")).collect();
    kept.extend(compact::blockers(session).iter().map(|text| format!("blocker: {}", one_line(text))));
    kept.extend(
        digest.corrections.iter().map(|line| format!("correction by the user: {}", one_line(&line.text))),
    );
    kept.extend(digest.next_steps.iter().map(|step| format!("next step: {}", one_line(step))));
    kept.extend(digest.questions.iter().map(|text| format!("open question: {}", one_line(text))));
    // Those that the summary has no room for.
    let decided = digest.decisions.iter().map(|line| one_line(&line.text)).filter(|text| !told(&lines, text));
    kept.extend(decided.map(|text| format!("decided: {text}")).collect::<Vec<_>>());
    let place = lines.len().min(2);
    lines.splice(place..place, kept);
    Ok(Thread { headline: summary.headline, lines })
}

impl Thread {
    /// False when only the last line is left.
    pub(super) fn drop_least(&mut self) -> bool {
        self.lines.len() > 1 && self.lines.pop().is_some()
    }
}
