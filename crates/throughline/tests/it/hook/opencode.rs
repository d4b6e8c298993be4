//! The plugin that OpenCode loads, run by a real JavaScript engine against the real program.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use super::{patient, payloads, recorded};
use crate::fixture::{Home, command};

/// Plays the events of a session to the plugin as OpenCode does, and prints what came of them.
const PLAYER: &str = r#"
import { Throughline } from "./plugin.mjs";
import { readFileSync } from "node:fs";
const { events, directory } = JSON.parse(readFileSync("./events.json", "utf8"));
const hooks = await Throughline({ directory });
const sessionID = events["chat.message"].input.sessionID;
const { input, output } = events["chat.message"];
const parts = output.parts.length;
await hooks.event({ event: events["event.session.created"].input });
const first = { system: ["base"] };
await hooks["experimental.chat.system.transform"]({ sessionID }, first);
const second = { system: ["base"] };
await hooks["experimental.chat.system.transform"]({ sessionID }, second);
await hooks["chat.message"](input, output);
const after = events["tool.execute.after"];
await hooks["tool.execute.after"](after.input, after.output);
const message = { id: "msg_answer", role: "assistant", sessionID };
await hooks.event({ event: { type: "message.updated", properties: { sessionID, info: message } } });
for (const text of ["All", "All done."]) {
  const part = { type: "text", text, messageID: "msg_answer", sessionID, id: "prt_1" };
  await hooks.event({ event: { type: "message.part.updated", properties: { sessionID, part } } });
}
await hooks.event({ event: events["event.session.idle"].input });
await hooks["experimental.session.compacting"]({ sessionID }, { context: [] });
await hooks.event({ event: { type: "session.deleted", properties: { info: { id: sessionID }, sessionID } } });
await hooks.event({ event: { type: "unknown" } });
console.log(JSON.stringify({ first: first.system, second: second.system, added: output.parts.length - parts }));
"#;

fn play(home: &Home, program: &str) -> Result<Json, String> {
    let plugin = include_str!("../../../assets/opencode-plugin.js");
    assert!(plugin.contains("const PROGRAM = \"throughline\";"));
    home.write("play/plugin.mjs", plugin.replace("\"throughline\";", &format!("{program:?};")));
    home.write("play/player.mjs", PLAYER);
    let events: serde_json::Map<String, Json> =
        payloads(home, "opencode").into_iter().map(|payload| (payload.name, payload.json)).collect();
    let directory = home.work("shop");
    home.write(
        "play/events.json",
        serde_json::json!({ "events": events, "directory": directory }).to_string(),
    );
    let player = command("node")
        .arg("player.mjs")
        .current_dir(home.path().join("play"))
        .env("THROUGHLINE_HOME", home.data())
        .env("USER", "tester")
        .env_remove("THROUGHLINE_DATABASE_URL")
        .output();
    let output = player.map_err(|error| format!("cannot run node: {error}"))?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn the_plugin_hands_over_a_session_and_puts_the_answer_before_the_model() {
    let home = patient();
    home.ok(&["remember", "--kind", "rule", "Deploys go through the pipeline"]);
    let before = recorded(&home).len();
    let seen = match play(&home, env!("CARGO_BIN_EXE_throughline")) {
        Ok(seen) => seen,
        Err(reason) => return println!("skipped: {reason}"),
    };
    assert_eq!(
        recorded(&home)[before..],
        [
            "system_event | session start | session starts (startup)",
            "user_message | - | \"MAIN_PROMPT demo\"",
            "write | a.txt | wrote a.txt (1 lines)",
            "model_message | - | All done.",
            "system_event | compaction | the context is about to be compacted (other)",
            "system_event | session end | session ends (deleted)",
        ]
    );
    assert_eq!(seen["first"], seen["second"], "the model's cache stays valid");
    assert!(seen["first"][1].as_str().unwrap().contains("Deploys go through the pipeline"), "{seen}");
}

#[test]
fn the_plugin_lets_the_agent_work_without_the_program() {
    let home = patient();
    let seen = match play(&home, "/nowhere/throughline") {
        Ok(seen) => seen,
        Err(reason) => return println!("skipped: {reason}"),
    };
    assert_eq!(seen["first"], serde_json::json!(["base"]));
    assert!(!Path::new(&home.data().join("throughline.db")).exists());
    assert!(fs::read_dir(home.data()).unwrap().count() == 1, "the settings alone");
}
