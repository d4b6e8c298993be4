//! Whether a test run says something of a file: it knows the file's language, and is not narrowed to another place.

use throughline_code::Language;
use throughline_store::event::Event;

use super::place::placed;
use super::run::{BUILDERS, Run};
use crate::index::terms::humps;
use crate::words::is_in;

/// How far a test run is from the change of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Since {
    /// Who tests what he works on knows why; he is believed where the run may be of the file.
    SameSession,
    /// It is about something else, unless it is about the file.
    LaterSession,
}

impl Since {
    pub(super) fn of(change: &Event, test: &Event) -> Since {
        if change.session_id == test.session_id { Since::SameSession } else { Since::LaterSession }
    }
}

/// Folders and names that say nothing of what is in them.
const PLAIN: &str = "test tests spec specs src lib app apps packages crates internal cmd pkg main java kotlin python js ts unit \
    integration e2e it py rs go rb";
/// What builders are told that means all of it.
const GOALS: &str = "check verify package install deploy build all ci clean lint";
/// Parts of the names of flags that leave something out, or say how it is run.
const NOT_NARROWING: [&str; 7] = ["skip", "ignore", "exclude", "deselect", "feature", "config", "no-"];

/// Runners that know the tests of some languages alone.
const RUNNERS: [(&[&str], &[Language]); 9] = [
    (&["pytest", "tox", "nox", "nose2", "unittest", "manage.py"], &[Language::Python]),
    (&["cargo test"], &[Language::Rust]),
    (&["go test"], &[Language::Go]),
    (&["jest", "vitest", "mocha", "ava", "deno test"], &[Language::JavaScript, Language::TypeScript]),
    (&["rspec"], &[Language::Ruby]),
    (&["phpunit"], &[Language::Php]),
    (&["dotnet test"], &[Language::CSharp]),
    (&["mvn", "mvnw", "gradle", "gradlew", "sbt"], &[Language::Java]),
    (&["ctest"], &[Language::C, Language::Cpp]),
];

/// `tests` are those that were run.
pub(super) fn settles(tests: &[String], file: &str, since: Since) -> bool {
    let is_of_file = |test: &String| {
        let (folder, command) = placed(test);
        let run = Run::of(command);
        let is_near = || match since {
            Since::SameSession => !leaves_out(folder, &run, file),
            Since::LaterSession => covers(folder, &run, file),
        };
        knows_language(&run, file) && is_near()
    };
    tests.iter().any(is_of_file)
}

fn knows_language(run: &Run<'_>, file: &str) -> bool {
    let told = run.told.join(" ") + " ";
    // Others may stand behind what starts them: a container, an interpreter.
    let is_runner = |name: &&str| match name.contains(' ') {
        true => told.starts_with(&format!("{name} ")),
        false => run.check.contains(name),
    };
    let known = RUNNERS.iter().find(|(names, _)| names.iter().any(is_runner));
    known.is_none_or(|(_, languages)| {
        Language::of_path(file).is_none_or(|language| is_under_any(language) || languages.contains(&language))
    })
}

/// What other languages call, their tests run too.
fn is_under_any(language: Language) -> bool {
    matches!(language, Language::C | Language::Cpp | Language::Shell | Language::Sql)
}

/// Of a file right below a plain folder, and of a test that names no place, nobody can tell.
fn leaves_out(folder: Option<&str>, run: &Run<'_>, file: &str) -> bool {
    let places = folder.filter(is_inside).into_iter().chain(run.places.iter().copied());
    let folders: Vec<Vec<String>> = places.map(folders_of).collect();
    let is_in_folder = !folders_of(file).is_empty();
    let names = telling(file);
    let is_elsewhere =
        |folders: &Vec<String>| !folders.is_empty() && !folders.iter().any(|name| names.contains(name));
    is_in_folder && !folders.is_empty() && folders.iter().all(is_elsewhere)
}

/// Whether it runs all there is where it is run, or names something of the file's path.
fn covers(folder: Option<&str>, run: &Run<'_>, file: &str) -> bool {
    let names = [telling(file), stem(file)].concat();
    let is_of_file = |told: &Vec<String>| told.is_empty() || told.iter().any(|name| names.contains(name));
    let is_builder = run.check.first().is_some_and(|program| is_in(BUILDERS, program));
    let is_all = |goal: &str| is_in(GOALS, goal) || telling(goal).is_empty();
    let places = run.places.iter().filter(|place| !(is_builder && is_all(place)));
    let flags = run.flags.iter().filter(|(name, _)| !NOT_NARROWING.iter().any(|part| name.contains(part)));
    let flags = flags.map(|(_, value)| telling(value)).filter(|told| !told.is_empty());
    let narrowing: Vec<Vec<String>> = places.map(|place| telling(place)).chain(flags).collect();
    let is_here = folder.filter(is_inside).is_none_or(|folder| is_of_file(&telling(folder)));
    is_here && (narrowing.is_empty() || narrowing.iter().any(is_of_file))
}

/// A folder by its whole path may be the project's own.
fn is_inside(folder: &&str) -> bool {
    !folder.starts_with(['/', '~'])
}

fn folders_of(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(['/', '.']);
    let has_file = path.rsplit('/').next().is_some_and(|name| name.contains('.') || name.contains("::"));
    let folders = if has_file { path.rsplit_once('/').map_or("", |(folders, _)| folders) } else { path };
    if path.contains('/') { telling(folders) } else { vec![] }
}

/// A file is called by its name, however plain.
fn stem(file: &str) -> Vec<String> {
    let name = file.rsplit('/').next().unwrap_or(file);
    let stem = name.split('.').next().unwrap_or(name);
    vec![stem.to_lowercase()]
}

/// The words of a path or a name, also those of `DateParserTest`.
fn telling(path: &str) -> Vec<String> {
    let names = path.split(|c: char| !c.is_alphanumeric()).flat_map(humps).map(str::to_lowercase);
    names.filter(|name| name.len() > 1 && !is_in(PLAIN, name)).collect()
}
