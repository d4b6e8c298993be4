//! Many processes that change one backlog at once: no id twice, no count wrong.

use std::collections::BTreeSet;

use super::{create, show};
use crate::fixture::{Home, on_both};
use crate::processes::at_once;

on_both!(
    twenty_processes_create_at_once,
    dependencies_made_at_once_are_never_a_cycle,
    imports_at_once_double_nothing,
);

const PROCESSES: usize = 20;
const EACH: usize = 20;

fn twenty_processes_create_at_once(home: &Home) {
    let parent = create(home, &["parent", "--type", "epic"]);
    let made = at_once(PROCESSES, |process| -> Vec<String> {
        let one = |n: usize| create(home, &[&format!("process {process} item {n}"), "--parent", &parent]);
        (0..EACH).map(one).collect()
    });
    let made: Vec<String> = made.into_iter().flatten().collect();
    let distinct: BTreeSet<&String> = made.iter().collect();
    assert_eq!((made.len(), distinct.len()), (PROCESSES * EACH, PROCESSES * EACH));
    assert_eq!(show(home, &parent)["child_count"], PROCESSES * EACH);
    assert_eq!(home.json(&["task", "list", "--parent", &parent])["total"], PROCESSES * EACH);
    let found = home.json(&["search", "process 7 item 7", "--kind", "task"]);
    assert_eq!(found["hits"][0]["title"], "process 7 item 7");
    home.check();
}

fn dependencies_made_at_once_are_never_a_cycle(home: &Home) {
    let ids: Vec<String> = (0..4).map(|n| create(home, &[&n.to_string()])).collect();
    // Each wants the next to come first: all of them together would be a ring.
    let made =
        at_once(4, |n| home.call(&["task", "update", &ids[n], "--depends-on", &ids[(n + 1) % 4]]).run().code);
    assert_eq!(made.iter().filter(|code| **code == 0).count(), 3, "{made:?}");
}

fn imports_at_once_double_nothing(home: &Home) {
    let lines: String = (0..50).map(|n| format!("{{\"id\":\"bd-{n}\",\"title\":\"bead {n}\"}}\n")).collect();
    let file = home.write("issues.jsonl", lines);
    let imported =
        at_once(6, |_| home.json(&["task", "import", file.to_str().unwrap()])["created"].as_u64().unwrap());
    assert_eq!(imported.iter().sum::<u64>(), 50, "{imported:?}");
    assert_eq!(home.json(&["task", "list"])["total"], 50);
    home.check();
}
