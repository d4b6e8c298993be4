//! What a question asks for by its sort: "which package manager do we use?" is answered by what names pnpm, which has none of
//! the question's words.

use std::sync::LazyLock;

use crate::index::terms::{Sort, TermId, stem_id, terms};
use crate::remember::alternatives;

/// How people ask for what is one of some alternatives, and which those are.
const SORTS: &[(&[&str], &[&str])] = &[
    (&["package manager"], &["package manager", "python packages"]),
    (&["dependencies", "dependency manager"], &["package manager", "python packages"]),
    (
        &["orm", "database library", "query builder"],
        &["rust database library", "javascript database library"],
    ),
    (
        &["test runner", "test framework", "testing library"],
        &["javascript tests", "python tests", "test runner of rust"],
    ),
    (&["browser tests", "end-to-end tests", "e2e tests"], &["browser tests"]),
    (&["formatter", "code style"], &["formatter"]),
    (&["indentation"], &["indentation"]),
    (&["database"], &["database"]),
    (&["message bus", "message broker", "message queue", "broker"], &["message bus"]),
    (&["cache"], &["cache server"]),
    (&["state management", "state library", "store library", "state"], &["state management"]),
    (&["ci", "continuous integration"], &["continuous integration"]),
    (&["payment provider", "payments"], &["payment provider"]),
    (&["api style", "protocol"], &["api style"]),
    (&["framework", "frontend framework"], &["frontend framework"]),
    (&["date library", "dates"], &["dates library"]),
    (&["http client"], &["http client", "python http client"]),
    (&["async runtime"], &["async runtime"]),
    (&["error tracking", "error tracker"], &["error tracking"]),
    (&["web server", "reverse proxy"], &["web server"]),
    (&["password hash", "hash passwords"], &["password hash"]),
    (&["programming language", "language"], &["programming language", "spoken language"]),
    (&["bundler", "build tool"], &["bundler"]),
    (&["cloud", "cloud provider"], &["cloud"]),
    (&["hosting", "hosted"], &["hosting", "cloud"]),
    (&["time zone", "timezone"], &["time zone"]),
    (&["validation", "validation library"], &["validation"]),
    (&["pagination"], &["pagination"]),
    (&["styling", "styles", "css"], &["styling"]),
    (&["infrastructure as code"], &["infrastructure as code"]),
    (&["editor"], &["editor"]),
    (&["day", "weekday"], &["weekday"]),
];

/// A sort of things that a question names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) name: &'static str,
    /// The things, as they are found.
    pub(crate) things: Vec<TermId>,
}

/// The names of each sort in terms: every search of memories looks for them.
static NAMES: LazyLock<Vec<Vec<Vec<TermId>>>> =
    LazyLock::new(|| SORTS.iter().map(|(names, _)| names.iter().map(|name| ids(name)).collect()).collect());

/// The sorts that a question names by all words of one of their names, each sort once.
pub(crate) fn named_in(question: &str) -> Vec<Asked> {
    let words = ids(question);
    let is_named = |name: &Vec<TermId>| words.windows(name.len()).any(|some| some == name);
    let asked = SORTS.iter().zip(NAMES.iter()).filter_map(|((names, sorts), in_terms)| {
        let at = in_terms.iter().position(is_named)?;
        Some(Asked { name: names[at], things: things(sorts) })
    });
    asked.collect()
}

fn ids(text: &str) -> Vec<TermId> {
    let mut ids = vec![];
    terms(text, |term| {
        if term.sort != Sort::Whole {
            ids.push(term.id);
        }
    });
    ids
}

/// Things of several words are left out: one of their words alone is something else.
fn things(sorts: &[&str]) -> Vec<TermId> {
    let names = sorts.iter().flat_map(|sort| alternatives::named(sort));
    let mut things: Vec<TermId> = names.filter(|name| !name.contains(' ')).map(stem_id).collect();
    things.sort_unstable();
    things.dedup();
    things
}

#[cfg(test)]
mod tests {
    use super::{SORTS, named_in};
    use crate::index::terms::stem_id;
    use crate::remember::alternatives;

    #[test]
    fn a_question_names_what_it_asks_for() {
        for (question, name, thing) in [
            ("Which package manager do we use?", "package manager", "pnpm"),
            ("what ORM is it", "orm", "drizzle"),
            ("Which time zone are timestamps in?", "time zone", "utc"),
        ] {
            let asked = named_in(question);
            assert_eq!(asked.len(), 1, "{question}");
            assert_eq!(asked[0].name, name);
            assert!(asked[0].things.contains(&stem_id(thing)), "{question}");
        }
        assert_eq!(named_in("who manages the packages?"), []);
    }

    #[test]
    fn every_sort_has_things() {
        for (_, sorts) in SORTS {
            for sort in *sorts {
                assert!(alternatives::named(sort).next().is_some(), "{sort}");
            }
        }
    }
}
