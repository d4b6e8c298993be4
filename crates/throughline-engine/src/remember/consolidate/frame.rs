//! Statements of a known build: who answers for something, and with which command something is done. Two of the same build
//! are compared part by part, whatever the words around them.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use super::{Related, Relation, related};

type Set = BTreeSet<String>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Frame {
    /// "Marta owns billing", "the owner of billing is Marta"
    Role { role: Role, who: Set, what: Set },
    /// "we deploy with kubectl apply", "make check runs the tests"
    Command { with: Vec<String>, does: Set, named: Named },
}

/// Whether the command is named as the means, or said to do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Means,
    Subject,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Owner,
    Lead,
}

/// What the frames of two statements say about each other; nothing where they are of different builds.
pub(super) fn compared(known: &Frame, new: &Frame) -> Option<Related> {
    match (known, new) {
        (Frame::Role { role, who, what }, Frame::Role { role: other, who: whom, what: of })
            if role == other =>
        {
            let says_more = (of.is_superset(what) && of != what) || (whom.is_superset(who) && whom != who);
            Some(match (meet(what, of), meet(who, whom)) {
                (true, true) if says_more => related(Relation::Refines, 0.8, "says the same and more"),
                (true, true) => related(Relation::Same, 0.9, "the same one answers for the same"),
                (true, false) => related(Relation::Opposite, 0.85, "another one answers for it"),
                (false, _) => related(Relation::Unrelated, 0.8, "somebody answers for something else"),
            })
        }
        (Frame::Command { with, does, named }, Frame::Command { with: other, does: also, named: how }) => {
            let same_means = *named == Named::Means && *how == Named::Means;
            // Much may run in one place.
            commands((with, does), (other, also))
                .filter(|related| same_means || related.relation != Relation::Opposite)
        }
        (Frame::Role { .. } | Frame::Command { .. }, _) => None,
    }
}

fn commands((with, does): (&[String], &Set), (other, also): (&[String], &Set)) -> Option<Related> {
    if with == other {
        return match () {
            () if does.is_disjoint(also) => None,
            () if also.is_superset(does) && also != does => {
                Some(related(Relation::Refines, 0.8, "the same command, said more exactly"))
            }
            () => Some(related(Relation::Same, 0.9, "the same command for the same")),
        };
    }
    if act(does).zip(act(also)).is_some_and(|(one, other)| one != other) {
        return Some(related(Relation::Unrelated, 0.9, "commands for different things"));
    }
    if does.is_empty() || does != also {
        return None;
    }
    let longer = other.len() > with.len() && other.starts_with(with);
    Some(match longer {
        true => related(Relation::Refines, 0.8, "the same command, said more exactly"),
        false => related(Relation::Opposite, 0.8, "another command for the same"),
    })
}

/// What nobody takes for another of these.
fn act(does: &Set) -> Option<&'static str> {
    ["deploy", "build", "test", "lint", "format", "migrat", "seed", "publish"]
        .into_iter()
        .find(|act| does.contains(*act))
}

/// One names all that the other names.
fn meet(one: &Set, other: &Set) -> bool {
    one.is_subset(other) || other.is_subset(one)
}

/// The words of a statement that state something, in order.
pub(super) struct Stated<'a> {
    pub(super) words: &'a [String],
    /// After which a clause ends.
    pub(super) ends: &'a [bool],
    pub(super) stems: Vec<Option<&'a str>>,
}

impl Stated<'_> {
    fn stems_of(&self, places: Range<usize>) -> Set {
        self.stems[places].iter().flatten().map(|stem| (*stem).to_owned()).collect()
    }
}

pub(super) fn of(stated: &Stated<'_>) -> Option<Frame> {
    role(stated).or_else(|| command(stated))
}

const IS: [&str; 3] = ["is", "are", "was"];
const OF: [&str; 2] = ["of", "for"];

fn role(stated: &Stated<'_>) -> Option<Frame> {
    let words = stated.words;
    let all = words.len();
    let (at, role) = words.iter().enumerate().find_map(|(at, word)| Some((at, role_of(word)?)))?;
    let next = words.get(at + 1).map_or("", String::as_str);
    let is = |word: &String| IS.contains(&word.as_str());
    let is_before = words[..at].iter().position(is);
    let is_after = words[at + 1..].iter().position(is).map(|more| at + 1 + more);
    let (who, what) = match (words[at].as_str(), next) {
        ("owns" | "maintains" | "leads" | "heads", _) => (0..at, at + 1..all),
        ("owned" | "maintained" | "led" | "headed", "by") => (at + 2..all, 0..at),
        ("belongs" | "belong", "to") => (at + 2..all, 0..at),
        ("owner" | "maintainer" | "lead" | "responsible" | "charge", _) if OF.contains(&next) => {
            match (is_before, is_after) {
                (Some(is), _) => (0..is, at + 2..all),
                (None, Some(is)) => (is + 1..all, at + 2..is),
                (None, None) => return None,
            }
        }
        ("owner" | "maintainer" | "lead", _) if IS.contains(&next) => (at + 2..all, 0..at),
        ("owner" | "maintainer" | "lead", "") => (0..is_before?, is_before? + 1..at),
        _ => return None,
    };
    let told = |places: Range<usize>| -> Set {
        let mut told = stated.stems_of(places.start..places.end.max(places.start));
        told.retain(|stem| {
            !["servic", "team", "tech", "compon", "part", "charg", "current"].contains(&stem.as_str())
        });
        told
    };
    let (who, what) = (told(who), told(what));
    let counts = |set: &Set| set.iter().any(|stem| stem.starts_with(|c: char| c.is_ascii_digit()));
    let is_whole = !who.is_empty() && !what.is_empty() && who.len() <= 3 && !counts(&who) && !counts(&what);
    is_whole.then_some(Frame::Role { role, who, what })
}

