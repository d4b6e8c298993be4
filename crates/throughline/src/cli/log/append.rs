//! `throughline log append`: one event from flags, many from lines, or a live stream acknowledged line by line.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow};
use clap::builder::NonEmptyStringValueParser;
use serde_json::{Value as Json, json};
use throughline_engine::Engine;
use throughline_engine::capture::{Observation, Then};
use throughline_engine::store::event::{Kind, Role};

use super::super::app::App;
use super::super::lines::{Lines, read_text};
use super::super::one_of::one_of;
use crate::wire::error::Usage;
use crate::wire::observation::{self as wire, Outcome, Recorded};
use crate::wire::time::Asked;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// What happened
    #[arg(long, value_name = "KIND", value_parser = one_of::<Kind>(Kind::ALL.iter().map(|kind| kind.as_str())), required_unless_present_any = ["batch", "stream"])]
    kind: Option<Kind>,
    /// The session: its id or the client's own; opened when unknown [default: your own]
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// The client that the session belongs to
    #[arg(long, value_name = "CLIENT", requires = "session")]
    client: Option<String>,
    /// The text; - reads it from stdin
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "content_file")]
    content: Option<String>,
    /// A file with the text
    #[arg(long, value_name = "FILE")]
    content_file: Option<PathBuf>,
    /// One line for people [default: the content's first]
    #[arg(long, value_name = "TEXT")]
    summary: Option<String>,
    /// What it was done to: a file, a command, a subject
    #[arg(long, value_name = "TEXT")]
    target: Option<String>,
    /// Structured details as JSON
    #[arg(long, value_name = "JSON", value_parser = parse_json)]
    parts: Option<Json>,
    /// The item it touches
    #[arg(long, value_name = "ID")]
    item: Option<String>,
    /// The earlier event that led to it
    #[arg(long, value_name = "EVENT")]
    triggered_by: Option<String>,
    /// The memory it informs
    #[arg(long, value_name = "MEMORY")]
    informs: Option<String>,
    /// Why it was done
    #[arg(long, value_name = "TEXT")]
    rationale: Option<String>,
    /// The same key twice is one event
    #[arg(long, value_name = "KEY", value_parser = NonEmptyStringValueParser::new())]
    key: Option<String>,
    /// Whose voice it is [default: follows from the kind]
    #[arg(long, value_name = "ROLE", value_parser = one_of::<Role>(Role::ALL.iter().map(|role| role.as_str())))]
    role: Option<Role>,
    /// When it happened [default: now]
    #[arg(long, value_name = "TIME")]
    at: Option<Asked>,
    /// The role the agent is in; another than before ends the session of the other
    #[arg(long, value_name = "ROLE")]
    chatmode: Option<String>,
    /// The workflow, when this opens the session
    #[arg(long, value_name = "NAME")]
    workflow: Option<String>,
    /// The skill, when this opens the session
    #[arg(long, value_name = "NAME")]
    skill: Option<String>,
    /// The client's session ended with this
    #[arg(long)]
    ends_session: bool,
    /// Read events as JSON lines and record all or none; - is stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = SINGLE, conflicts_with = "stream")]
    batch: Option<PathBuf>,
    /// Read events as JSON lines and record each at once, with an answer line for each; - is stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = SINGLE)]
    stream: Option<PathBuf>,
}

/// What a line is, for whoever wrote something else.
const FORMAT: &str = r#"for instance {"kind": "read", "target": "src/main.rs"}"#;
const LIVE_FORMAT: &str = r#"for instance {"kind": "read", "target": "src/main.rs"}; the lines before it are recorded, none after it was read"#;

/// What describes one event; lines describe themselves.
const SINGLE: [&str; 19] = [
    "kind",
    "session",
    "client",
    "content",
    "content_file",
    "summary",
    "target",
    "parts",
    "item",
    "triggered_by",
    "informs",
    "rationale",
    "key",
    "role",
    "at",
    "chatmode",
    "workflow",
    "skill",
    "ends_session",
];

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    let (batch, stream) = (args.batch.clone(), args.stream.clone());
    match (batch, stream) {
        (Some(path), _) => many(&path, app),
        (None, Some(path)) => live(&path, app),
        (None, None) => one(args, app),
    }
}

fn one(args: Args, app: &App<'_>) -> Result<ExitCode> {
    let content = content(&args, app.config.settings.max_content_bytes)?;
    let engine = app.engine()?;
    let observation = args.observation(content, app, engine);
    check_said(&observation)?;
    let caller = app.caller(engine)?;
    // A program knows what it names, and may record it before what it names is there.
    let unknown = match app.output.is_json() {
        true => vec![],
        false => engine.unknown_names(&caller, &observation)?,
    };
    let recorded = engine.capture(&caller, vec![observation])?;
    unknown.iter().for_each(|what| app.output.warn(&format!("recorded, but {what}")));
    let recorded: Vec<Recorded> = recorded.into_iter().map(Recorded::from).collect();
    let first = recorded.first().ok_or_else(|| anyhow!("the event was not recorded"))?;
    app.output.show(first, sentence);
    Ok(ExitCode::SUCCESS)
}

