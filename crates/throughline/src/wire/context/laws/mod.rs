//! The laws of hydration, checked from the outside: generated backlogs, every sort of request, the answer as it is sent
//! against what is true by looking at everything.
//!
//! `THROUGHLINE_LAW_CASES=10000` asks more; `THROUGHLINE_LAW_SEED=…` asks what one violation printed, alone.

mod backlog;
mod broken;
mod case;
mod chance;
mod depth;
mod examples;
mod focus;
mod model;
mod ours;
mod pipeline;
mod priority;
mod references;
mod semantic;
mod session;
mod temporal;

use std::collections::{BTreeMap, BTreeSet};

use backlog::{Backlog, Shape};
use case::Case;
use chance::Chance;
use model::Model;

type Verdict = anyhow::Result<()>;
/// Which of the laws, what it says, and how it is seen.
type Law = (&'static [u8], &'static str, fn(&Case<'_>) -> Verdict);

const ALL: [&[Law]; 8] = [
    pipeline::LAWS,
    semantic::LAWS,
    temporal::LAWS,
    focus::LAWS,
    depth::LAWS,
    session::LAWS,
    references::LAWS,
    ours::LAWS,
];

/// Small ones first, so that the first violation is on the smallest backlog that has it.
const SIZES: [usize; 10] = [1, 2, 4, 8, 16, 25, 40, 60, 100, 200];

#[test]
fn laws_hold_on_chains() {
    hold(Shape::Chain, 1_000);
}

#[test]
fn laws_hold_below_wide_parents() {
    hold(Shape::Wide, 2_000);
}

#[test]
fn laws_hold_in_trees() {
    hold(Shape::Tree, 3_000);
}

#[test]
fn laws_hold_in_webs_of_references() {
    hold(Shape::Web, 4_000);
}

#[test]
fn every_law_has_a_check() {
    let mut checked: BTreeSet<u8> = ALL.concat().iter().flat_map(|(numbers, ..)| numbers.to_vec()).collect();
    // A request that finds nothing has no answer to check.
    checked.insert(23);
    assert_eq!(checked.into_iter().collect::<Vec<u8>>(), (1..=64).collect::<Vec<u8>>());
}

/// A violation, by the law; the first, and how many more.
type Violations = BTreeMap<String, (String, usize)>;

fn hold(shape: Shape, first_seed: u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<usize>().ok());
    let cases = number("THROUGHLINE_LAW_CASES").unwrap_or(1_000) / 4;
    let requests = if cases > 250 { 100 } else { 25 };
    let mut violations = Violations::new();
    for (round, size) in SIZES.iter().cycle().enumerate().take(cases.div_ceil(requests)) {
        let seed = first_seed + round as u64;
        if number("THROUGHLINE_LAW_SEED").is_some_and(|only| only as u64 != seed) {
            continue;
        }
        // Longer runs come to larger backlogs.
        let size = (size * (1 + round / SIZES.len() * 9)).min(2_000);
        on_one_backlog(&Backlog::generate(seed, shape, size), requests, &mut violations);
    }
    let told: Vec<String> =
        violations.iter().map(|(law, (what, times))| format!("{law} ({times} times)\n    {what}")).collect();
    assert!(told.is_empty(), "{} laws are broken\n\n{}\n", told.len(), told.join("\n"));
}

fn on_one_backlog(backlog: &Backlog, requests: usize, violations: &mut Violations) {
    let model = Model::of(backlog);
    let mut chance = Chance::new(backlog.seed ^ 0xFFFF);
    for _ in 0..requests {
        let (request, format) = case::request(&mut chance, backlog);
        let mut note = |law: String, what: String| {
            let what = format!(
                "{what}\n    seed {}, {} items, {format:?}, {request:?}",
                backlog.seed,
                model.items.len()
            );
            violations.entry(law).or_insert((what, 0)).1 += 1;
        };
        match case::ask((backlog, &model), (request.clone(), format)) {
            Ok(case) => {
                for (numbers, words, check) in ALL.concat() {
                    if let Err(error) = check(&case) {
                        note(format!("law {numbers:?}: {words}"), error.to_string());
                    }
                }
            }
            Err(error) => {
                if let Err(wrong) = focus::no_match((backlog, &model), &request, &error) {
                    note(focus::NO_MATCH.to_owned(), wrong.to_string());
                }
            }
        }
    }
}
