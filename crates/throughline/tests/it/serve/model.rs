//! The interface where a model was chosen: what is asked for now waits for it, and everything else does not.

use serde_json::json;

use super::http::Served;
use crate::fixture::{Home, on_both};
use crate::model::loopback::{Loopback, Reply, Wire};
use crate::model::summary::{STORY, long_session, telling};
use crate::model::{call, choose};

on_both![a_compaction_that_is_asked_for_is_told_by_the_model];

fn a_compaction_that_is_asked_for_is_told_by_the_model(home: &Home) {
    let (go_on, told) = std::sync::mpsc::channel::<()>();
    let told = std::sync::Mutex::new(told);
    let thinking = move |prompt: &str| {
        told.lock().unwrap().recv().unwrap();
        telling(STORY)(prompt)
    };
    let server = Loopback::serve(Wire::OpenAi, &[Reply::Thought, Reply::Page], thinking);
    choose(home, &server);
    long_session(home, "s", 20);
    let served = Served::run(call(home, &["serve", "--listen", "127.0.0.1:0", "--json"]));
    let answer = std::thread::scope(|scope| {
        let asking = scope.spawn(|| served.ask("POST /api/sessions/s/compact", Some(&json!({}))));
        while server.asked().is_empty() {
            std::thread::yield_now();
        }
        // Nobody else waits for the model, not even who writes.
        let event = json!({ "session": "other", "kind": "user_message", "content": "meanwhile" });
        assert!(served.ask("POST /api/events", Some(&event)).status < 300);
        go_on.send(()).unwrap();
        asking.join().unwrap()
    });
    let done = answer.message();
    assert_eq!((&done["compacted"], &done["written_by"]), (&json!(true), &json!("model")), "{done:#}");
    long_session(home, "s", 8);
    let done = served.ask("POST /api/sessions/s/compact", Some(&json!({}))).message();
    assert_eq!(done["written_by"], "built_in", "{done:#}");
    assert!(done["without"].as_str().unwrap().contains("instead of JSON"), "{done:#}");
    home.check();
}