fn many(path: &Path, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let mut lines = Lines::open(path, line_limit(app), FORMAT)?;
    let mut observations = Vec::new();
    while let Some(observation) = lines.next(|line: wire::Observation| checked(line, app, engine))? {
        observations.push(observation);
    }
    let caller = app.caller(engine)?;
    let recorded: Vec<Recorded> =
        engine.capture(&caller, observations)?.into_iter().map(Recorded::from).collect();
    let there = recorded.iter().filter(|recorded| recorded.outcome == Outcome::AlreadyThere).count();
    let appended = recorded.len() - there;
    let answer = json!({ "appended": appended, "already_there": there, "events": recorded });
    app.output.show(&answer, |_| format!("appended {appended} events, {there} were there already"));
    Ok(ExitCode::SUCCESS)
}

/// Each line is durable before its answer is printed, so whoever reads the answers knows what is safe.
fn live(path: &Path, app: &App<'_>) -> Result<ExitCode> {
    let mut lines = Lines::open(path, line_limit(app), LIVE_FORMAT)?;
    let engine = app.engine()?;
    let caller = app.caller(engine)?;
    while let Some(observation) = lines.next(|line: wire::Observation| checked(line, app, engine))? {
        for recorded in engine.capture(&caller, vec![observation])? {
            app.output.line(&Recorded::from(recorded), sentence);
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn observation(self, content: Option<String>, app: &App<'_>, engine: &Engine) -> Observation {
        let session = wire::session_ref(self.client, self.session).expect("--client requires --session");
        let mut opening = app.opening();
        (opening.chatmode, opening.workflow, opening.skill) = (self.chatmode, self.workflow, self.skill);
        Observation {
            opening,
            at: self.at.map(|asked| asked.resolve(engine.now())),
            role: self.role,
            target: self.target,
            summary: self.summary,
            content,
            parts: self.parts,
            item_id: self.item,
            triggered_by: self.triggered_by.map(Into::into),
            informs: self.informs,
            rationale: self.rationale,
            client_key: self.key,
            then: if self.ends_session { Then::Ends } else { Then::GoesOn },
            ..Observation::of(self.kind.expect("required without --batch and --stream"), session)
        }
    }
}

/// A message that says nothing is a mistake of whoever writes one down by hand. Programs record what they are given: turns
/// that only use tools are empty.
fn check_said(observation: &Observation) -> Result<(), Usage> {
    let is_message = matches!(observation.kind, Kind::UserMessage | Kind::ModelMessage);
    let says = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
    if !is_message || says(&observation.content) || says(&observation.summary) || observation.parts.is_some()
    {
        return Ok(());
    }
    Err(Usage(format!("the {} says nothing; give it a content (--content)", observation.kind)))
}

fn content(args: &Args, max_bytes: usize) -> Result<Option<String>> {
    let fix = "record a shorter text with a reference to the file, or raise log.max_content_bytes";
    let read = |path: &Path| read_text(path, max_bytes, fix).map(Some);
    match (args.content.as_deref(), &args.content_file) {
        (Some("-"), _) => read(Path::new("-")),
        (Some(text), _) => Ok(Some(text.to_owned())),
        (None, Some(path)) => read(path),
        (None, None) => Ok(None),
    }
}

fn checked(line: wire::Observation, app: &App<'_>, engine: &Engine) -> Result<Observation> {
    let observation = line.checked(&app.opening()).map_err(|e| anyhow!(e))?;
    engine.check_observation(&observation)?;
    Ok(observation)
}

/// Escapes can make a JSON line six times as long as what it says.
pub(in crate::cli) fn line_limit(app: &App<'_>) -> usize {
    app.config.settings.max_content_bytes.saturating_mul(6).saturating_add(64 * 1024)
}

fn sentence(recorded: &Recorded) -> String {
    let verb = match recorded.outcome {
        Outcome::Appended => "appended",
        Outcome::AlreadyThere => "was there already:",
    };
    let redacted = match recorded.redactions {
        0 => String::new(),
        n => format!(", {n} secrets taken out"),
    };
    format!(
        "{verb} {} (session {}, sequence {}, position {}{redacted})",
        recorded.id, recorded.session_id, recorded.sequence, recorded.position
    )
}

fn parse_json(text: &str) -> Result<Json> {
    serde_json::from_str(text)
        .context("not valid JSON")
        .map_err(|e| Usage(format!("{e:#}; write for instance '{{\"path\": \"src\"}}'")).into())
}
