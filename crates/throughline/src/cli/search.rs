//! `throughline search`: what the project knows about something, the most useful first.

use std::process::ExitCode;

use anyhow::Result;
use clap::builder::NonEmptyStringValueParser;
use throughline_engine::recall::{CodeQuery, Files, Kind, Query};
use throughline_engine::store::index_page::Collection;
use throughline_engine::store::memory;

use super::app::App;
use super::one_of::one_of;
use super::output::table;
use crate::wire::error::Usage;
use crate::wire::recall::{Answer, Detail, Hit, Score};
use crate::wire::time::Asked;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What to find: words, a question, a name, a path
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    query: String,
    /// Further words
    #[arg(value_name = "WORD", hide = true)]
    more: Vec<String>,
    /// Only these kinds, or memories of these kinds; may be given several times
    #[arg(long = "kind", value_name = "KIND", value_parser = one_of::<Sought>(Sought::names()))]
    kinds: Vec<Sought>,
    /// Only memories with this tag; with all of them when given several times
    #[arg(long = "tag", visible_alias = "tags", value_name = "TAG", value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    tags: Vec<String>,
    /// Not older than this: a time, or how long ago
    #[arg(long, value_name = "TIME")]
    since: Option<Asked>,
    #[command(flatten)]
    shown: Shown,
}

// How much of the answer to show. Not a doc comment: it would replace the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Shown {
    /// How many at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// The whole text of each
    #[arg(long)]
    full: bool,
    /// How each score came about
    #[arg(long)]
    explain: bool,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let files = app.own_folder(engine)?.map_or(Files::Nowhere, |folder| Files::In(folder.root.clone()));
    let query = Query {
        kinds: args.kinds.iter().map(|sought| sought.kind()).collect(),
        memory_kinds: args.kinds.iter().filter_map(|sought| sought.memory_kind()).collect(),
        tags: args.tags.clone(),
        since: args.since.map(|asked| asked.resolve(engine.now())),
        code: CodeQuery { files, ..CodeQuery::default() },
        ..Query::of(joined(&args.query, &args.more)?, 0)
    };
    answer(&query, &args.shown, app)
}

/// What `--kind` asks for: a kind of thing, or a kind of memory.
#[derive(Debug, Clone, Copy)]
enum Sought {
    Kind(Kind),
    Memory(memory::Kind),
}

impl Sought {
    fn names() -> impl Iterator<Item = &'static str> {
        let memories = memory::Kind::ALL.iter().map(|kind| kind.as_str());
        let kinds = Kind::ALL.iter().map(|kind| kind.as_str());
        kinds.chain(memories.filter(|name| name.parse::<Kind>().is_err()))
    }

    fn kind(self) -> Kind {
        match self {
            Sought::Kind(kind) => kind,
            Sought::Memory(_) => Kind::Memory,
        }
    }

    fn memory_kind(self) -> Option<memory::Kind> {
        match self {
            Sought::Kind(_) => None,
            Sought::Memory(kind) => Some(kind),
        }
    }
}

impl std::str::FromStr for Sought {
    type Err = String;

    fn from_str(text: &str) -> Result<Sought, String> {
        text.parse().map(Sought::Kind).or_else(|_| text.parse().map(Sought::Memory))
    }
}

/// A query may be written with or without quotes, and may begin with a hyphen; with two it is a mistyped option.
pub(super) fn joined(first: &str, more: &[String]) -> Result<String> {
    let option = first.strip_prefix("--").is_some_and(|name| name.starts_with(char::is_alphabetic));
    if option && !first.contains(' ') {
        let told = format!(
            "there is no option {first}; put a query that begins with two hyphens into quotes with more words"
        );
        return Err(Usage(told).into());
    }
    Ok(std::iter::once(first).chain(more.iter().map(String::as_str)).collect::<Vec<_>>().join(" "))
}

/// A query of nothing finds nothing, and is hardly what was meant.
pub(super) fn warn_if_empty(query: &Query, app: &App<'_>) {
    if query.text.trim().is_empty() {
        app.output.warn("the query is empty; write what to find");
    }
}

