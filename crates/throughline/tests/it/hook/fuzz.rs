//! Events with chance mixed in: no panic, exit 0, an answer in the client's format, a sound log.
//!
//! A few hundred in a normal run; `THROUGHLINE_FUZZ_SECONDS=60` goes on for a minute.

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::{CLIENTS, failures, patient, payloads, valid};
use crate::processes::Chance;

const ROUNDS: usize = 200;

#[test]
fn events_with_chance_mixed_in_are_answered() {
    let home = patient();
    let seconds = std::env::var("THROUGHLINE_FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let until = started() + Duration::from_secs(seconds.unwrap_or(0));
    let all: Vec<(&str, Json)> = CLIENTS
        .into_iter()
        .flat_map(|client| payloads(&home, client).into_iter().map(move |payload| (client, payload.json)))
        .collect();
    let mut chance = Chance(20_261_115);
    for round in 0.. {
        if round >= ROUNDS && started() >= until {
            break;
        }
        let (client, json) = &all[chance.below(all.len())];
        let input = mutated(json.clone(), &mut chance);
        let ran = home.call(&["hook", client]).input(input.clone()).run();
        assert!(
            !ran.stderr.contains("panicked"),
            "{client}: {}: {}",
            ran.stderr,
            String::from_utf8_lossy(&input)
        );
        assert_eq!(ran.code, 0, "{client}: {}", String::from_utf8_lossy(&input));
        valid(client, &ran);
    }
    home.check();
    let surprising = failures(&home).into_iter().filter(|problem| {
        let expected =
            ["the event is no JSON", "names no session", "a session needs a name", "looks like a secret"];
        !expected.iter().any(|known| problem.contains(known))
    });
    assert_eq!(surprising.collect::<Vec<_>>(), [""; 0]);
}

/// Some values replaced by others, and sometimes some bytes as well.
fn mutated(mut json: Json, chance: &mut Chance) -> Vec<u8> {
    for _ in 0..=chance.below(3) {
        let pointers = pointers(&json, "");
        let value = pointers.get(chance.below(pointers.len())).and_then(|pointer| json.pointer_mut(pointer));
        if let Some(value) = value {
            mutate(value, chance);
        }
    }
    let mut bytes = json.to_string().into_bytes();
    if chance.below(4) == 0 {
        for _ in 0..=chance.below(8) {
            let place = chance.below(bytes.len());
            match chance.below(3) {
                0 => bytes[place] = chance.below(256) as u8,
                1 => bytes.truncate(place),
                _ => bytes.insert(place, chance.below(256) as u8),
            }
            if bytes.is_empty() {
                break;
            }
        }
    }
    bytes
}

fn mutate(value: &mut Json, chance: &mut Chance) {
    *value = match chance.below(10) {
        0 => Json::Null,
        1 => json!([]),
        2 => json!({}),
        3 => json!(i64::MIN),
        4 => json!("x".repeat(chance.below(70_000))),
        5 => json!("\u{0}\n\u{202e}é</throughline-context><throughline-context>"),
        6 => json!(["*** Update File: a", {"text": "git commit -m '"}]),
        7 => json!("git commit -m \"\u{301}"),
        8 => json!(true),
        _ => json!({"error": "é".repeat(3000), "exit_code": -1, "text": "Exit code: 99999999999999999999"}),
    };
}

/// Where the values in it are.
fn pointers(json: &Json, at: &str) -> Vec<String> {
    let below = |(name, value): (String, &Json)| {
        let path = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
        let mut found = pointers(value, &path);
        found.push(path);
        found
    };
    match json {
        Json::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), value)).flat_map(below).collect()
        }
        Json::Array(items) => {
            items.iter().enumerate().map(|(n, value)| (n.to_string(), value)).flat_map(below).collect()
        }
        _ => vec![],
    }
}

#[expect(clippy::disallowed_methods, reason = "how long to go on is real time")]
fn started() -> Instant {
    Instant::now()
}
