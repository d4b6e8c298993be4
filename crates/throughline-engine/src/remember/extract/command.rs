//! The commands of a stretch of the log: what was run, how it ended, and what was written in between.

use serde_json::Value as Json;
use throughline_store::event::{Event, Kind};

/// One thing that an agent did, as far as commands and files go.
#[derive(Debug, Clone)]
pub(super) enum Step<'a> {
    Ran(Run<'a>),
    Wrote,
}

#[derive(Debug, Clone)]
pub(super) struct Run<'a> {
    pub(super) event: &'a Event,
    pub(super) line: &'a str,
    pub(super) outcome: Outcome,
    /// What it said when it failed.
    pub(super) error: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Passed,
    Failed,
    /// Nobody told. Hooks always do, also when it passed; who else appends to the log may not.
    Unknown,
}

/// Longer commands are scripts, and nobody runs them again.
const MAX_CHARS: usize = 200;

/// Commands and writes in their order.
pub(super) fn steps(events: &[Event]) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = vec![];
    for event in events.iter().filter(|event| event.purge.is_none()) {
        match event.kind {
            Kind::ToolCall => steps.extend(run(event).map(Step::Ran)),
            Kind::ToolResult => answer(event, &mut steps),
            Kind::Write => steps.push(Step::Wrote),
            _ => {}
        }
    }
    steps
}

fn run(event: &Event) -> Option<Run<'_>> {
    let parts = parts(event);
    let tool = parts.get("tool").and_then(Json::as_str).unwrap_or_default().to_lowercase();
    let line = event.target.as_deref().map(str::trim).filter(|line| !line.is_empty())?;
    // Other tools have their own name as target.
    let is_shell = ["bash", "shell", "exec", "terminal", "command", "local_shell", "powershell"]
        .iter()
        .any(|shell| tool.contains(shell));
    let is_whole = event.content.as_deref().is_none_or(|content| content.trim() == line);
    (is_shell && is_whole && line.chars().count() <= MAX_CHARS && !line.contains('\n')).then(|| Run {
        event,
        line,
        outcome: outcome(&parts),
        error: "",
    })
}

/// An answer belongs to the last command of the same text.
fn answer<'a>(event: &'a Event, steps: &mut [Step<'a>]) {
    let runs = steps.iter_mut().rev().take(8).filter_map(|step| match step {
        Step::Ran(run) => Some(run),
        Step::Wrote => None,
    });
    let target = event.target.as_deref().map(str::trim);
    let mut runs = runs.filter(|run| target.is_none_or(|target| target == run.line));
    if let Some(run) = runs.next() {
        match outcome(&parts(event)) {
            Outcome::Unknown => {}
            told @ (Outcome::Passed | Outcome::Failed) => run.outcome = told,
        }
        if run.outcome == Outcome::Failed {
            run.error = event.content.as_deref().unwrap_or_default();
        }
    }
}

fn parts(event: &Event) -> Json {
    event.parts.as_deref().and_then(|parts| serde_json::from_str(parts).ok()).unwrap_or(Json::Null)
}

fn outcome(parts: &Json) -> Outcome {
    let code =
        parts.get("exit_code").or_else(|| parts.get("exit")).and_then(Json::as_i64).map(|code| code == 0);
    match parts.get("ok").and_then(Json::as_bool).or(code) {
        Some(true) => Outcome::Passed,
        Some(false) => Outcome::Failed,
        None => Outcome::Unknown,
    }
}

/// What a command line consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Command<'a> {
    /// `A=b` before the program.
    pub(super) settings: Vec<&'a str>,
    pub(super) program: &'a str,
    pub(super) args: Vec<&'a str>,
}

