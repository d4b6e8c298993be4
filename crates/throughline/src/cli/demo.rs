//! `throughline demo`: a scripted session through the real capture path, in a folder of its own.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use serde_json::json;
use throughline_engine::capture::{Observation, Opening, SessionRef};
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::project::Folder;
use throughline_engine::session::Update;
use throughline_engine::settings::Settings;
use throughline_engine::store::actor::{Actor, ActorKind};
use throughline_engine::store::event::Kind;
use throughline_engine::store::{Location, Options, Store};
use throughline_engine::{Caller, Engine};

use super::output::Output;
use super::session::render;
use crate::wire::session::History;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Keep the demo's folder and say where it is
    #[arg(long)]
    keep: bool,
}

/// Kind, target, text, and how many seconds after the start.
type Step = (Kind, Option<&'static str>, &'static str, i64);

const USER: [Step; 2] = [
    (
        Kind::UserMessage,
        None,
        "Checkout fails when the cart has more than 100 lines. Find out why and fix it.",
        0,
    ),
    (Kind::UserMessage, None, "Good. And remember: we never raise the page size, we follow the cursor.", 310),
];

const AGENT: [Step; 8] = [
    (Kind::Search, Some("rg page_size src/"), "3 matches in src/cart.rs and src/client.rs", 12),
    (
        Kind::Read,
        Some("src/cart.rs"),
        "fn lines(&self) reads one page of 100 lines and ignores next_cursor",
        31,
    ),
    (Kind::ToolCall, Some("cargo test cart"), "cargo test cart", 60),
    (Kind::ToolResult, Some("cargo test cart"), "FAILED cart::reads_all_lines: left 100, right 250", 74),
    (
        Kind::Decision,
        Some("cart paging"),
        "Follow next_cursor until it is empty; the page size stays 100",
        120,
    ),
    (Kind::Write, Some("src/cart.rs"), "loop over pages in lines()", 180),
    (Kind::ValidationGate, Some("cargo test"), "212 passed, 0 failed", 240),
    (
        Kind::ModelMessage,
        None,
        // Split, so that scanners of this file do not take it for a live key.
        concat!(
            "Fixed: lines() follows the cursor. Tried it on staging with gh",
            "p_x7Rk2mQ9vLc4TzW8bNf3Jd6HsYp1Ge5Ua0Ko."
        ),
        290,
    ),
];

pub(super) fn run(args: &Args, output: &Output) -> Result<ExitCode> {
    let home = tempfile::Builder::new()
        .prefix("throughline-demo-")
        .tempdir()
        .context("cannot create the demo's folder")?;
    let location = Location::File(home.path().join("throughline.db"));
    let store = Store::open(location, Options::default())?;
    let engine = Engine::new(store, Clock::system(), Ids::system(), Settings::default());
    let history = play(&engine, &Folder { root: home.path().to_owned(), git: None })?;
    let text = format!(
        "A session as an agent's hooks record it, in {}\n\n{}\n\nThe token in the agent's answer never reached the disk. Your own data was not touched.",
        home.path().display(),
        render(&history)
    );
    output.show(&History::from(history), |_| text);
    if args.keep {
        let kept = home.keep();
        output.say(&format!(
            "kept: THROUGHLINE_HOME={} throughline --project demo session show",
            kept.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn play(engine: &Engine, folder: &Folder) -> Result<throughline_engine::session::History> {
    let project = engine.project(folder, Some("demo"))?.id;
    let as_actor =
        |kind, name: &str| Caller { project: project.clone(), actor: Actor { kind, name: name.into() } };
    let (user, agent) = (as_actor(ActorKind::User, "maria"), as_actor(ActorKind::Agent, "claude-code"));
    let mut steps: Vec<(&Caller, &Step)> =
        USER.iter().map(|step| (&user, step)).chain(AGENT.iter().map(|step| (&agent, step))).collect();
    steps.sort_by_key(|(_, step)| step.3);
    let start = engine.now().0 - 600_000_000;
    for (caller, step) in steps {
        engine.capture(caller, vec![observation(step, start)])?;
    }
    let patch = json!({ "current_task": "checkout with large carts", "files_in_progress": ["src/cart.rs"] });
    engine.update_scratchpad(&agent, None, &Update { patch, if_version: None })?;
    Ok(engine.history(&agent, None, engine.settings().history)?)
}

fn observation(&(kind, target, text, seconds): &Step, start: i64) -> Observation {
    let session = SessionRef::Of { client: "claude-code".to_owned(), session: "demo-1".to_owned() };
    Observation {
        opening: Opening {
            chatmode: Some("engineer".to_owned()),
            git_branch: Some("fix/cart".to_owned()),
            ..Opening::default()
        },
        at: Some(throughline_engine::store::time::Timestamp(start + seconds * 1_000_000)),
        target: target.map(str::to_owned),
        content: Some(text.to_owned()),
        ..Observation::of(kind, session)
    }
}
