//! Looking at memories: in a list, by id, in full, and each project only its own.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, on_both, shows};
use crate::memory::{ids, remember};
use crate::wrong_input::unprivileged;

on_both!(
    a_memory_is_listed_by_what_it_is,
    a_memory_is_shown_with_where_it_came_from,
    a_memory_is_named_by_the_beginning_of_its_id,
    an_id_that_is_nobodys_is_named_in_the_error,
    expand_shows_memories_and_events_in_the_order_asked_for,
    expand_keeps_within_a_budget,
    expand_shows_what_there_is,
    reading_a_memory_in_full_is_a_use_of_it,
    an_expired_memory_is_found_no_more,
    memories_belong_to_their_project,
    a_project_that_is_not_known_is_said_and_not_made,
    an_empty_store_has_nothing_to_show,
    wrong_usage_of_memories_exits_with_2,
);

fn a_memory_is_listed_by_what_it_is(home: &Home) {
    let rule = remember(home, &["Review before merge", "--kind", "rule", "--tag", "team"]);
    let mine = remember(home, &["I like tabs", "--kind", "preference", "--scope", "user"]);
    let fact = remember(home, &["The API has 40 routes", "--tag", "team,api"]);
    let listed = |filter: &[&str]| ids(home, &[&["memory", "list"], filter].concat());
    assert_eq!(listed(&[]), [fact.clone(), mine.clone(), rule.clone()], "newest first");
    assert_eq!(listed(&["--kind", "rule", "--kind", "preference"]), [mine.clone(), rule.clone()]);
    assert_eq!(listed(&["--scope", "user"]), [mine]);
    assert_eq!(listed(&["--tag", "team"]), [fact.clone(), rule]);
    assert_eq!(listed(&["--tag", "tea"]), [""; 0]);
    assert_eq!(listed(&["-n", "1"]), [fact]);
    let text = home.ok(&["memory", "list", "-n", "1"]);
    assert!(text.ends_with("1 of 3 shown (--limit)\n"), "{text}");
    assert_eq!(home.ok(&["memory", "list", "--tag", "nobody"]), "no memories\n");
    assert_eq!(
        home.json(&["memory", "list", "--tag", "nobody"]),
        json!({"memories": [], "shown": 0, "total": 0})
    );
}

fn a_memory_is_shown_with_where_it_came_from(home: &Home) {
    let id = remember(home, &["The queue is\nRabbitMQ", "--tag", "infra,queue", "--kind", "decision"]);
    let text = home.ok(&["memory", "show", &id]);
    shows!(home, text, @r"
    memory      ID1
    title       The queue is RabbitMQ
    kind        decision, scope app, active
    importance  0.8, confidence 0.9
    source      explicit by user:tester
    created     TIME
    tags        infra, queue
    used        0 times
    from        event ID2 of session ID3

    The queue is
    RabbitMQ
    ");
    let shown = home.json(&["memory", "show", &id]);
    let event = shown["lineage"][0]["event_id"].as_str().unwrap();
    let notes = home.events();
    assert_eq!((notes[0]["id"].as_str(), notes[0]["informs"].as_str()), (Some(event), Some(id.as_str())));
}

fn a_memory_is_named_by_the_beginning_of_its_id(home: &Home) {
    let one = remember(home, &["Invoices are numbered by year"]);
    let two = remember(home, &["Tests need a running Docker"]);
    let same = one.bytes().zip(two.bytes()).take_while(|(a, b)| a == b).count();
    let begun = &one[..=same];
    assert_eq!(home.json(&["memory", "show", begun])["id"], one.as_str());
    assert_eq!(home.json(&["expand", begun])["entries"][0]["id"], one.as_str());
    home.ok(&["feedback", begun, "--outcome", "helpful"]);
    for command in [&["memory", "show"][..], &["forget"], &["feedback", "--outcome", "helpful"]] {
        let error = home.fails(&[command, &[&one[..same]]].concat());
        assert!(error.contains(&one) && error.contains(&two) && error.contains("write more"), "{error}");
    }
    home.ok(&["forget", begun]);
    assert_eq!(ids(home, &["memory", "list"]), [two]);
}

fn an_id_that_is_nobodys_is_named_in_the_error(home: &Home) {
    remember(home, &["somebody"]);
    shows!(home, home.fails(&["memory", "show", "nobody"]), @r#"error: there is no memory "nobody"; `throughline memory list` and `throughline search` show their ids"#);
    for name in ["", "%", "_", "0%", "'", "\u{1f600}"] {
        for command in [&["memory", "show"][..], &["forget"], &["feedback", "--outcome", "helpful"]] {
            let error = home.fails(&[command, &[name]].concat());
            assert!(error.contains("there is no memory"), "{error}");
        }
        assert_eq!(home.call(&["expand", name]).run().code, 1);
    }
    let ran = home.call(&["memory", "show", "nobody", "--json"]).run();
    let answer: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &answer["error"]["kind"]), (1, &json!("not_found")));
}

