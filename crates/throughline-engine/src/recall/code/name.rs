//! What a file is called speaks for it: whoever asks about the parser is likely to mean `parser.rs`, and whoever writes
//! `RequestBuilder` means the file of that name before all that use it.

use std::collections::{HashMap, HashSet};

use super::super::fuse::Candidate;
use super::super::lexical::inverse_frequency;
use crate::index::terms::{Sort, TermId, terms};

/// How much a likeness counts, and that the query has the whole name, beside the words of a chunk, which count one.
const LIKE: f64 = 0.4;
const NAMED: f64 = 1.0;
/// A folder says less than the name of the file.
const FOLDER: f64 = 0.5;
/// The paths of so many of the best files are compared.
const COMPARED: usize = 120;
/// The best likeness is worth all only when it is this good: one that every path has is none.
const GOOD: f64 = 2.0;

/// A path as it is compared: each word once, with what it says of the file.
#[derive(Debug, Default)]
struct Name {
    words: Vec<(TermId, f64)>,
    is_named: bool,
}

/// `candidates` are in order, the best first.
pub(super) fn lend<'p>(query: &str, path_of: &dyn Fn(i64) -> Option<&'p str>, candidates: &mut [Candidate]) {
    let mut asked = HashSet::new();
    each_term(query, |id, _| {
        asked.insert(id);
    });
    let mut names: HashMap<&str, Name> = HashMap::new();
    let mut folders: HashMap<&str, Vec<TermId>> = HashMap::new();
    for path in candidates.iter().filter_map(|candidate| path_of(candidate.number)) {
        if names.len() == COMPARED {
            break;
        }
        names.entry(path).or_insert_with(|| Name::of(path, &asked, &mut folders));
    }
    let likeness = likeness(&names, &asked);
    let best = likeness.values().copied().fold(GOOD, f64::max);
    for candidate in candidates {
        let Some(path) = path_of(candidate.number) else { continue };
        let like = likeness.get(path).copied().unwrap_or(0.0) / best;
        let named = if names.get(path).is_some_and(|name| name.is_named) { 1.0 } else { 0.0 };
        let sum = LIKE * like + NAMED * named;
        candidate.relevance += sum;
        if let Some(signals) = &mut candidate.code {
            signals.name = sum / (LIKE + NAMED);
        }
    }
}

/// How much of what tells each path from the others the query has: the cosine, but for the query's own length.
fn likeness<'p>(names: &HashMap<&'p str, Name>, asked: &HashSet<TermId>) -> HashMap<&'p str, f64> {
    let mut paths_with: HashMap<TermId, u64> = HashMap::new();
    for (id, _) in names.values().flat_map(|name| &name.words) {
        *paths_with.entry(*id).or_default() += 1;
    }
    let says = |id: &TermId| {
        let paths = paths_with.get(id).copied().unwrap_or(0);
        f64::from(inverse_frequency(paths, names.len() as u64))
    };
    let of_name = |name: &Name| {
        let (mut shared, mut all) = (0.0, f64::MIN_POSITIVE);
        for (id, weight) in &name.words {
            let square = (weight * says(id)).powi(2);
            all += square;
            shared += if asked.contains(id) { square } else { 0.0 };
        }
        shared / all.sqrt()
    };
    names.iter().map(|(path, name)| (*path, of_name(name))).collect()
}

impl Name {
    /// `folders` are those that were taken apart before: many files share one.
    fn of<'p>(path: &'p str, asked: &HashSet<TermId>, folders: &mut HashMap<&'p str, Vec<TermId>>) -> Name {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let end = file.char_indices().skip(1).find(|(_, c)| *c == '.').map_or(file.len(), |(at, _)| at);
        let mut name = Name::default();
        // With what follows the name, because it may be written so.
        each_term(file, |id, sort| name.is_named |= sort == Sort::Whole && asked.contains(&id));
        name.add(&parts(&file[..end]), 1.0);
        name.add(folders.entry(folder).or_insert_with(|| parts(folder)), FOLDER);
        name
    }

    fn add(&mut self, ids: &[TermId], weight: f64) {
        for id in ids {
            if self.words.iter().all(|(known, _)| known != id) {
                self.words.push((*id, weight));
            }
        }
    }
}

fn parts(text: &str) -> Vec<TermId> {
    let mut parts = vec![];
    each_term(text, |id, sort| {
        if sort != Sort::Whole {
            parts.push(id);
        }
    });
    parts
}

fn each_term(text: &str, mut each: impl FnMut(TermId, Sort)) {
    terms(text, |term| {
        if term.sort != Sort::Stop {
            each(term.id, term.sort);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::super::fuse::Candidate;
    use super::lend;

    fn first(query: &str, paths: &[&'static str]) -> String {
        let path_of = |number: i64| paths.get(number as usize).copied();
        let candidate = |number: usize| Candidate {
            number: number as i64,
            lexical: 0.0,
            near: None,
            relevance: 0.0,
            lost: 0.0,
            code: None,
        };
        let mut candidates: Vec<Candidate> = (0..paths.len()).map(candidate).collect();
        lend(query, &path_of, &mut candidates);
        let best = candidates.iter().max_by(|a, b| a.relevance.total_cmp(&b.relevance));
        best.and_then(|best| path_of(best.number)).unwrap_or_default().to_owned()
    }

    #[test]
    fn a_file_is_meant_by_its_name() {
        let java = ["a/b/LauncherRequest.java", "a/b/LauncherRequestBuilder.java", "a/RequestBuilder.java"];
        assert_eq!(first("a typo in LauncherRequestBuilder", &java), java[1]);
        assert_eq!(first("fix request_builder", &java), java[2]);
        let python = ["docs/config.rst", "src/app/config.py", "tests/test_config.py", "src/app/cli.py"];
        assert_eq!(first("config.py reads twice", &python), python[1]);
        assert_eq!(first("the cli forgets its flags", &python), python[3]);
    }

    #[test]
    fn a_folder_says_less_than_a_name() {
        let paths = ["printer/src/json.rs", "core/src/printer.rs", "core/src/main.rs"];
        assert_eq!(first("printer colours", &paths), paths[1]);
        assert_eq!(first("printer of json", &paths), paths[0]);
    }
}
