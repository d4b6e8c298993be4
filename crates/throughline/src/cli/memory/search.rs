//! `throughline memory search`: memories alone, by query, scope, kind and tags.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::recall::{Kind, Query};
use throughline_engine::store::memory::{self, Scope};

use super::super::app::App;
use super::super::one_of::one_of;
use super::super::search::{Shown, answer, joined};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// What to find
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    query: String,
    /// Further words
    #[arg(value_name = "WORD", hide = true)]
    more: Vec<String>,
    /// Only this scope: user, session, app or all
    #[arg(long, value_name = "SCOPE", value_parser = one_of::<Asked>(Asked::NAMES))]
    scope: Option<Asked>,
    /// Only memories of this kind; may be given several times
    #[arg(long = "category", visible_alias = "kind", value_name = "KIND", value_parser = one_of::<memory::Kind>(memory::Kind::ALL.iter().map(|kind| kind.as_str())))]
    categories: Vec<memory::Kind>,
    /// Only with this tag; with all of them when given several times
    #[arg(long = "tag", visible_alias = "tags", value_name = "TAG", value_delimiter = ',')]
    tags: Vec<String>,
    #[command(flatten)]
    shown: Shown,
}

/// One scope or all of them.
#[derive(Debug, Clone, Copy)]
struct Asked(Option<Scope>);

impl Asked {
    const NAMES: [&'static str; 4] = ["user", "session", "app", "all"];
}

impl std::str::FromStr for Asked {
    type Err = String;

    fn from_str(text: &str) -> Result<Asked, String> {
        if text == "all" { Ok(Asked(None)) } else { text.parse().map(|scope| Asked(Some(scope))) }
    }
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let query = Query {
        kinds: vec![Kind::Memory],
        memory_kinds: args.categories.clone(),
        scope: args.scope.and_then(|asked| asked.0),
        tags: args.tags.clone(),
        ..Query::of(joined(&args.query, &args.more)?, 0)
    };
    answer(&query, &args.shown, app)
}
