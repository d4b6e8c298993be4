//! `throughline remember`: a statement becomes a memory that is found from now on.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use throughline_engine::Engine;
use throughline_engine::remember::{Citation, Statement, cited_in};
use throughline_engine::store::memory::{Kind, Scope, Source};

use super::app::App;
use super::lines::{SHORTEN, read_text};
use super::one_of::one_of;
use super::share::share;
use crate::wire::error::Usage;
use crate::wire::memory::{Perhaps, Remembered};
use crate::wire::observation::session_ref;
use crate::wire::time::{Ahead, Asked};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The statement; - reads it from stdin
    #[arg(value_name = "TEXT", required = true)]
    text: Vec<String>,
    /// A short name for it [default: the beginning of the text]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// What sort of statement it is
    #[arg(long, value_name = "KIND", default_value = "fact", value_parser = one_of::<Kind>(Kind::ALL.iter().map(|kind| kind.as_str())))]
    kind: Kind,
    /// Whom it concerns
    #[arg(long, value_name = "SCOPE", default_value = "app", value_parser = one_of::<Scope>(Scope::ALL.iter().map(|scope| scope.as_str())))]
    scope: Scope,
    /// A tag to search by; may be given several times, or several with commas
    #[arg(long = "tag", visible_alias = "tags", value_name = "TAG", value_delimiter = ',')]
    tags: Vec<String>,
    /// How much it matters, 0 to 1 [default: follows from the kind]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    importance: Option<f64>,
    /// How sure it is, 0 to 1 [default: follows from the source]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    confidence: Option<f64>,
    /// Where it comes from; what a tool said is not found before somebody confirms it
    #[arg(long, value_name = "SOURCE", default_value = "explicit", value_parser = one_of::<Source>(Source::ALL.iter().map(|source| source.as_str())))]
    source: Source,
    /// What this is the present value of; it takes the place of the value before
    #[arg(long, value_name = "KEY")]
    state_key: Option<String>,
    /// The memory it takes the place of
    #[arg(long, value_name = "ID")]
    supersedes: Option<String>,
    /// When it stops being true: a time, or in how long (30m, 2h, 3d)
    #[arg(long, value_name = "TIME", visible_alias = "expires-at")]
    expires: Option<Ahead>,
    /// When it happened [default: now]
    #[arg(long, value_name = "TIME")]
    occurred_at: Option<Asked>,
    /// Code that it is about: PATH, PATH:LINE or PATH:FIRST-LAST; may be given several times [default: what the text names]
    #[arg(long, value_name = "PLACE")]
    cites: Vec<String>,
    /// The session it comes from: its id or the client's own; opened when unknown [default: your own]
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// The client that the session belongs to
    #[arg(long, value_name = "CLIENT", requires = "session")]
    client: Option<String>,
}

/// More than a memory may have, so that the refusal is that of memories.
const MAX_STDIN_BYTES: usize = 16 * 1024 * 1024;

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    let content = match args.text.as_slice() {
        [dash] if dash == "-" => read_text(Path::new("-"), MAX_STDIN_BYTES, SHORTEN)?,
        words => words.join(" "),
    };
    let engine = app.engine()?;
    let caller = app.caller(engine)?;
    let now = engine.now();
    let cites = cites(&args.cites, &content, app, engine)?;
    let statement = Statement {
        title: args.title,
        kind: args.kind,
        scope: args.scope,
        tags: args.tags,
        importance: args.importance,
        confidence: args.confidence,
        source: args.source,
        state_key: args.state_key,
        supersedes: args.supersedes,
        expires_at: args.expires.map(|ahead| ahead.resolve(now)),
        occurred_at: args.occurred_at.map(|asked| asked.in_the_past(now)).transpose()?,
        cites,
        session: session_ref(args.client, args.session).map_err(Usage)?,
        opening: app.opening(),
        ..Statement::of(content)
    };
    let remembered = engine.remember(&caller, vec![statement])?;
    let remembered = remembered.into_iter().next().ok_or_else(|| anyhow!("nothing was remembered"))?;
    app.output.show(&Remembered::from(remembered), sentence);
    Ok(ExitCode::SUCCESS)
}

/// What is named, else what the text names; only where the folder is the project's own.
fn cites(named: &[String], content: &str, app: &App<'_>, engine: &Engine) -> Result<Vec<Citation>> {
    match app.own_folder(engine)? {
        Some(folder) if named.is_empty() => Ok(cited_in(&folder.root, content)),
        Some(folder) => Ok(named
            .iter()
            .map(|place| Citation::read(&folder.root, place))
            .collect::<Result<_, throughline_engine::Error>>()?),
        None if named.is_empty() => Ok(vec![]),
        None => {
            Err(Usage("--cites is for the project of the folder you are in; change to its folder".to_owned())
                .into())
        }
    }
}

fn sentence(remembered: &Remembered) -> String {
    let action = if remembered.superseded.is_empty() { remembered.action.as_str() } else { "created" };
    let mut text = format!("{action} {}: {}", remembered.id, remembered.title);
    if !remembered.superseded.is_empty() {
        text.push_str(&format!(" (in place of {})", remembered.superseded.join(", ")));
    }
    match remembered.action.as_str() {
        "corroborated" => text.push_str(&format!(" (confidence {})", remembered.confidence)),
        "quarantined" => text.push_str(
            " (not found before somebody approves it with `throughline memory approve` or says the same)",
        ),
        _ => {}
    }
    if remembered.redactions > 0 {
        text.push_str(&format!(", {} secrets taken out", remembered.redactions));
    }
    text.extend(remembered.perhaps.iter().map(doubt));
    text
}

fn doubt(perhaps: &Perhaps) -> String {
    let Perhaps { id, title } = perhaps;
    format!("\nPerhaps it repeats or contradicts {id}: {title}. If so, say it again with --supersedes {id}")
}
