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
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<Model>,
}

/// What a model had to do with it.
#[derive(Debug, Default, Serialize)]
struct Model {
    /// Questions that it answered.
    answered: usize,
    /// Candidates that no rule had found.
    named: usize,
    /// Statements that it compared with known ones.
    related: usize,
    /// Why the built-in rules had to do without it, the last time.
    #[serde(skip_serializing_if = "Option::is_none")]
    without: Option<String>,
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
        if let Some(consulted) = generation.model {
            let model = self.model.get_or_insert_default();
            model.answered += consulted.answered;
            model.named += consulted.named;
            model.related += consulted.related;
            model.without = consulted.without.or(model.without.take());
        }
    }
}

fn text(ledger: &Ledger) -> String {
    let discarded: Vec<String> =
        ledger.discarded.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    let discarded = if discarded.is_empty() { "nothing".to_owned() } else { discarded.join(", ") };
    let model = ledger.model.as_ref().map_or_else(String::new, model);
    format!(
        "read        {} messages of {} sessions\ncandidates  {}: {} created, {} corroborated, {} superseded, {} \
         quarantined\ndiscarded   {discarded}{model}",
        ledger.events,
        ledger.sessions,
        ledger.candidates,
        ledger.created,
        ledger.corroborated,
        ledger.superseded,
        ledger.quarantined,
    )
}

fn model(model: &Model) -> String {
    let asked = format!(
        "\nmodel       {} answers, {} candidates of its own, {} statements compared",
        model.answered, model.named, model.related
    );
    match &model.without {
        Some(why) => format!("{asked}\nwithout it  {why}"),
        None => asked,
    }
}