fn expand_shows_memories_and_events_in_the_order_asked_for(home: &Home) {
    let memory = remember(home, &["The gate is\ngreen", "--title", "Gate"]);
    let event =
        home.json(&["log", "append", "--kind", "user_message", "--session", "s", "--content", "is it?"]);
    let event = event["id"].as_str().unwrap();
    shows!(home, home.ok(&["expand", event, &memory]), @r"
    ID1 user_message by user:tester, session ID2
    is it?

    ID3 Gate (explicit fact, confidence 0.9)
    The gate is
    green
    ");
    let answer = home.json(&["expand", &memory, event]);
    let entry = |n: usize| (&answer["entries"][n]["kind"], &answer["entries"][n]["text"]);
    assert_eq!(entry(0), (&json!("memory"), &json!("The gate is\ngreen")));
    assert_eq!(entry(1), (&json!("event"), &json!("is it?")));
    assert_eq!(answer["entries"][0]["memory"]["lineage"].as_array().unwrap().len(), 1);
}

fn expand_keeps_within_a_budget(home: &Home) {
    let long = remember(home, &[&"many words in here ".repeat(200)]);
    let short = remember(home, &["few words"]);
    let answer = home.json(&["expand", &long, &short, "--max-tokens", "50"]);
    assert!(answer["tokens"].as_u64().unwrap() <= 50, "{answer:#}");
    assert!(answer["entries"][0]["tokens_cut"].as_u64().unwrap() > 500, "{answer:#}");
    assert_eq!(answer["left_out"], json!([short]));
    let text = home.ok(&["expand", &long, &short, "--max-tokens", "50"]);
    assert!(text.contains("tokens more (--max-tokens)") && text.contains("left out"), "{text}");
    let answer = home.json(&["expand", &short, &long, "--max-tokens", "50"]);
    assert_eq!(answer["entries"].as_array().unwrap().len(), 2);
    let answer = home.json(&["expand", &long, &short]);
    assert_eq!((&answer["left_out"], answer["entries"][0].get("tokens_cut")), (&Json::Null, None));
}

fn expand_shows_what_there_is(home: &Home) {
    let id = remember(home, &["present"]);
    let answer = home.json(&["expand", "nobody", &id]);
    assert_eq!(answer["entries"][0]["text"], "present");
    assert_eq!(answer["missing"][0]["id"], "nobody");
    let ran = home.call(&["expand", "nobody"]).run();
    assert_eq!(ran.code, 1);
    shows!(home, ran.stdout, @r#"nobody: nothing has the id "nobody"; `throughline search` shows ids"#);
}

fn reading_a_memory_in_full_is_a_use_of_it(home: &Home) {
    let id = remember(home, &["read me"]);
    home.ok(&["expand", &id]);
    home.ok(&["expand", &id]);
    home.ok(&["memory", "show", &id]);
    home.ok(&["search", "read me"]);
    assert_eq!(home.json(&["memory", "show", &id])["use_count"], 2);
}

fn an_expired_memory_is_found_no_more(home: &Home) {
    let id = remember(home, &["The numbat freeze holds", "--expires", "1s", "--state-key", "freeze"]);
    while home.json(&["memory", "show", &id])["status"] != "expired" {}
    assert_eq!(home.json(&["search", "numbat freeze"])["total"], 0);
    assert_eq!(home.json(&["memory", "list"])["total"], 0);
    assert_eq!(home.call(&["expand", &id]).run().code, 1);
    assert_eq!(home.json(&["memory", "show", &id])["status"], "expired");
    assert_eq!(home.json(&["memory", "list", "--all"])["memories"][0]["status"], "expired");
    let again = home.json(&["remember", "The numbat freeze holds", "--state-key", "freeze"]);
    assert_ne!(again["action"], "corroborated");
    assert_eq!(ids(home, &["search", "numbat freeze"]).len(), 1);
}

fn memories_belong_to_their_project(home: &Home) {
    let here = remember(home, &["The okapi service is ours"]);
    let other = home.work("other");
    let theirs = home.call(&["remember", "The okapi service is theirs"]).within(&other).json();
    assert_eq!(theirs["action"], "created");
    assert_eq!(ids(home, &["search", "okapi service"]), [here.as_str()]);
    for command in [&["memory", "show"][..], &["forget"], &["feedback", "--outcome", "helpful"], &["expand"]]
    {
        let ran = home.call(&[command, &[&here]].concat()).within(&other).run();
        assert_eq!(ran.code, 1, "{command:?}: {ran:?}");
        assert!(!ran.stdout.contains("ours"), "{ran:?}");
    }
    let refused = home.call(&["remember", "x", "--supersedes", &here]).within(&other).run();
    assert_eq!(refused.code, 1);
    assert_eq!(home.json(&["memory", "show", &here])["status"], "active");
}

fn a_project_that_is_not_known_is_said_and_not_made(home: &Home) {
    let id = remember(home, &["known"]);
    for command in [&["search", "known"][..], &["memory", "search", "known"], &["memory", "list"]] {
        let ran = home.call(&[command, &["--project", "nowhere"]].concat()).run();
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.stderr.starts_with("warning: ") && ran.stderr.contains("nowhere"), "{ran:?}");
        assert!(!ran.stdout.contains("known"), "{ran:?}");
    }
    for command in [&["memory", "show"][..], &["forget"], &["feedback", "--outcome", "helpful"], &["expand"]]
    {
        let ran = home.call(&[command, &[&id, "--project", "nowhere"]].concat()).run();
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.stderr.contains("nowhere"), "{ran:?}");
    }
    assert_eq!(home.json(&["project", "list"])["projects"].as_array().unwrap().len(), 1);
    home.check();
}