pub(super) fn answer(query: &Query, shown: &Shown, app: &App<'_>) -> Result<ExitCode> {
    warn_if_empty(query, app);
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let query = Query { limit: usize::try_from(shown.limit).unwrap_or(usize::MAX), ..query.clone() };
    let recalled = engine.recall(&caller, &query)?;
    if let Some(problem) = recalled.searched.iter().find_map(|searched| searched.model_problem.as_ref()) {
        app.output.warn(&format!(
            "the embedding model could not be used, its place took the built-in table: {problem}"
        ));
    }
    for searched in recalled.searched.iter().filter(|searched| searched.collection == Collection::Events) {
        if searched.unindexed > 0 {
            app.output.warn(&format!(
                "{} of the newest events are not indexed yet and were not searched; `throughline index run` takes them in",
                searched.unindexed
            ));
        }
    }
    let detail = Detail { full: shown.full, explain: shown.explain };
    let root = app.own_folder(engine)?.map(|folder| folder.root.as_path());
    let answer = Answer::new(recalled, &query.text, detail, (engine.now(), root));
    app.output.show(&answer, text);
    Ok(ExitCode::SUCCESS)
}

fn text(answer: &Answer) -> String {
    if answer.hits.is_empty() {
        return explained(answer, format!("nothing relevant{}", left_out(answer)));
    }
    let rows = answer.hits.iter().map(|hit| {
        vec![hit.id.clone(), hit.kind.clone(), format!("{:.3}", hit.score), hit.age.clone(), what(hit)]
    });
    let mut text = table(&["id", "kind", "score", "age", "what"], rows);
    if answer.total > answer.shown {
        let at_least = if answer.total_is_at_least { "at least " } else { "" };
        text.push_str(&format!("\n{} of {at_least}{} shown (--limit)", answer.shown, answer.total));
    }
    text.push_str(&left_out(answer));
    explained(answer, text)
}

fn left_out(answer: &Answer) -> String {
    match answer.overruled {
        0 => String::new(),
        1 => "\n1 event that tells only what was overruled since is left out (--kind event)".to_owned(),
        many => {
            format!("\n{many} events that tell only what was overruled since are left out (--kind event)")
        }
    }
}

fn what(hit: &Hit) -> String {
    let text = hit.content.as_ref().unwrap_or(&hit.snippet);
    let parts = hit.parts.as_ref().map(|parts| format!("\n{}", sum(parts))).unwrap_or_default();
    let status = hit.status.as_ref().map(|status| format!(", {status}")).unwrap_or_default();
    let sure = hit.confidence.map(|confidence| format!(", confidence {confidence}")).unwrap_or_default();
    let stale = if hit.stale { ", stale: the code it cites has changed" } else { "" };
    // A text that does not say what it is about is shown with its title.
    let title = hit.status.as_ref().filter(|_| *text != hit.title).map(|_| format!("{}\n", hit.title));
    format!("{}{text}\n{}{status}{sure}{stale}{parts}", title.unwrap_or_default(), hit.source)
}

fn sum(score: &Score) -> String {
    let [relevance, recency, importance] = score.weights;
    let semantic = score.semantic.map_or_else(|| "none".to_owned(), |cosine| format!("{cosine:.3}"));
    format!(
        "{relevance} × relevance {:.3} (match {:.3}: words {:.2}, meaning {semantic}) + {recency} × recency {:.3} + \
         {importance} × importance {:.3} (confidence {}, {} uses)",
        score.relevance,
        score.matching,
        score.lexical,
        score.recency,
        score.importance,
        score.confidence,
        score.uses
    )
}

fn explained(answer: &Answer, mut text: String) -> String {
    for searched in answer.explanation.iter().flatten() {
        text.push_str(&format!(
            "\n\n{}: {} documents, {} candidates, meaning by {}",
            searched.collection,
            searched.documents,
            searched.candidates,
            if searched.models.is_empty() { "nothing".to_owned() } else { searched.models.join(", ") }
        ));
        for term in &searched.terms {
            let taken = match term.taken_for.as_slice() {
                [] => String::new(),
                words => format!(", taken for {}", words.join(", ")),
            };
            text.push_str(&format!(
                "\n  {} in {}, weight {:.2}{taken}",
                term.word, term.documents, term.weight
            ));
        }
        if searched.ignored_terms > 0 {
            text.push_str(&format!("\n  {} further words of the query left out", searched.ignored_terms));
        }
    }
    text
}
