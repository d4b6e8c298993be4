//! Whether a test that was narrowed to one place says nothing of a file that is somewhere else.

use super::command::narrowed_to;
use crate::words::is_in;

/// Folders and names that say nothing of what is in them.
const PLAIN: &str = "test tests spec specs src lib app apps packages crates internal cmd pkg main java kotlin python js ts unit \
    integration e2e it py rs go rb";

/// Of a file right below such a folder, and of a test that names no place, nobody can tell.
pub(super) fn leaves_out(line: &str, file: &str) -> bool {
    let places = narrowed_to(line);
    let folders: Vec<Vec<String>> = places.iter().map(|place| folders_of(place)).collect();
    let is_in_folder = !folders_of(file).is_empty();
    let names = telling(file);
    let is_elsewhere =
        |folders: &Vec<String>| !folders.is_empty() && !folders.iter().any(|name| names.contains(name));
    is_in_folder && !folders.is_empty() && folders.iter().all(is_elsewhere)
}

fn folders_of(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(['/', '.']);
    let has_file = path.rsplit('/').next().is_some_and(|name| name.contains('.') || name.contains("::"));
    let folders = if has_file { path.rsplit_once('/').map_or("", |(folders, _)| folders) } else { path };
    if path.contains('/') { telling(folders) } else { vec![] }
}

fn telling(path: &str) -> Vec<String> {
    let names = path.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    names.filter(|name| name.len() > 1 && !is_in(PLAIN, name)).collect()
}
