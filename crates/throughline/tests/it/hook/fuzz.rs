//! Events with chance mixed in: no panic, exit 0, an answer in the client's format, a sound log. `crate::fuzz` is the harness.

use serde_json::Value as Json;

use super::{CLIENTS, failures, patient, payloads, valid};
use crate::fuzz::{json, rounds, unbroken};

const ROUNDS: usize = 200;

#[test]
fn events_with_chance_mixed_in_are_answered() {
    let home = patient();
    let all: Vec<(&str, Json)> = CLIENTS
        .into_iter()
        .flat_map(|client| payloads(&home, client).into_iter().map(move |payload| (client, payload.json)))
        .collect();
    rounds(ROUNDS, |chance| {
        let (client, event) = &all[chance.below(all.len())];
        let input = json(event.clone(), chance);
        let ran = home.call(&["hook", client]).input(input.clone()).run();
        unbroken(&ran, &input);
        assert_eq!(ran.code, 0, "{client}: {}", String::from_utf8_lossy(&input));
        valid(client, &ran);
    });
    home.check();
    let surprising = failures(&home).into_iter().filter(|problem| {
        let expected = [
            "the event is no JSON",
            "names no session",
            "a session needs a name",
            "looks like a secret",
            // An event that names another folder has the usual deadline, which a busy machine may miss.
            "not done after",
        ];
        !expected.iter().any(|known| problem.contains(known))
    });
    assert_eq!(surprising.collect::<Vec<_>>(), [""; 0]);
}