fn an_empty_store_has_nothing_to_show(home: &Home) {
    assert_eq!(home.ok(&["search", "anything"]), "nothing relevant\n");
    assert_eq!(
        home.json(&["search", "anything"]),
        json!({"hits": [], "shown": 0, "total": 0, "unindexed": 0})
    );
    assert_eq!(home.ok(&["memory", "search", "anything"]), "nothing relevant\n");
    assert_eq!(home.ok(&["memory", "list"]), "no memories\n");
    home.fails(&["forget", "0"]);
    home.fails(&["feedback", "0", "--outcome", "helpful"]);
    assert_eq!(home.json(&["project", "list"])["projects"], json!([]), "looking makes no project");
}

#[test]
fn memories_never_send_control_characters_to_a_terminal() {
    let home = Home::sqlite();
    let text = "\u{1b}[2Jgone\u{9b}31m the bell\u{7} rings";
    let id = remember(&home, &[text, "--title", "a\u{1b}]0;title\u{7}"]);
    home.ok(&["log", "append", "--kind", "user_message", "--content", text]);
    let event = home.events().pop().unwrap()["id"].as_str().unwrap().to_owned();
    for command in [
        &["search", "bell rings"][..],
        &["search", "bell rings", "--full"],
        &["memory", "search", "bell rings"],
        &["memory", "list"],
        &["memory", "show", &id],
        &["expand", &id, &event],
        &["feedback", &id, "--outcome", "helpful"],
        &["forget", &id],
    ] {
        let shown = home.ok(command);
        let is_bad = |c: &char| c.is_control() && *c != '\n';
        assert_eq!(shown.chars().filter(is_bad).collect::<Vec<_>>(), [], "{command:?}: {shown:?}");
    }
}

fn wrong_usage_of_memories_exits_with_2(home: &Home) {
    let wrong: [&[&str]; 15] = [
        &["remember"],
        &["remember", "x", "--kind", "thought"],
        &["remember", "x", "--scope", "team"],
        &["remember", "x", "--source", "rumour"],
        &["remember", "x", "--client", "editor"],
        &["forget"],
        &["feedback", "0"],
        &["feedback", "0", "--outcome", "fine"],
        &["memory"],
        &["memory", "list", "--limit", "-1"],
        &["memory", "show"],
        &["memory", "search"],
        &["search"],
        &["search", "x", "--kind", "thought"],
        &["expand"],
    ];
    for command in wrong {
        home.call(command).run().refuses();
    }
    shows!(home, home.call(&["feedback", "0", "--outcome", "fine"]).run().refuses(), @r"
    error: invalid value 'fine' for '--outcome <OUTCOME>'
      [possible values: helpful, not_helpful, misleading, outdated]

    For more information, try '--help'.
    ");
    let ran = home.call(&["remember", "--json"]).run();
    let answer: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &answer["error"]["kind"]), (2, &json!("usage")));
}

#[test]
fn a_tag_is_compared_alike_everywhere() {
    let home = Home::sqlite();
    remember(&home, &["The spelling of tags matters", "--tag", "Spelling"]);
    for tag in ["Spelling", "spelling", "SPELLING"] {
        let listed = ids(&home, &["memory", "list", "--tag", tag]);
        assert_eq!(listed, ids(&home, &["search", "spelling of tags", "--tag", tag]), "{tag}");
    }
}

#[test]
fn an_import_says_that_memories_do_not_come_along() {
    let home = Home::sqlite();
    remember(&home, &["The ibis service is stateless"]);
    let file = home.path().join("log.jsonl");
    home.ok(&["log", "export", "--output", file.to_str().unwrap()]);
    let other = home.fresh();
    let ran = other.call(&["log", "import", file.to_str().unwrap()]).run();
    assert!(ran.stderr.contains("1 of the events are about memories"), "{ran:?}");
}

#[test]
fn what_can_only_be_read_can_be_expanded() {
    let home = Home::sqlite();
    let id = remember(&home, &["The dunnart is nocturnal"]);
    home.ok(&["log", "append", "--session", "s", "--kind", "user_message", "--content", "a dunnart at last"]);
    // A purge moves everything from the write-ahead log into the file.
    home.ok(&["log", "purge", "--after", "100", "--reason", "checkpoint"]);
    for entry in fs::read_dir(home.data()).unwrap() {
        fs::set_permissions(entry.unwrap().path(), fs::Permissions::from_mode(0o444)).unwrap();
    }
    for command in [&["memory", "show", &id][..], &["search", "dunnart"], &["expand", &id]] {
        let ran = unprivileged(&home, command).run();
        assert!(ran.code == 0 && ran.stdout.contains("dunnart"), "{command:?}: {ran:?}");
    }
}
