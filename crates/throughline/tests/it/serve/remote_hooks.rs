//! Hooks of another machine that send to this server: recorded once, also when the server was away.

use serde_json::{Value as Json, json};

use super::http::Served;
use crate::fixture::{Call, Home, on_both, texts};
use crate::hook::be_patient;

on_both!(what_is_sent_is_recorded, what_waits_for_a_server_is_recorded_once, who_has_a_token_is_who_says_it);

fn prompt(home: &Home, n: usize) -> Json {
    json!({
        "session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": format!("say {n}"), "cwd": home.work("shop"),
    })
}

/// On a machine of its own, without a database.
fn hook(machine: &Home, server: &str, n: usize) -> Call {
    let call = machine.call(&["hook", "claude-code"]).env("THROUGHLINE_SERVER", server);
    call.without("THROUGHLINE_DATABASE_URL").input(prompt(machine, n).to_string())
}

fn url(served: &Served) -> String {
    format!("http://{}", served.address)
}

fn said(home: &Home) -> Vec<String> {
    let events = home.events_with(&["--kind", "user_message", "--project", "shop"]);
    texts(&events, "content").into_iter().map(str::to_owned).collect()
}

fn what_is_sent_is_recorded(home: &Home) {
    let machine = Home::sqlite();
    be_patient(&machine);
    let served = Served::start(home, &[]);
    for n in 0..3 {
        hook(&machine, &url(&served), n).ok();
    }
    assert_eq!(said(home), ["say 0", "say 1", "say 2"]);
    assert!(!machine.data().join("throughline.db").exists(), "nothing is kept where it was heard");
    let event = &home.events_with(&["--kind", "user_message", "--project", "shop"])[0];
    assert_eq!(event["actor"], "user:tester");
}

fn what_waits_for_a_server_is_recorded_once(home: &Home) {
    let machine = Home::sqlite();
    be_patient(&machine);
    let away = "http://127.0.0.1:1";
    for n in 0..5 {
        assert_eq!(hook(&machine, away, n).run().code, 0);
    }
    let doctor = machine.ok(&["doctor", "--no-ask"]);
    assert!(doctor.contains("5 events wait"), "{doctor}");
    let served = Served::start(home, &[]);
    let together: Vec<_> = (5..8).map(|n| (n, hook(&machine, &url(&served), n))).collect();
    std::thread::scope(|scope| {
        let runs: Vec<_> = together.into_iter().map(|(_, call)| scope.spawn(|| call.run().code)).collect();
        runs.into_iter().for_each(|run| assert_eq!(run.join().unwrap(), 0));
    });
    let mut recorded = said(home);
    recorded.sort();
    assert_eq!(recorded, (0..8).map(|n| format!("say {n}")).collect::<Vec<_>>(), "each once");
    home.check();
}

fn who_has_a_token_is_who_says_it(home: &Home) {
    let machine = Home::sqlite();
    be_patient(&machine);
    home.ok(&["log", "append", "--kind", "read", "--content", "the project is there"]);
    let made = home.json(&["token", "create", "hooks", "--actor", "user:ada"]);
    let secret = made["token"].as_str().or(made["secret"].as_str()).unwrap().to_owned();
    home.write("data/config.toml", "[server]\nrequire_token = true\n");
    let served = Served::start(home, &[]);
    let ran = hook(&machine, &url(&served), 0).run();
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains("401"), "{}", ran.stderr);
    hook(&machine, &url(&served), 1).env("THROUGHLINE_TOKEN", secret).ok();
    assert_eq!(said(home), ["say 0", "say 1"], "what was refused for want of a token waited");
    let events = home.events_with(&["--kind", "user_message", "--project", "shop"]);
    assert!(events.iter().all(|event| event["actor"] == "user:ada"), "{events:#?}");
}
