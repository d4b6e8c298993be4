//! The command line: one file per command, each decodes, asks the engine once, and shows the answer.

mod app;
mod backup;
mod belief;
mod bench;
mod browser;
mod check;
mod checkpoint;
mod completions;
mod config;
mod context;
mod decide;
mod demo;
mod doctor;
mod eval;
mod expand;
mod export;
mod feedback;
mod forget;
mod graph;
mod handoff;
mod hook;
mod import;
mod index;
mod install;
mod jobs;
mod lines;
mod log;
mod logging;
mod man;
mod mcp;
mod meant;
mod memory;
mod migrate;
mod misused;
mod model;
mod one_of;
mod orient;
mod output;
mod pattern;
mod project;
mod remember;
mod repair;
mod resource;
mod restore;
mod search;
mod serve;
mod session;
mod set;
mod share;
mod task;
mod token;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::Overrides;
use crate::install::Verb;
use crate::wire::error::{Problem, exit_code, message};
use app::App;
use output::Output;

/// The context and memory engine for AI coding agents: what agents and people did on a project is never lost.
#[derive(Debug, Parser)]
#[command(name = "throughline", version, arg_required_else_help = true, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    global: Global,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Everywhere")]
struct Global {
    /// Print one JSON document and nothing else
    #[arg(long, global = true)]
    json: bool,
    /// The database: sqlite:PATH or postgres://… [default: throughline.db in THROUGHLINE_HOME]
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,
    /// The project by name [default: found from the folder]
    #[arg(long, global = true, value_name = "NAME")]
    project: Option<String>,
    /// Who acts: user:NAME or agent:NAME [default: you]
    #[arg(long, global = true, value_name = "ACTOR")]
    actor: Option<String>,
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
enum Command {
    /// See it at work: a week of two agents on a sample project, then its dashboard
    Demo(demo::Args),
    /// Where the project stands
    Orient(orient::Args),
    /// Everything that matters for an item, inside a token budget
    Context(context::Args),
    /// Find what the project knows: memories, decisions, events, tasks, resources
    Search(search::Args),
    /// The full text of what a search showed in short
    Expand(expand::Args),
    /// Keep a statement as a memory
    Remember(remember::Args),
    /// Make memories be found no more; `log purge` of their events erases the text as well
    Forget(forget::Args),
    /// Say how useful memories were
    Feedback(feedback::Args),
    /// Record what was chosen about a subject, why, and instead of what
    Decide(decide::Args),
    /// Beliefs and why they are as sure as they are: list, show, adjust
    #[command(subcommand)]
    Belief(belief::Command),
    /// What recurs in finished sessions: mine, list, approve
    #[command(subcommand)]
    Pattern(pattern::Command),
    /// Everything that is linked, as JSON or for Graphviz
    Graph(graph::Args),
    /// Memories: list, show, search, generate, review, approve, reject, archive, feedback, sync
    #[command(subcommand)]
    Memory(memory::Command),
    /// The model that helps, if one was chosen: status, test
    #[command(subcommand)]
    Model(model::Command),
    /// The tools for agents over MCP, on stdin and stdout
    Mcp(mcp::Args),
    /// Connect a client: its hooks, the MCP server, slash commands
    Install(install::Args),
    /// Take out of a client's settings what `install` wrote, and nothing else
    Uninstall(install::Args),
    /// The work: list, show, create, update, complete, block, unblock, delete, import, export
    #[command(subcommand)]
    Task(task::Command),
    /// Documents beside the work: list, show, write
    #[command(subcommand)]
    Resource(resource::Command),
    /// Take in one event of a coding agent on stdin, and answer it; never fails, what went wrong is told by `doctor`
    Hook(hook::Args),
    /// Everything of the project as JSON lines, for `import project`
    Export(export::Args),
    /// Bring in what was there before: sessions of clients, git, memory files, other memory tools
    #[command(subcommand)]
    Import(import::Command),
    /// The log: append, tail, export, import, purge
    #[command(subcommand)]
    Log(log::Command),
    /// Sessions: list, show, status, state, reconstruct, end, resume, compact
    #[command(subcommand)]
    Session(session::Command),
    /// What an agent holds, in tiers: save, load, diff, tiers, flash, stats, archive, delete
    #[command(subcommand)]
    Set(set::Command),
    /// What a session stood at: save, list, show, diff, restore
    #[command(subcommand)]
    Checkpoint(checkpoint::Command),
    /// What one role passes to the next: give, take, list
    #[command(subcommand)]
    Handoff(handoff::Command),
    /// Projects: which one this is, and how it is recognised
    #[command(subcommand)]
    Project(project::Command),
    /// Settings: what is in force and from where
    #[command(subcommand)]
    Config(config::Command),
    /// The search index: status, run, watch, search, file, rebuild
    #[command(subcommand)]
    Index(index::Command),
    /// Background jobs: list, run, retry
    #[command(subcommand)]
    Jobs(jobs::Command),
    /// Measure retrieval on public question sets
    #[command(subcommand)]
    Eval(eval::Command),
    /// Measure what the product costs at real sizes
    #[command(subcommand)]
    Bench(bench::Command),
    /// The interface, its live stream and MCP over HTTP, and background work
    Serve(serve::Args),
    /// Who may come in over the network: create, list, revoke
    #[command(subcommand)]
    Token(token::Command),
    /// Find and explain what is wrong, and with --fix set it right
    Doctor(doctor::Args),
    /// Check the database, the laws of the log, the search index and the jobs
    Check(check::Args),
    /// Set right what `check` finds; of a damaged file, save every row that can be read
    Repair(repair::Args),
    /// Copy the database to one verified file
    Backup(backup::Args),
    /// Put a backup in the place of the database
    Restore(restore::Args),
    /// Bring the database's schema up to what this program knows
    Migrate(migrate::Args),
    /// Print the completion script for a shell
    Completions(completions::Args),
    /// Write the manual pages, one for each command
    Man(man::Args),
}

pub(crate) fn main() -> ExitCode {
    if let Some(args) = hook::Args::at_once() {
        let output = Output::new(false);
        start_logging(&output);
        return hook::run(&args, Overrides::default(), &output).unwrap_or(ExitCode::SUCCESS);
    }
    let cli = match Cli::try_parse_from(misused::arguments()) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() && hook::is_meant() => return hook::misused(&error.to_string()),
        Err(error) => return misused::answer(&error),
    };
    let output = Output::new(cli.global.json);
    // Those that stay have to know their settings first.
    if !matches!(cli.command, Command::Serve(_) | Command::Mcp(_) | Command::Demo(_)) {
        start_logging(&output);
    }
    match run(cli, &output) {
        Ok(code) => code,
        Err(error) => {
            output.failure(&Problem::of(&error), &message(&error));
            exit_code(&error)
        }
    }
}

