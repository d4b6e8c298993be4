//! Objects made of the words that clients use, in every arrangement: they are understood or let be, never a panic, and
//! what is understood can be recorded.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::{Map, Value as Json};
use throughline_engine::Engine;
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::settings::Settings;
use throughline_engine::store::time::Timestamp;
use throughline_engine::store::{Location, Options, Store};

use super::{Client, Heard};

const FIXTURES: [&str; 10] = [
    include_str!("../../tests/fixtures/hooks/claude-code.jsonl"),
    include_str!("../../tests/fixtures/hooks/codex.jsonl"),
    include_str!("../../tests/fixtures/hooks/gemini-cli.jsonl"),
    include_str!("../../tests/fixtures/hooks/opencode.jsonl"),
    include_str!("../../tests/fixtures/hooks/cursor.jsonl"),
    include_str!("../../tests/fixtures/hooks/vscode.jsonl"),
    include_str!("../../tests/fixtures/hooks/copilot-cli.jsonl"),
    include_str!("../../tests/fixtures/hooks/windsurf.jsonl"),
    include_str!("../../tests/fixtures/hooks/cline.jsonl"),
    include_str!("../../tests/fixtures/hooks/goose.jsonl"),
];
const NOW: Timestamp = Timestamp(1_794_704_184_000_000);

/// The keys and the texts of all events.
static WORDS: LazyLock<(Vec<String>, Vec<String>)> = LazyLock::new(|| {
    let (mut keys, mut texts) = (Vec::new(), Vec::new());
    let lines = FIXTURES.iter().flat_map(|text| text.lines());
    let mut waiting: Vec<Json> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    while let Some(json) = waiting.pop() {
        match json {
            Json::Object(fields) => fields.into_iter().for_each(|(key, value)| {
                keys.push(key);
                waiting.push(value);
            }),
            Json::Array(items) => waiting.extend(items),
            Json::String(text) => texts.push(text),
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }
    let odd = ["", "\0\n", "git commit -m \"é", "Exit code: 7\n", "*** Add File: \n", "<hook_context>"];
    texts.extend(odd.map(str::to_owned));
    texts.push("<throughline-context".to_owned());
    texts.push("é".repeat(40_000));
    (keys, texts)
});

fn value() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        6 => prop::sample::select(WORDS.1.as_slice()).prop_map(Json::from),
        1 => any::<i64>().prop_map(Json::from),
        1 => any::<bool>().prop_map(Json::from),
        1 => Just(Json::Null),
        1 => ".{0,40}".prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let key = prop::sample::select(WORDS.0.as_slice());
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::vec((key, inner), 0..10)
                .prop_map(|fields| Json::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// An event of a client with some of its values replaced and some added.
fn event() -> impl Strategy<Value = (Client, Json)> {
    let lines: Vec<(Client, Json)> = Client::ALL
        .into_iter()
        .zip(FIXTURES)
        .flat_map(|(client, text)| text.lines().map(move |line| (client, line)))
        .map(|(client, line)| (client, serde_json::from_str::<Json>(line).unwrap()["payload"].clone()))
        .collect();
    let key = prop::sample::select(WORDS.0.as_slice());
    let added = prop::collection::vec((key, value()), 0..6);
    (prop::sample::select(lines), added).prop_map(|((client, mut json), added)| {
        if let Some(fields) = json.as_object_mut() {
            fields.extend(added);
        }
        (client, json)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn whatever_is_heard_can_be_recorded((client, json) in event(), other in value(), name in 0..WORDS.1.len()) {
        for client in [client, Client::ALL[name % 10]] {
            for (event, json) in [(None, &json), (Some(WORDS.1[name].as_str()), &json), (None, &other)] {
                let heard = client.hear(event, json, NOW);
                let heard = heard.ok().flatten();
                recordable(heard.as_ref());
                answered(client, heard.as_ref());
            }
        }
    }
}

fn recordable(heard: Option<&Heard>) {
    static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
        let store = Store::open(Location::Memory, Options::default()).unwrap();
        Engine::new(store, Clock::system(), Ids::system(), Settings::default())
    });
    for observation in heard.into_iter().flat_map(|heard| &heard.observations) {
        if let Err(why) = ENGINE.check_observation(observation) {
            // A session that nobody could name is the one thing that cannot be made to fit.
            let why = why.to_string();
            assert!(why.contains("session"), "{why}: {observation:?}");
        }
    }
}

fn answered(client: Client, heard: Option<&Heard>) {
    for context in [None, Some("context \"é\n")] {
        let answer = client.answer(heard, context);
        let is_silent = heard.map_or(client, |heard| heard.client) == Client::Windsurf;
        assert!(if is_silent { answer.is_empty() } else { serde_json::from_str::<Json>(&answer).is_ok() });
    }
}
