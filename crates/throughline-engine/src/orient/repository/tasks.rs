//! The tasks that a project defines for itself: targets of a Makefile or a justfile, scripts of package.json,
//! composer.json and deno.json.

use super::commands::{Command, Does};
use super::files::Files;
use super::manifest::Manifests;
use super::prose;

/// The names that projects give to what everybody needs.
const NAMES: [(Does, &[&str]); 5] = [
    (Does::Setup, &["setup", "bootstrap", "deps"]),
    (Does::Build, &["build", "compile", "all"]),
    (Does::Test, &["test", "tests", "check", "test:unit"]),
    (Does::Lint, &["lint", "clippy", "typecheck", "format", "fmt", "style"]),
    (Does::Run, &["dev", "start", "run", "serve"]),
];
const RUNNERS: [(&str, &str); 6] = [
    ("justfile", "just"),
    ("Justfile", "just"),
    (".justfile", "just"),
    ("GNUmakefile", "make"),
    ("Makefile", "make"),
    ("makefile", "make"),
];

pub(super) fn of(files: &Files, manifests: &Manifests) -> Vec<Command> {
    let mut commands = vec![];
    for (file, runner) in RUNNERS {
        if let Some(text) = files.has(file).then(|| files.text(file)).flatten() {
            commands.extend(chosen(runner, file, &targets(&text)));
        }
    }
    let scripts = [
        (&manifests.package, "scripts", package_runner(files, manifests), "package.json"),
        (&manifests.composer, "scripts", "composer", "composer.json"),
        (&manifests.deno, "tasks", "deno task", "deno.json"),
    ];
    for (manifest, field, runner, file) in scripts {
        let scripts = manifest.as_ref().and_then(|manifest| manifest.get(field)?.as_object());
        let names: Vec<&str> = scripts.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        commands.extend(chosen(runner, file, &names));
    }
    commands
}

/// With what the scripts of package.json are run here.
pub(super) fn package_manager(files: &Files, manifests: &Manifests) -> &'static str {
    let named = manifests.package.as_ref().and_then(|package| package.get("packageManager")?.as_str());
    let by_lock = [
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
        ("package-lock.json", "npm"),
    ];
    let by_name = |name: &str| by_lock.iter().find(|(_, manager)| name.starts_with(manager));
    let by_file = || by_lock.iter().find(|(lock, _)| files.has(lock));
    named.and_then(by_name).or_else(by_file).map_or("npm", |(_, manager)| manager)
}

fn package_runner(files: &Files, manifests: &Manifests) -> &'static str {
    match package_manager(files, manifests) {
        "yarn" => "yarn",
        "pnpm" => "pnpm run",
        "bun" => "bun run",
        _ => "npm run",
    }
}

/// For each purpose the first name that is there.
fn chosen(runner: &str, file: &str, names: &[&str]) -> Vec<Command> {
    let command = |(does, wanted): (Does, &[&str])| {
        let name = wanted.iter().find(|wanted| names.contains(wanted))?;
        // What everybody types.
        let run = if (runner, *name) == ("npm run", "test") {
            "npm test".to_owned()
        } else {
            format!("{runner} {name}")
        };
        Some(Command { does, run: prose::line(&run, 80), source: file.to_owned() })
    };
    NAMES.into_iter().filter_map(command).collect()
}

/// What stands at the margin before a colon; `=` after it would make it a variable.
fn targets(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| !line.starts_with([' ', '\t', '#', '.', '@']))
        .filter_map(|line| {
            let (name, rest) = line.split_once(':')?;
            let is_variable = rest.starts_with('=') || name.contains('=');
            (!is_variable).then(|| name.split_whitespace()).into_iter().flatten().next()
        })
        .collect()
}
