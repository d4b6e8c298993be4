//! `throughline decide`: what was chosen about a subject, why, and instead of what.

use std::process::ExitCode;

use anyhow::Result;
use clap::builder::NonEmptyStringValueParser;
use throughline_engine::capture::During;
use throughline_engine::remember::{Decision, Effect, USUAL_CONFIDENCE};

use super::app::App;
use super::share::share;
use crate::wire::decision::{Decided, Moved};
use crate::wire::error::Usage;
use crate::wire::observation::session_ref;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What it is about, in a few words; a later decision on it takes the place of this one
    #[arg(value_name = "SUBJECT")]
    subject: String,
    /// What was chosen
    #[arg(value_name = "CHOICE", required = true)]
    choice: Vec<String>,
    /// Why
    #[arg(long, visible_alias = "rationale", value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    because: String,
    /// An alternative that was considered and not chosen; may be given several times
    #[arg(long, visible_alias = "alternative", value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    instead_of: Vec<String>,
    /// How sure it is, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = USUAL_CONFIDENCE, value_parser = share)]
    confidence: f64,
    /// A belief that it speaks for; may be given several times
    #[arg(long, value_name = "ID")]
    supports: Vec<String>,
    /// A belief that it speaks against; may be given several times
    #[arg(long, value_name = "ID")]
    contradicts: Vec<String>,
    /// The session it was made in: its id or the client's own; opened when unknown [default: your own]
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// The client that the session belongs to
    #[arg(long, value_name = "CLIENT", requires = "session")]
    client: Option<String>,
}

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    let choice = args.choice.join(" ");
    if args.instead_of.contains(&choice) {
        return Err(Usage(format!(
            "{choice:?} cannot be chosen instead of itself; leave out that --instead-of"
        ))
        .into());
    }
    let engine = app.engine()?;
    let caller = app.caller(engine)?;
    let supported = args.supports.into_iter().map(|id| (id, Effect::Supports));
    let contradicted = args.contradicts.into_iter().map(|id| (id, Effect::Contradicts));
    let decision = Decision {
        subject: args.subject,
        choice,
        rationale: args.because,
        alternatives: args.instead_of,
        confidence: args.confidence,
        affects: supported.chain(contradicted).collect(),
        during: During {
            session: session_ref(args.client, args.session).map_err(Usage)?,
            opening: app.opening(),
        },
    };
    app.output.show(&Decided::from(engine.decide(&caller, decision)?), text);
    Ok(ExitCode::SUCCESS)
}

fn text(decided: &Decided) -> String {
    let mut lines = vec![match decided.action.as_str() {
        "corroborated" => format!("decided already {}: {}", decided.id, decided.title),
        "quarantined" => format!("waits for review {}: {}", decided.id, decided.title),
        _ => format!("decided {}: {}", decided.id, decided.title),
    }];
    lines.extend(decided.superseded.iter().map(|past| format!("in place of {}: {}", past.id, past.title)));
    lines.extend(decided.beliefs.iter().map(Moved::line));
    lines.join("\n")
}
