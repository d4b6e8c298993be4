//! `throughline context`: everything that matters for an item, inside a token budget.

use std::process::ExitCode;

use anyhow::{Result, bail};
use throughline_engine::hydrate::{
    Depth, Focus, Hydration, Include, Limits, MaxTokens, Rendering as _, Request,
};
use throughline_engine::recall::Files;

use super::app::App;
use super::output::table;
use crate::wire::context::{Context, Explanation, Format};
use crate::wire::error::Usage;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The item, for example TASK-0042
    #[arg(value_name = "ID", conflicts_with = "query")]
    id: Option<String>,
    /// The item that matches this best
    #[arg(long, value_name = "TEXT")]
    query: Option<String>,
    /// How many steps up and down the tree, 1 to 3
    #[arg(long, value_name = "N", default_value_t = 1)]
    depth: u64,
    /// How many tokens the answer may have, 500 to 32000
    #[arg(long, value_name = "N", default_value_t = 4000)]
    max_tokens: u64,
    /// How to write it [default: markdown, and json with --json]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Written>,
    /// Leave out what is found by meaning
    #[arg(long)]
    no_related: bool,
    /// Leave out what happened lately
    #[arg(long)]
    no_activity: bool,
    /// Leave out what the last session did
    #[arg(long)]
    no_session: bool,
    /// At most N entries of a role, for example children=20; may be given several times
    #[arg(long = "limit", value_name = "ROLE=N")]
    limits: Vec<String>,
    /// What became of every candidate, and why; not counted in the budget
    #[arg(long)]
    explain: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Written {
    Json,
    Markdown,
    Tree,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let asked = request(args)?;
    let format = match (args.format, app.output.is_json()) {
        (None | Some(Written::Json), true) => Format::Json,
        (Some(Written::Json), false) => Format::PrettyJson,
        (None | Some(Written::Markdown), false) => Format::Markdown,
        (Some(Written::Markdown), true) => Format::WrappedMarkdown,
        (Some(Written::Tree), true) => Format::Tree,
        (Some(Written::Tree), false) => Format::DrawnTree,
    };
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let files = app.own_folder(engine)?.map_or(Files::Nowhere, |folder| Files::In(folder.root.clone()));
    let request = Request { files, ..asked };
    let answer = engine.hydrate(&caller, &request, &format)?;
    if args.explain {
        explain(&answer, format, app);
    } else {
        app.output.raw(&format.whole(&answer));
    }
    Ok(ExitCode::SUCCESS)
}

fn request(args: &Args) -> Result<Request> {
    let focus = match (&args.id, &args.query) {
        (Some(id), _) => Focus::Id(id.clone()),
        (None, Some(query)) => Focus::Query(query.clone()),
        (None, None) => {
            bail!(Usage("name an item, for instance TASK-0042, or describe it: --query TEXT".to_owned()))
        }
    };
    let mut limits = Limits::default();
    for limit in &args.limits {
        let given = limit.split_once('=').and_then(|(role, n)| Some((role, n.parse().ok()?)));
        let (role, n) = given.ok_or_else(|| Usage(format!("{limit:?} is no limit; write children=20")))?;
        limits.set(role, n).map_err(Usage::of)?;
    }
    Ok(Request {
        depth: Depth::new(args.depth).map_err(Usage::of)?,
        max_tokens: MaxTokens::new(args.max_tokens).map_err(Usage::of)?,
        related: Include::when(!args.no_related),
        activity: Include::when(!args.no_activity),
        session: Include::when(!args.no_session),
        limits,
        ..Request::about(focus)
    })
}

/// The answer with what became of every candidate beside it.
#[derive(serde::Serialize)]
struct Explained {
    context: Context,
    explanation: Vec<Explanation>,
}

fn explain(answer: &Hydration, format: Format, app: &App<'_>) {
    let explained = Explained {
        context: Context::from(answer),
        explanation: answer.trace.iter().map(Explanation::from).collect(),
    };
    app.output.show(&explained, |explained| {
        let rows = explained.explanation.iter().map(|step| {
            let relevance = step.relevance_score.map(|score| format!("{score:.2}")).unwrap_or_default();
            vec![
                step.role.to_owned(),
                step.id.clone(),
                relevance,
                step.tokens.to_string(),
                step.outcome.to_owned(),
            ]
        });
        format!(
            "{}\n{}",
            format.whole(answer),
            table(&["ROLE", "ID", "RELEVANCE", "TOKENS", "OUTCOME"], rows)
        )
    });
}