fn run(cli: Cli, output: &Output) -> Result<ExitCode> {
    let overrides =
        Overrides { database: cli.global.database, project: cli.global.project, actor: cli.global.actor };
    let app = || App::load(&overrides, output);
    let look = || App::load_to_look(&overrides, output);
    match cli.command {
        Command::Demo(args) => demo::run(&args, output),
        Command::Orient(args) => orient::run(&args, &app()?),
        Command::Context(args) => context::run(&args, &look()?),
        Command::Search(args) => search::run(&args, &look()?),
        Command::Expand(args) => expand::run(&args, &app()?),
        Command::Remember(args) => remember::run(args, &app()?),
        Command::Forget(args) => forget::run(&args, &app()?),
        Command::Feedback(args) => feedback::run(&args, &app()?),
        Command::Decide(args) => decide::run(args, &app()?),
        Command::Belief(command) => belief::run(command, &app()?),
        Command::Pattern(command) => pattern::run(&command, &app()?),
        Command::Graph(args) => graph::run(&args, &app()?),
        Command::Memory(command) => memory::run(&command, &app()?),
        Command::Model(command) => model::run(&command, &app()?),
        Command::Mcp(args) => mcp::run(&args, &overrides, output),
        Command::Install(args) => install::run(Verb::Install, &args, output),
        Command::Uninstall(args) => install::run(Verb::Uninstall, &args, output),
        Command::Task(command) => task::run(command, &app()?),
        Command::Resource(command) => resource::run(command, &app()?),
        Command::Hook(args) => hook::run(&args, overrides, output),
        Command::Export(args) => export::run(&args, &app()?),
        Command::Import(command) => import::run(&command, &app()?),
        Command::Log(command) => log::run(command, &app()?),
        Command::Session(command) => session::run(command, &app()?),
        Command::Set(command) => set::run(&command, &app()?),
        Command::Checkpoint(command) => checkpoint::run(command, &app()?),
        Command::Handoff(command) => handoff::run(command, &app()?),
        Command::Project(command) => project::run(command, &app()?),
        Command::Config(command) => config::run(command, &overrides, output),
        Command::Index(command @ index::Command::Search(_)) => index::run(&command, &look()?),
        Command::Index(command) => index::run(&command, &app()?),
        Command::Jobs(command) => jobs::run(&command, &app()?),
        Command::Eval(command) => eval::run(&command, &overrides, output),
        Command::Bench(command) => bench::run(&command, &overrides, output),
        Command::Serve(args) => serve::run(&args, &overrides, output),
        Command::Token(command) => token::run(command, &app()?),
        Command::Doctor(args) => doctor::run(&args, &overrides, output),
        Command::Check(args) => check::run(&args, &app()?),
        Command::Repair(args) => repair::run(&args, &app()?),
        Command::Backup(args) => backup::run(&args, &app()?),
        Command::Restore(args) => restore::run(&args, &app()?),
        Command::Migrate(args) => migrate::run(&args, &app()?),
        Command::Completions(args) => completions::run(&args, output),
        Command::Man(args) => man::run(&args, output),
    }
}

fn start_logging(output: &Output) {
    if let Some(log) = logging::layer(output) {
        tracing_subscriber::registry().with(log).init();
    }
}
