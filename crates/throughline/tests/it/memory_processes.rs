//! Many processes that remember at once, and processes that are killed meanwhile: what was acknowledged is found.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _};

use serde_json::Value as Json;

use crate::fixture::{Home, on_both};
use crate::memory::{id, ids, remember};
use crate::processes::{Chance, at_once, kill_after};

on_both!(
    sixteen_processes_remember_at_once,
    one_state_key_set_by_many_has_one_value,
    processes_that_say_the_same_share_one_memory,
    searches_and_appends_at_once_see_everything,
    a_killed_process_loses_nothing_acknowledged,
);

const EACH: usize = 6;

fn sixteen_processes_remember_at_once(home: &Home) {
    // The database does not exist yet: its creation is part of the race.
    let remembered = at_once(16, |process| -> Vec<(String, String)> {
        let statement = |n: usize| format!("process {process} keeps statement number{process}x{n}");
        (0..EACH).map(|n| (statement(n), remember(home, &[&statement(n)]))).collect()
    });
    let remembered: Vec<(String, String)> = remembered.into_iter().flatten().collect();
    let distinct: BTreeSet<&String> = remembered.iter().map(|(_, id)| id).collect();
    assert_eq!(distinct.len(), 16 * EACH);
    let listed = home.json(&["memory", "list", "-n", "1000"]);
    assert_eq!(listed["total"], 16 * EACH);
    for (statement, id) in &remembered {
        let word = statement.split(' ').next_back().unwrap();
        assert_eq!(ids(home, &["search", word]).first(), Some(id), "{statement}");
    }
    home.check();
}

fn one_state_key_set_by_many_has_one_value(home: &Home) {
    at_once(8, |n| remember(home, &[&format!("the leader is node {n}"), "--state-key", "leader"]));
    let present = home.json(&["memory", "list", "--state-key", "leader"]);
    assert_eq!(present["total"], 1, "{present:#}");
    assert_eq!(home.json(&["memory", "list", "--state-key", "leader", "--all"])["total"], 8);
    let found = ids(home, &["search", "leader node"]);
    assert_eq!(found, [id(&present["memories"][0])]);
}

fn processes_that_say_the_same_share_one_memory(home: &Home) {
    let said: BTreeSet<String> = at_once(8, |_| remember(home, &["all agree on this"])).into_iter().collect();
    assert_eq!(said.len(), 1);
    let shown = home.json(&["memory", "show", said.first().unwrap()]);
    assert_eq!(shown["lineage"].as_array().unwrap().len(), 8);
}

fn searches_and_appends_at_once_see_everything(home: &Home) {
    at_once(8, |process| {
        for n in 0..EACH {
            let word = format!("event{process}q{n}");
            let args = ["log", "append", "--kind", "user_message", "--session", "s", "--content", &word];
            let said = id(&home.json(&args));
            assert_eq!(ids(home, &["search", &word]).first(), Some(&said), "{word}");
        }
    });
    assert_eq!(home.json(&["search", "event0q0", "--explain"])["explanation"][1]["documents"], 8 * EACH);
    home.check();
}

fn a_killed_process_loses_nothing_acknowledged(home: &Home) {
    let mut chance = Chance(20_261_116);
    let mut first = home.call(&["remember", "before the kills"]).spawn();
    let moments = (1..).find(|_| first.try_wait().unwrap().is_some()).unwrap();
    let mut acknowledged = vec![];
    for round in 0..20 {
        let statement = format!("round {round} says unique{round}word");
        let mut child = home.call(&["remember", &statement, "--json"]).spawn();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut answer = String::new();
        if round % 2 == 0 {
            // At the very moment of the answer, before the process has cleaned up behind itself.
            while !answer.ends_with("}\n") {
                assert_ne!(output.read_line(&mut answer).unwrap(), 0, "{answer}");
            }
            kill_after(child, 0);
        } else {
            kill_after(child, chance.below(moments));
            output.read_to_string(&mut answer).unwrap();
        }
        if let Ok(answer) = serde_json::from_str::<Json>(&answer) {
            acknowledged.push((statement, id(&answer)));
        }
    }
    home.check();
    assert!(acknowledged.len() >= 10);
    for (statement, id) in &acknowledged {
        let word = statement.split(' ').next_back().unwrap();
        assert_eq!(ids(home, &["search", word]).first(), Some(id), "{statement}");
    }
    // What was not acknowledged is there whole or not at all, and can be said again.
    for round in 0..20 {
        let statement = format!("round {round} says unique{round}word");
        let again = remember(home, &[&statement]);
        assert_eq!(ids(home, &["search", &format!("unique{round}word")]).first(), Some(&again));
    }
    assert_eq!(home.json(&["memory", "list", "--all", "-n", "100"])["total"], 21);
    home.check();
}
