//! `throughline index search`: code by meaning, words, symbol or path.

use std::process::ExitCode;

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use throughline_engine::code::Language;
use throughline_engine::recall::{CodeQuery, Files, Kind, Query, Weights};

use super::super::app::App;
use super::super::search::{joined, warn_if_empty};
use crate::wire::code::{Answer, Hit};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// What to find: words, a question, a symbol, a path
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    query: String,
    /// Further words
    #[arg(value_name = "WORD", hide = true)]
    more: Vec<String>,
    /// Only files whose path begins with or contains this
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// Only where a symbol of this name is defined
    #[arg(long, value_name = "NAME")]
    symbol: Option<String>,
    /// Only files in this language
    #[arg(long, value_name = "NAME", ignore_case = true, value_parser = PossibleValuesParser::new(Language::ALL.map(Language::name)))]
    language: Option<String>,
    /// How many at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// The text of each
    #[arg(long)]
    full: bool,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let files = app.own_folder(engine)?.map_or(Files::Nowhere, |folder| Files::In(folder.root.clone()));
    let query = Query {
        kinds: vec![Kind::Code],
        weights: Some(Weights::RELEVANCE),
        code: CodeQuery {
            files,
            path: args.path.clone(),
            symbol: args.symbol.clone(),
            language: args.language.clone(),
            touched: vec![],
        },
        ..Query::of(joined(&args.query, &args.more)?, usize::try_from(args.limit).unwrap_or(usize::MAX))
    };
    warn_if_empty(&query, app);
    let mut answer = Answer::from(engine.recall(&caller, &query)?);
    if !args.full {
        answer.hits.iter_mut().for_each(|hit| hit.text = None);
    }
    app.output.show(&answer, text);
    Ok(ExitCode::SUCCESS)
}

fn text(answer: &Answer) -> String {
    let mut text: String = answer.hits.iter().map(of_hit).collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        text.push_str("nothing relevant");
    }
    if let Some(note) = &answer.note {
        text.push_str(&format!("\n({note})"));
    }
    text
}

fn of_hit(hit: &Hit) -> String {
    let what = if hit.signature.is_empty() { hit.symbols.join(", ") } else { hit.signature.clone() };
    let why = hit.why.as_ref().map(|why| format!("\n    {why}")).unwrap_or_default();
    let text = hit.text.as_ref().map(|text| format!("\n{text}")).unwrap_or_default();
    format!("{:.3} {}:{}-{} {what}{why}{text}", hit.score, hit.path, hit.first_line, hit.last_line)
}