fn role_of(word: &str) -> Option<Role> {
    match word {
        "owns" | "owned" | "owner" | "maintains" | "maintained" | "maintainer" | "belongs" | "belong"
        | "responsible" | "charge" => Some(Role::Owner),
        "leads" | "led" | "lead" | "heads" | "headed" => Some(Role::Lead),
        _ => None,
    }
}

const PROGRAMS: &str = "kubectl helm argocd kustomize terraform pulumi ansible docker podman docker-compose compose make just task \
    bazel buck gradle gradlew mvn maven sbt cargo rustup go npm npx pnpm yarn bun deno node turbo nx vite vitest jest playwright \
    cypress python python3 pytest tox nox uv pip poetry pipenv alembic flask django-admin rails rake bundle mix dotnet flutter \
    composer php artisan git gh glab aws gcloud az fly flyctl vercel netlify heroku serverless sqlx diesel flyway liquibase \
    prisma knex psql mysql redis-cli systemctl ssh rsync curl ruff mypy black eslint prettier cmake ninja meson swift xcodebuild";
/// What leads to a command.
const LEADING: [&str; 14] = [
    "with",
    "via",
    "using",
    "use",
    "run",
    "running",
    "through",
    "by",
    "is",
    "calling",
    "call",
    "execute",
    "executing",
    "invoke",
];
/// What ends one: it goes on to say what it does, or what it is for.
const ENDING: &str = "to for from when before after is are runs builds applies does seeds fills starts creates executes deploys checks \
    installs updates resets drops generates formats lints migrates brings launches and in on instead not now if because then which that \
    rolls ships releases publishes compiles tests";
/// What is done with a command, whatever it is.
const WAYS: [&str; 16] = [
    "command", "suit", "appli", "execut", "call", "perform", "way", "invok", "script", "process", "work",
    "step", "everyth", "app", "whole", "thing",
];
/// Names of one action, by their stems.
const ACTIONS: [(&str, &str); 8] = [
    ("ship", "deploy"),
    ("rollout", "deploy"),
    ("roll", "deploy"),
    ("compil", "build"),
    ("built", "build"),
    ("fill", "seed"),
    ("popul", "seed"),
    ("spec", "test"),
];

fn command(stated: &Stated<'_>) -> Option<Frame> {
    let words = stated.words;
    let start = (0..words.len()).find(|at| begins(words, *at))?;
    let is_end = |at: usize| at > start && (stated.ends[at - 1] || ENDING_WORDS.contains(words[at].as_str()));
    let end = (start..words.len()).find(|at| is_end(*at)).unwrap_or(words.len());
    let with = words[start..end].to_vec();
    if with.len() < 2 && !is_script(&words[start]) {
        return None;
    }
    let mut does = stated.stems_of(0..start);
    does.append(&mut stated.stems_of(end..words.len()));
    let does = does.into_iter().filter(|stem| !WAYS.contains(&stem.as_str()));
    let named = |stem: String| {
        ACTIONS.iter().find(|(name, _)| *name == stem).map_or(stem, |(_, action)| (*action).to_owned())
    };
    let how = if start == 0 { Named::Subject } else { Named::Means };
    Some(Frame::Command { with, does: does.map(named).collect(), named: how })
}

fn begins(words: &[String], at: usize) -> bool {
    let word = words[at].as_str();
    let next = words.get(at + 1).map_or("", String::as_str);
    let leads = at == 0 || LEADING.contains(&words[at - 1].as_str());
    let is_program = || {
        PROGRAM_WORDS.contains(word)
            && !super::vocabulary::is_empty(next)
            && !next.is_empty()
            && next != "sure"
    };
    leads && (is_program() || is_script(word))
}

fn is_script(word: &str) -> bool {
    word.starts_with("./") || word.ends_with(".sh") || (word.contains('/') && word.ends_with(".py"))
}

static PROGRAM_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| PROGRAMS.split_ascii_whitespace().collect());
static ENDING_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| ENDING.split_ascii_whitespace().collect());
