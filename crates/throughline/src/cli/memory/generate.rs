//! `throughline memory generate`: turns sessions into memories now, instead of in the background.

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::remember::Generation;
use throughline_engine::store::id::SessionId;
use throughline_engine::store::session::Filter;

use super::super::app::App;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// An id, the client's own id, or the beginning of either [default: every session]
    #[arg(value_name = "SESSION")]
    session: Option<String>,
}

/// What came of it, over all sessions.
#[derive(Debug, Default, Serialize)]
struct Ledger {
    sessions: usize,
    events: usize,
    candidates: usize,
    created: usize,
    corroborated: usize,
    superseded: usize,
    quarantined: usize,
    discarded: std::collections::BTreeMap<&'static str, usize>,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let sessions: Vec<SessionId> = match &args.session {
        Some(name) => engine.sessions_named(&caller, name)?.into_iter().map(|session| session.id).collect(),
        None => {
            let page = engine.sessions(&caller, &Filter::default(), i64::MAX)?;
            // The oldest first, so that what was said last holds.
            page.sessions.into_iter().rev().map(|session| session.id).collect()
        }
    };
    let mut ledger = Ledger::default();
    let progress = app.output.steps(sessions.len() as u64);
    for session in &sessions {
        let generations = engine.generate(&caller, session)?;
        ledger.sessions += usize::from(!generations.is_empty());
        generations.into_iter().for_each(|generation| ledger.add(generation));
        progress.inc(1);
    }
    progress.finish_and_clear();
    app.output.show(&ledger, text);
    Ok(ExitCode::SUCCESS)
}

impl Ledger {
    fn add(&mut self, generation: Generation) {
        self.events += generation.events;
        self.candidates += generation.candidates;
        self.created += generation.created;
        self.corroborated += generation.corroborated;
        self.superseded += generation.superseded;
        self.quarantined += generation.quarantined;
        for (reason, count) in generation.discarded {
            *self.discarded.entry(reason).or_default() += count;
        }
    }
}

fn text(ledger: &Ledger) -> String {
    let discarded: Vec<String> =
        ledger.discarded.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    let discarded = if discarded.is_empty() { "nothing".to_owned() } else { discarded.join(", ") };
    format!(
        "read        {} messages of {} sessions\ncandidates  {}: {} created, {} corroborated, {} superseded, {} \
         quarantined\ndiscarded   {discarded}",
        ledger.events,
        ledger.sessions,
        ledger.candidates,
        ledger.created,
        ledger.corroborated,
        ledger.superseded,
        ledger.quarantined,
    )
}
