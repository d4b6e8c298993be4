//! In which folder a check is done, and whether one that was done there, or above it, has done another.

use super::run::Run;
use crate::shell::words;
use crate::words::is_in;

/// A check with the folder that it is done in, however that is said: `cd web && npm test`, `npm --prefix web test`.
pub(super) struct Placed {
    folder: Option<String>,
    command: String,
    /// It is done in all folders below.
    is_whole: bool,
}

/// Where the shell is that ran a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shell {
    /// In the folder of the other check, if it has not been told to go elsewhere.
    Stayed,
    /// Nobody knows of the other's folder.
    Elsewhere,
}

/// How a check is written that is done in a folder.
const ENTERS: &str = "cd ";
const THEN: &str = " && ";
/// What follows these, or stands behind their `=`, is the folder.
const FOLDERS: [(&str, &str); 5] = [
    ("make gmake ninja", "-C --directory"),
    ("npm", "-C --prefix -w --workspace"),
    ("pnpm", "-C --dir"),
    ("yarn bun", "--cwd"),
    ("uv poetry", "--directory"),
];
/// Who is told one of these does it in every folder that the project knows of.
const WHOLE: [(&str, &str); 3] =
    [("cargo", "--workspace --all"), ("npm", "--workspaces -ws"), ("pnpm", "-r --recursive")];
/// They go through all folders below, or through those that they are given.
const RECURSIVE: &str = "pytest eslint ruff flake8 rubocop";
/// They are given folders by their names.
const NAMING: &str = "pytest eslint ruff flake8 rubocop mypy go";
/// They do it for all modules below.
const OF_MODULES: &str = "mvn mvnw gradle gradlew";
const ALL_PACKAGES: &str = "./...";

/// The check as one of this folder; of none where nobody goes anywhere.
pub(super) fn in_folder(folder: &str, command: String) -> String {
    if folder.is_empty() { command } else { format!("{ENTERS}{folder}{THEN}{command}") }
}

/// A check's folder, where it has one, and the command.
pub(super) fn placed(check: &str) -> (Option<&str>, &str) {
    let placed = check.strip_prefix(ENTERS).and_then(|rest| rest.split_once(THEN));
    placed.map_or((None, check), |(folder, command)| (Some(folder), command))
}

/// Where a line goes that goes here from there; nowhere where nobody can know.
pub(super) fn entered(from: &str, to: &str) -> String {
    let to = to.trim_matches(['\'', '"']).trim_start_matches("./").trim_end_matches('/');
    match to {
        "." => from.to_owned(),
        "-" => String::new(),
        _ if to.contains(['$', '`']) => String::new(),
        ".." => from.rsplit_once('/').map_or("", |(above, _)| above).to_owned(),
        _ if from.is_empty() || to.starts_with(['/', '~']) => to.to_owned(),
        _ => match to.strip_prefix("../") {
            Some(beside) => entered(&entered(from, ".."), beside),
            None => format!("{from}/{to}"),
        },
    }
}

/// Whether what passed is the same as what failed, or more than it, however they are spelled.
pub(super) fn covers(passed: &str, failed: &str, shell: Shell) -> bool {
    let (passed, failed) = (Placed::of(passed), Placed::of(failed));
    let (run, wanted) = (Run::of(&passed.command), Run::of(&failed.command));
    let is_there = is_same_place(passed.folder.as_deref(), failed.folder.as_deref(), shell);
    let does_less = failed.is_whole && !passed.is_whole;
    is_there && !does_less && run.covers(&wanted) || passed.reaches(&run, &failed, &wanted)
}

/// A folder by its whole path may be the project's own.
fn is_same_place(passed: Option<&str>, failed: Option<&str>, shell: Shell) -> bool {
    let ends_with =
        |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'));
    match (passed, failed) {
        (None, None) => true,
        (None, Some(failed)) => shell == Shell::Stayed || failed.starts_with(['/', '~']),
        (Some(passed), None) => passed.starts_with(['/', '~']),
        (Some(passed), Some(failed)) => {
            passed == failed || ends_with(passed, failed) || ends_with(failed, passed)
        }
    }
}

impl Placed {
    fn of(check: &str) -> Placed {
        let (folder, command) = placed(check);
        let all = words(command);
        let program = all.first().copied().unwrap_or_default();
        let mut folder = folder.map(str::to_owned);
        let mut is_whole = is_in(OF_MODULES, program.rsplit('/').next().unwrap_or(program));
        let (mut left, mut told) = (vec![], all.iter().copied());
        while let Some(word) = told.next() {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            if is_flag_of(&WHOLE, program, word) {
                is_whole = true;
            } else if is_flag_of(&FOLDERS, program, name) {
                let to = if word.contains('=') { value } else { told.next().unwrap_or_default() };
                let to = entered(folder.as_deref().unwrap_or_default(), to);
                folder = Some(to).filter(|to| !to.is_empty());
            } else {
                left.push(word);
            }
        }
        Placed { folder, command: left.join(" "), is_whole }
    }

    /// Whether this run, from above, surely goes through the other's folder.
    fn reaches(&self, run: &Run<'_>, other: &Placed, wanted: &Run<'_>) -> bool {
        let Some(below) = other.below(self.folder.as_deref()) else { return false };
        let program = run.check.first().copied().unwrap_or_default();
        let is_all = run.places.is_empty() && self.command.contains(ALL_PACKAGES);
        let is_recursive = is_in(RECURSIVE, program) || is_all;
        if (self.is_whole || is_recursive) && run.covers(wanted) {
            return true;
        }
        let places = other.places_from(below, wanted);
        let places = places.iter().map(String::as_str).collect();
        let is_named = is_in(NAMING, program) && !run.places.is_empty();
        is_named && run.covers(&Run { places, ..wanted.clone() })
    }

    /// The places that it is done in, as they are called above.
    fn places_from(&self, below: &str, run: &Run<'_>) -> Vec<String> {
        let from_above = |place: &&str| entered(below, place);
        match run.places.as_slice() {
            [] if self.command.contains(ALL_PACKAGES) => vec![format!("{below}/...")],
            [] => vec![below.to_owned()],
            places => places.iter().map(from_above).collect(),
        }
    }

    /// The way from a folder above to this one's.
    fn below<'a>(&'a self, above: Option<&str>) -> Option<&'a str> {
        let folder = self.folder.as_deref()?;
        match above {
            None => (!folder.starts_with(['/', '~'])).then_some(folder),
            Some(above) => folder.strip_prefix(above)?.strip_prefix('/'),
        }
    }
}

fn is_flag_of(table: &[(&'static str, &'static str)], program: &str, word: &str) -> bool {
    table.iter().any(|(programs, flags)| is_in(programs, program) && is_in(flags, word))
}
