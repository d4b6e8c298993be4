//! How the project is set up, built, tested and run: what its documents tell people to type, then the tasks that it
//! defines, then what its build tools usually take.

use std::fmt;

use super::files::Files;
use super::manifest::Manifests;
use super::prose::{self, Block};
use super::{tasks, usual};

/// What somebody would type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    pub does: Does,
    pub run: String,
    /// The file that says so.
    pub source: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Does {
    Setup,
    Build,
    Test,
    Lint,
    Run,
}

impl fmt::Display for Does {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Does::Setup => "setup",
            Does::Build => "build",
            Does::Test => "test",
            Does::Lint => "lint",
            Does::Run => "run",
        })
    }
}

/// The name of the README as a source, whatever it is called.
pub(super) const README: &str = "README";
const OF_EACH: usize = 2;
const CHARS: usize = 100;

/// Programs that build and test; what else documents show is use of the product, or anything.
const PROGRAMS: [&str; 46] = [
    "cargo",
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "bun",
    "deno",
    "node",
    "make",
    "just",
    "task",
    "go",
    "python",
    "python3",
    "pip",
    "pytest",
    "tox",
    "nox",
    "uv",
    "poetry",
    "hatch",
    "pdm",
    "rake",
    "bundle",
    "rspec",
    "mvn",
    "gradle",
    "dotnet",
    "cmake",
    "ctest",
    "ninja",
    "meson",
    "bazel",
    "mix",
    "swift",
    "zig",
    "sbt",
    "cabal",
    "stack",
    "dune",
    "composer",
    "phpunit",
    "docker",
    "ruff",
    "mypy",
    "pre-commit",
];

/// The first of each sort first; at most two of a sort from all sources together.
pub(super) fn commands(
    files: &Files,
    manifests: &Manifests,
    documents: &[(String, Vec<Block>)],
) -> Vec<Command> {
    let told = documents.iter().flat_map(|(source, blocks)| written(source, blocks));
    let all = told.chain(tasks::of(files, manifests)).chain(usual::of(files, manifests));
    let mut chosen: Vec<Command> = vec![];
    for command in all {
        let same_sort = chosen.iter().filter(|known| known.does == command.does).count();
        let is_known = chosen.iter().any(|known| known.run == command.run);
        if !is_known && same_sort < OF_EACH {
            chosen.push(command);
        }
    }
    chosen.sort_by_key(|command| command.does);
    chosen
}

/// What a document shows as a command, in blocks of code and between ticks; the shorter ones, which do more, first.
fn written(source: &str, blocks: &[Block]) -> Vec<Command> {
    let shown = blocks.iter().flat_map(|block| match block {
        Block::Code(code) => vec![code.as_str()],
        Block::Paragraph(text) | Block::Bullet(text) => text.split('`').skip(1).step_by(2).collect(),
        Block::Heading(_) => vec![],
    });
    // A README tells those who use the product how to install and start it.
    let is_for_users = source == README;
    let mut commands: Vec<Command> = shown
        .filter_map(|text| {
            let run = typed(text)?;
            Some(Command { does: sort(&run)?, run, source: source.to_owned() })
        })
        .filter(|command| !is_for_users || !matches!(command.does, Does::Setup | Does::Run))
        .collect();
    commands.sort_by_key(|command| command.run.split_whitespace().count());
    commands
}

/// The command without its prompt and its remark; nothing when it is no command of a build.
fn typed(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches("$ ").trim_start_matches("% ");
    let text = text.split(" #").next().unwrap_or(text).trim();
    let program = text.split_whitespace().find(|word| !word.contains('='))?;
    let is_script = program.strip_prefix("./").is_some_and(|script| {
        !script.is_empty() && script.chars().all(|c| c.is_alphanumeric() || "-_./".contains(c))
    });
    let says_what = is_script || text.split_whitespace().count() > 1 || sort(text).is_some();
    let is_whole = !text.ends_with('\\') && !text.contains(['<', '…', '{']) && text.chars().count() <= CHARS;
    let is_one = (is_script || PROGRAMS.contains(&program)) && says_what && is_whole;
    is_one.then(|| prose::line(text, CHARS))
}

/// By the words of the command: the rarer purpose first.
pub(super) fn sort(command: &str) -> Option<Does> {
    let words: Vec<String> = command
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    match () {
        () if has(&["publish", "release", "deploy", "add", "uninstall", "clean", "login"])
            && !has(&["test", "build"]) =>
        {
            None
        }
        () if has(&[
            "test", "tests", "pytest", "nextest", "tox", "nox", "rspec", "ctest", "phpunit", "jest",
        ]) =>
        {
            Some(Does::Test)
        }
        () if has(&[
            "lint",
            "clippy",
            "fmt",
            "format",
            "ruff",
            "mypy",
            "eslint",
            "typecheck",
            "check",
            "commit",
        ]) =>
        {
            Some(Does::Lint)
        }
        () if has(&["build", "compile", "package", "cmake", "ninja"]) => Some(Does::Build),
        () if has(&["install", "sync", "setup", "bootstrap", "ci", "restore"]) => Some(Does::Setup),
        () if has(&["run", "start", "dev", "serve", "server"]) => Some(Does::Run),
        () => None,
    }
}