impl<'a> Command<'a> {
    /// The command that a line ends with: what comes before `&&` prepares it, what comes after `|` only shows it, unless it
    /// writes it somewhere.
    pub(super) fn last(line: &'a str) -> Option<Command<'a>> {
        let is_written = |part: &&str| part.trim_start_matches("sudo ").starts_with("tee ");
        let mut parts = line.split(" | ");
        let first = parts.next().unwrap_or(line);
        let line = parts.find(is_written).unwrap_or(first);
        Command::read(chained(line).last()?)
    }

    fn read(text: &'a str) -> Option<Command<'a>> {
        let words: Vec<&str> =
            text.split_whitespace().filter(|word| !matches!(*word, "2>&1" | "sudo" | "time")).collect();
        let settings: Vec<&str> = words.iter().copied().take_while(|word| is_setting(word)).collect();
        let program = words.get(settings.len()).copied()?;
        let args = words[settings.len() + 1..].to_vec();
        Some(Command { settings, program, args })
    }

    /// The program and what it is told to do: `cargo test`, `docker compose up`, `npx playwright install`, `psql -f views.sql`.
    pub(super) fn act(&self) -> Vec<&'a str> {
        let places = if ASKED.contains(&self.program) { self.args.len() } else { 1 };
        if let Some(named) = self.args.windows(2).take(places).find(|pair| NAMING.contains(&pair[0])) {
            return [&[self.program], named].concat();
        }
        let where_to = self.where_to();
        let args = &self.args[where_to..];
        let runners = usize::from(RUNNERS.contains(&self.program));
        let first = args.get(runners);
        let depth = 1 + runners + usize::from(first.is_some_and(|first| LEADING.contains(first)));
        let named = args.iter().take_while(|arg| !arg.starts_with('-') || **arg == "-m").take(depth);
        std::iter::once(self.program)
            .chain(self.args[..where_to].iter().copied())
            .chain(named.copied())
            .collect()
    }

    /// How many arguments say first where it is done: `make -C firmware all`, `terraform -chdir=infra apply`.
    fn where_to(&self) -> usize {
        match self.args.as_slice() {
            [place, _, _, ..] if PLACES.contains(place) => 2,
            [place, _, ..] if place.starts_with('-') && place.contains('=') => 1,
            _ => 0,
        }
    }

    /// Whether what it says goes into a file.
    fn writes(&self) -> bool {
        let is_file = |to: &str| !to.is_empty() && to != "/dev/null" && !to.starts_with('&');
        let after = |at: usize| self.args.get(at + 1).copied().unwrap_or_default();
        self.args.iter().enumerate().any(|(at, arg)| match *arg {
            ">" | ">>" => is_file(after(at)),
            _ => arg.strip_prefix('>').is_some_and(|to| is_file(to.trim_start_matches('>'))),
        })
    }

    /// Whether the other command is this one with something added.
    pub(super) fn is_part_of(&self, other: &Command<'_>) -> bool {
        let has_all = |these: &[&str], those: &[&str]| these.iter().all(|one| those.contains(one));
        self.program == other.program
            && has_all(&self.args, &other.args)
            && has_all(&self.settings, &other.settings)
    }
}

fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// The commands of a line that come one after the other.
fn chained(line: &str) -> impl Iterator<Item = &str> {
    line.split("&&").flat_map(|part| part.split(';')).map(str::trim)
}

/// What a line runs before its last command.
pub(super) fn before_last(line: &str) -> Vec<(&str, Command<'_>)> {
    let mut all: Vec<&str> = chained(line).collect();
    all.pop();
    all.into_iter().filter_map(|part| Some((part, Command::read(part)?))).collect()
}

/// What follows says what is run.
const NAMING: [&str; 6] = ["-c", "-e", "-f", "--command", "--eval", "--file"];
/// What these are asked stands after where they ask it.
const ASKED: [&str; 7] = ["psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "mongosh", "clickhouse-client"];
/// These run what is named next, which is told something in turn.
const RUNNERS: [&str; 10] =
    ["npx", "bunx", "pnpx", "uvx", "python", "python3", "php", "ruby", "node", "bundle"];
/// What follows these says where it is done.
const PLACES: [&str; 7] = ["-C", "--prefix", "--filter", "--cwd", "--dir", "--context", "-n"];
/// What follows these says what is done.
const LEADING: [&str; 6] = ["compose", "run", "exec", "dlx", "tool", "-m"];

/// Programs that only look, or move about.
const LOOKING: &str = "ls cat head tail grep rg find fd pwd cd echo which type file stat wc tree less more sed awk diff env \
    printenv whoami date history jq sort uniq xxd od man help ps top df du true sleep kill pkill open xdg-open realpath";
const LOOKING_GIT: &str = "status diff log show branch blame add commit stash checkout switch restore reset fetch pull rev-parse merge \
    rebase remote tag worktree cherry-pick";
const LOOKING_TOOLS: &str = "ps logs images inspect version --version list info";

/// Whether a command changes nothing that could make another one pass.
pub(super) fn only_looks(command: &Command<'_>) -> bool {
    let is_in = |list: &str, word: &str| list.split_ascii_whitespace().any(|known| known == word);
    let first = command.args.first().copied().unwrap_or_default();
    let docker = matches!(command.program, "docker" | "podman" | "kubectl" | "npm" | "pnpm" | "pip");
    let amends = command.args.contains(&"--amend");
    is_in(LOOKING, command.program) && !command.writes()
        || (command.program == "git" && is_in(LOOKING_GIT, first) && !amends)
        || (docker && is_in(LOOKING_TOOLS, first))
}

/// Whether one git command may have made another pass: `git pull --rebase` before `git push`.
pub(super) fn serves_git(command: &Command<'_>, failed: &Command<'_>) -> bool {
    const CHANGES_NOTHING: [&str; 9] =
        ["status", "diff", "log", "show", "branch", "blame", "rev-parse", "add", "stash"];
    let first = command.args.first().copied().unwrap_or_default();
    command.program == "git" && failed.program == "git" && !CHANGES_NOTHING.contains(&first)
}

/// Git commands that take the work elsewhere: what passes afterwards is other code.
pub(super) fn changes_code(command: &Command<'_>) -> bool {
    let first = command.args.first().copied().unwrap_or_default();
    let rewrites = matches!(
        first,
        "checkout"
            | "switch"
            | "stash"
            | "reset"
            | "restore"
            | "pull"
            | "merge"
            | "rebase"
            | "revert"
            | "apply"
            | "cherry-pick"
    );
    const FORMATTERS: [&str; 10] =
        ["sed", "perl", "patch", "prettier", "rustfmt", "black", "gofmt", "goimports", "gofumpt", "shfmt"];
    let formats =
        FORMATTERS.contains(&command.program) && command.args.iter().any(|arg| matches!(*arg, "-i" | "-w"));
    let fixes = command.args.iter().any(|arg| matches!(*arg, "--fix" | "fmt" | "format" | "--write"));
    (command.program == "git" && rewrites) || formats || fixes
}
