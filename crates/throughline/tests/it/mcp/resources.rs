//! Records as resources: listed in short, read in full, completed by the beginning of their ids.

use serde_json::{Value as Json, json};

use super::Client;
use crate::fixture::{Home, on_both};

on_both!(
    records_are_read_by_their_uri,
    what_is_not_there_is_said_in_the_words_of_the_era,
    the_list_is_bounded_and_comes_in_pages,
    ids_are_completed,
);

fn read(client: &mut Client, uri: &str) -> Json {
    let result = client.result("resources/read", &json!({ "uri": uri }));
    let [contents] = result["contents"].as_array().unwrap().as_slice() else { panic!("{result:#}") };
    assert_eq!(contents["uri"], uri);
    assert_eq!(contents["mimeType"], "application/json");
    serde_json::from_str(contents["text"].as_str().unwrap()).unwrap()
}

fn records_are_read_by_their_uri(home: &Home) {
    let mut client = Client::of(home);
    let id = client.remember("Resources are records");
    let memory = read(&mut client, &format!("throughline://memory/{id}"));
    assert_eq!(memory["text"], "Resources are records");
    let origin = &memory["memory"]["lineage"][0];
    let event = read(&mut client, &format!("throughline://event/{}", origin["event_id"].as_str().unwrap()));
    assert_eq!(event["event"]["informs"], id.as_str());
    let session =
        read(&mut client, &format!("throughline://session/{}", origin["session_id"].as_str().unwrap()));
    assert_eq!(session["events"][0]["id"], origin["event_id"]);
}

fn what_is_not_there_is_said_in_the_words_of_the_era(home: &Home) {
    let mut stateless = Client::of(home);
    let id = stateless.remember("to be forgotten");
    let event = home.events()[0]["id"].as_str().unwrap().to_owned();
    stateless.tool("forget", &json!({ "ids": [id] }));
    let missing = [
        "throughline://memory/zzz".to_owned(),
        "throughline://session/zzz".to_owned(),
        "throughline://event/zzz".to_owned(),
        format!("throughline://memory/{id}"),
        format!("throughline://memory/{event}"),
        format!("throughline://event/{}", &event[..10]),
        "throughline://memory/".to_owned(),
        "throughline://song/1".to_owned(),
        "file:///etc/passwd".to_owned(),
        "throughline://memory/../../etc/passwd".to_owned(),
        String::new(),
    ];
    let mut session = Client::initialized(home, "2025-11-25");
    for uri in missing {
        let asked = json!({ "uri": uri });
        assert_eq!(stateless.fault("resources/read", &asked).0, -32602, "{uri}");
        assert_eq!(session.fault("resources/read", &asked).0, -32002, "{uri}");
    }
}

fn the_list_is_bounded_and_comes_in_pages(home: &Home) {
    let mut client = Client::of(home);
    let ids: Vec<String> = (0..40).map(|n| client.remember(&format!("statement number {n}"))).collect();
    client.tool("feedback", &json!({ "ids": [ids[7]], "outcome": "helpful" }));
    let first = client.result("resources/list", &json!({}));
    let uris = |page: &Json| -> Vec<String> {
        let listed = page["resources"].as_array().unwrap();
        listed.iter().map(|resource| resource["uri"].as_str().unwrap().to_owned()).collect()
    };
    let mut all = uris(&first);
    assert_eq!(all.len(), 25);
    assert!(all[0].starts_with("throughline://session/"), "{all:?}");
    assert_eq!(all[1], format!("throughline://memory/{}", ids[7]), "the most used memory comes first");
    let second = client.result("resources/list", &json!({ "cursor": first["nextCursor"] }));
    all.extend(uris(&second));
    assert_eq!(second.get("nextCursor"), None);
    assert_eq!(all.len(), 31, "one session and thirty memories");
    for uri in &all {
        read(&mut client, uri);
    }
    assert_eq!(client.fault("resources/list", &json!({ "cursor": "x" })).0, -32602);
    let past = client.result("resources/list", &json!({ "cursor": u64::MAX.to_string() }));
    assert_eq!(past["resources"], json!([]));
}

fn ids_are_completed(home: &Home) {
    let mut client = Client::of(home);
    let (first, second) = (client.remember("one"), client.remember("two"));
    let session = client.tool("session_status", &json!({}))["id"].as_str().unwrap().to_owned();
    let mut completed = |reference: Json, name: &str, value: &str| -> Vec<String> {
        let asked = json!({ "ref": reference, "argument": { "name": name, "value": value } });
        let found = client.result("completion/complete", &asked);
        found["completion"]["values"]
            .as_array()
            .unwrap()
            .iter()
            .map(|v| v.as_str().unwrap().to_owned())
            .collect()
    };
    let template =
        |kind: &str| json!({ "type": "ref/resource", "uri": format!("throughline://{kind}/{{id}}") });
    let prompt = |name: &str| json!({ "type": "ref/prompt", "name": name });
    assert_eq!(completed(template("memory"), "id", ""), [second.clone(), first.clone()]);
    assert!(completed(template("memory"), "id", &first[..19]).contains(&first));
    assert_eq!(completed(template("memory"), "id", "zzz"), [""; 0]);
    assert_eq!(completed(template("session"), "id", &session[..12]), [session.as_str()]);
    assert_eq!(completed(template("event"), "id", "").len(), 2);
    assert_eq!(completed(template("song"), "id", ""), [""; 0]);
    assert_eq!(completed(prompt("reconstruct"), "session_id", ""), [session.as_str()]);
    assert_eq!(completed(prompt("memory-recall"), "query", "x"), [""; 0]);
    assert_eq!(completed(prompt("sing"), "x", ""), [""; 0]);
}
