//! Search from outside: what an answer says, how it is narrowed, and that it has the newest events and no erased ones.

use std::path::PathBuf;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, on_both, shows};
use crate::memory::{id, ids, remember};

on_both!(
    an_answer_says_what_was_found_and_how_sure_it_is,
    the_whole_text_is_shown_when_asked_for,
    an_explanation_adds_up,
    kinds_narrow_a_search,
    tags_narrow_a_search,
    scopes_and_categories_narrow_a_search_for_memories,
    since_narrows_a_search,
    what_matters_more_comes_first,
    events_are_found_with_the_words_of_their_target,
    an_event_is_found_a_moment_after_another_process_appended_it,
    a_purged_event_is_found_no_more,
);

fn append(home: &Home, kind: &str, content: &str) -> String {
    id(&home.json(&["log", "append", "--session", "s", "--kind", kind, "--content", content]))
}

fn hits(home: &Home, args: &[&str]) -> Vec<Json> {
    home.json(&[&["search"], args].concat())["hits"].as_array().unwrap().clone()
}

fn an_answer_says_what_was_found_and_how_sure_it_is(home: &Home) {
    remember(home, &["The ledger is append-only", "--tag", "ledger", "--kind", "rule"]);
    append(home, "user_message", "why is the ledger append-only?");
    let text = home.ok(&["search", "ledger append-only"]);
    shows!(home, steady(&text), @r"
    ID KIND SCORE AGE WHAT
    ID1 rule 0.928 The ledger is append-only
    explicit memory by user:tester, confidence 0.9
    ID2 user_message 0.710 why is the ledger append-only?
    event 2 by user:tester
    ");
    let answer = home.json(&["search", "ledger append-only"]);
    let hit = |n: usize| answer["hits"][n].as_object().unwrap();
    let keys: Vec<&String> = hit(0).keys().collect();
    assert_eq!(
        keys,
        ["id", "kind", "title", "snippet", "score", "matching", "source", "confidence", "age", "at", "tags"]
    );
    assert_eq!((&hit(0)["kind"], &hit(0)["tags"]), (&json!("rule"), &json!(["ledger"])));
    assert_eq!((&hit(1)["kind"], hit(1).get("confidence")), (&json!("user_message"), None));
    assert!(hit(1)["session_id"].is_string() && hit(1)["source"].as_str().unwrap().starts_with("event "));
    assert_eq!((&answer["shown"], &answer["total"]), (&json!(2), &json!(2)));
    assert_eq!(answer.get("explanation"), None);
}

/// Without the ages, which depend on how fast the machine is.
fn steady(text: &str) -> String {
    let words = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let is_age =
        |word: &&str| !(word.len() <= 3 && word.ends_with('s') && word.as_bytes()[0].is_ascii_digit());
    words.map(|line| line.into_iter().filter(is_age).collect::<Vec<_>>().join(" ") + "\n").collect()
}

fn the_whole_text_is_shown_when_asked_for(home: &Home) {
    let filler = "and so on, line after line of it ".repeat(30);
    let long = format!("{filler} the numbat appears here {filler}");
    remember(home, &[&long]);
    let short = &hits(home, &["numbat"])[0];
    let snippet = short["snippet"].as_str().unwrap();
    assert!(snippet.contains("numbat") && snippet.starts_with('…') && snippet.ends_with('…'), "{snippet}");
    assert!(snippet.chars().count() <= 204, "{snippet}");
    assert_eq!(short.get("content"), None);
    assert_eq!(hits(home, &["numbat", "--full"])[0]["content"], long.trim());
    assert!(home.ok(&["search", "numbat", "--full"]).contains(long.trim()));
}

fn an_explanation_adds_up(home: &Home) {
    let id = remember(
        home,
        &["The scheduler has a quorum of three", "--importance", "0.9", "--confidence", "0.5"],
    );
    home.ok(&["expand", &id]);
    remember(home, &["Quorum is lost when two schedulers die", "--occurred-at", "540d"]);
    append(home, "user_message", "does the scheduler need a quorum?");
    let answer = home.json(&["search", "schedulr quorum", "--explain"]);
    let hits = answer["hits"].as_array().unwrap();
    assert_eq!(hits.len(), 3, "{answer:#}");
    for hit in hits {
        let part = |name: &str| hit["parts"][name].as_f64().unwrap();
        let weight = |n: usize| hit["parts"]["weights"][n].as_f64().unwrap();
        let sum =
            weight(0) * part("relevance") + weight(1) * part("recency") + weight(2) * part("importance");
        assert!((sum - hit["score"].as_f64().unwrap()).abs() < 0.002, "{hit:#}");
        assert!((0.0..=1.0).contains(&part("relevance")) && (0.0..=1.0).contains(&part("importance")));
    }
    let scores: Vec<f64> = hits.iter().map(|hit| hit["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let old = hits.iter().find(|hit| hit["title"].as_str().unwrap().starts_with("Quorum")).unwrap();
    assert_eq!(old["parts"]["recency"], 0.125, "three half-lives");
    let first = hits.iter().find(|hit| hit["id"] == id.as_str()).unwrap();
    assert_eq!((&first["parts"]["uses"], &first["parts"]["confidence"]), (&json!(1), &json!(0.5)));
    let collections = answer["explanation"].as_array().unwrap();
    let names: Vec<&Json> = collections.iter().map(|searched| &searched["collection"]).collect();
    assert_eq!(names, ["memory", "event", "item", "resource"]);
    let misspelt = &collections[0]["terms"][0];
    assert!(misspelt["taken_for"].to_string().contains("scheduler"), "{misspelt}");
    let text = home.ok(&["search", "schedulr quorum", "--explain"]);
    assert!(text.contains("× relevance") && text.contains("taken for scheduler"), "{text}");
}

fn kinds_narrow_a_search(home: &Home) {
    let fact = remember(home, &["The quokka port is 80"]);
    let decision = remember(home, &["The quokka port was chosen for its name", "--kind", "decision"]);
    let belief = remember(home, &["The quokka port is likely 82", "--kind", "belief"]);
    let said = append(home, "user_message", "open the quokka port");
    let decided = append(home, "decision", "the quokka port stays closed");
    let found = |kinds: &[&str]| {
        let flags: Vec<&str> = kinds.iter().flat_map(|kind| ["--kind", kind]).collect();
        let mut found = ids(home, &[&["search", "quokka port"], &flags[..]].concat());
        found.sort();
        found
    };
    let sorted = |wanted: &[&String]| {
        let mut wanted: Vec<String> = wanted.iter().map(|id| (*id).clone()).collect();
        wanted.sort();
        wanted
    };
    assert_eq!(found(&[]), sorted(&[&fact, &decision, &belief, &said, &decided]));
    assert_eq!(found(&["memory"]), sorted(&[&fact, &decision, &belief]));
    assert_eq!(found(&["belief"]), sorted(&[&belief]));
    assert!(found(&["decision"]).contains(&decision) && found(&["decision"]).contains(&decided));
    assert_eq!(found(&["event"]), sorted(&[&said, &decided]));
    assert_eq!(found(&["event", "belief"]), sorted(&[&said, &decided, &belief]));
    assert_eq!(found(&["memory", "event"]).len(), 5);
    shows!(home, home.call(&["search", "x", "--kind", "nonsense"]).run().refuses(), @"
    error: invalid value 'nonsense' for '--kind <KIND>'
      [possible values: memory, decision, belief, event, task, resource, code, fact, preference, rule, skill, context]

    For more information, try '--help'.
    ");
}

fn tags_narrow_a_search(home: &Home) {
    let both = remember(home, &["Alice owns the bilby cache", "--tag", "cache,edge"]);
    let one = remember(home, &["The bilby cache is written in Go", "--tag", "cache"]);
    remember(home, &["Deploys of the bilby cache happen on Fridays"]);
    append(home, "user_message", "the bilby cache");
    let mut tagged = ids(home, &["search", "bilby cache", "--tag", "cache"]);
    tagged.sort();
    assert_eq!(tagged, [both.clone(), one]);
    assert_eq!(ids(home, &["search", "bilby cache", "--tag", "cache", "--tag", "edge"]), [both.as_str()]);
    assert_eq!(ids(home, &["search", "bilby cache", "--tags", "edge,cache"]), [both.as_str()]);
    assert_eq!(ids(home, &["memory", "search", "bilby", "--tag", "edge"]), [both]);
    assert_eq!(ids(home, &["search", "bilby cache", "--tag", "nobody"]), [""; 0]);
}

fn scopes_and_categories_narrow_a_search_for_memories(home: &Home) {
    let mine = remember(home, &["I like the dingo theme", "--scope", "user", "--kind", "preference"]);
    let ours = remember(home, &["The dingo theme is the default"]);
    append(home, "user_message", "the dingo theme");
    let found = |flags: &[&str]| ids(home, &[&["memory", "search", "dingo theme"], flags].concat());
    assert_eq!(found(&["--scope", "user"]), [mine.as_str()]);
    assert_eq!(found(&["--scope", "app"]), [ours.as_str()]);
    assert_eq!(found(&["--scope", "all"]).len(), 2);
    assert_eq!(found(&[]).len(), 2, "memories alone");
    assert_eq!(found(&["--category", "preference"]), [mine.as_str()]);
    assert_eq!(found(&["--kind", "preference", "--kind", "fact"]).len(), 2);
    assert_eq!(found(&["--scope", "app", "--category", "preference"]), [""; 0]);
}

fn since_narrows_a_search(home: &Home) {
    let long_ago = remember(home, &["The potoroo alarm is off", "--occurred-at", "10d"]);
    let lately = remember(home, &["The potoroo alarm is on"]);
    home.ok(&[
        "log",
        "append",
        "--session",
        "s",
        "--kind",
        "user_message",
        "--content",
        "potoroo alarm!",
        "--at",
        "3d",
    ]);
    let found = |since: &str| ids(home, &["search", "potoroo alarm", "--since", since]);
    assert_eq!(found("1h"), [lately.as_str()]);
    assert_eq!(found("5d").len(), 2);
    assert_eq!(found("2020-01-01").len(), 3);
    assert_eq!(found("2099-01-01"), [""; 0]);
    assert!(!found("5d").contains(&long_ago));
    shows!(home, home.call(&["search", "x", "--since", "recently"]).run().refuses(), @r#"
    error: invalid value 'recently' for '--since <TIME>': "recently" is not a time; write 2026-11-15T03:31:18Z, 2026-11-15, or how long ago: 30m, 2h, 3d

    For more information, try '--help'.
    "#);
}

fn what_matters_more_comes_first(home: &Home) {
    let minor = remember(home, &["Echidna releases need a tag", "--importance", "0.1"]);
    let major = remember(home, &["Echidna releases need a note", "--importance", "1"]);
    let query = ["search", "echidna releases"];
    assert_eq!(ids(home, &query), [major.clone(), minor.clone()]);
    home.ok(&["feedback", &major, "--outcome", "outdated"]);
    for _ in 0..3 {
        home.ok(&["feedback", &minor, "--outcome", "helpful"]);
    }
    let scores: Vec<f64> = hits(home, &query[1..]).iter().map(|hit| hit["score"].as_f64().unwrap()).collect();
    assert!(scores[0] - scores[1] < 0.25, "{scores:?}");
}

fn events_are_found_with_the_words_of_their_target(home: &Home) {
    home.ok(&["log", "append", "--kind", "read", "--target", "src/wallaby/ledger.rs"]);
    home.ok(&[
        "log",
        "append",
        "--kind",
        "tool_call",
        "--target",
        "cargo test -p wallaby",
        "--content",
        "ok",
    ]);
    let found = hits(home, &["wallaby/ledger.rs"]);
    assert_eq!(found[0]["kind"], "read", "{found:?}");
    assert_eq!(hits(home, &["cargo test wallaby"])[0]["kind"], "tool_call");
}

fn an_event_is_found_a_moment_after_another_process_appended_it(home: &Home) {
    for n in 0..5 {
        let word = ["numbat", "quoll", "bandicoot", "glider", "dunnart"][n];
        let said = append(home, "user_message", &format!("the {word} service is down"));
        assert_eq!(ids(home, &["search", word]).first(), Some(&said));
    }
    home.check();
}

#[test]
fn more_events_than_are_taken_in_at_once_are_said() {
    let home = &Home::sqlite();
    home.write("work/shop/.throughline.toml", "[recall]\ncatch_up_events = 1\n");
    let lines: Vec<Json> = (0..1500)
        .map(|n| json!({"kind": "user_message", "session": "s", "content": format!("w{n}")}))
        .collect();
    home.batch(&lines);
    let ran = home.call(&["search", "w3"]).run();
    assert!(ran.stderr.contains("not indexed yet"), "{ran:?}");
    // The advice has to be one that can be followed.
    let advice = ran.stderr.split('`').nth(1).unwrap();
    let words: Vec<&str> = advice.split(' ').skip(1).collect();
    home.call(&words).run().ok();
    assert_eq!(home.call(&["search", "w1499"]).run().stderr, "");
}

#[test]
fn notes_of_the_product_itself_are_not_found() {
    let home = &Home::sqlite();
    let id = remember(home, &["The pademelon flag is off"]);
    home.ok(&["feedback", &id, "--outcome", "helpful", "--note", "pademelon"]);
    append(home, "user_message", "pademelon?");
    home.ok(&["session", "end", "s"]);
    let kinds: Vec<Json> = hits(home, &["pademelon"]).iter().map(|hit| hit["kind"].clone()).collect();
    assert_eq!(kinds, ["fact", "user_message"]);
}

fn a_purged_event_is_found_no_more(home: &Home) {
    let said = append(home, "user_message", "the thylacine password hint is tiger");
    append(home, "user_message", "the password hint is elsewhere");
    assert_eq!(ids(home, &["search", "thylacine"]).first(), Some(&said));
    home.ok(&["log", "purge", &said, "--reason", "privacy"]);
    for query in ["thylacine", "thylacine password hint is tiger", "tiger"] {
        let text = home.ok(&["search", query]);
        assert!(!text.contains("thylacine") && !text.contains(&said), "{text}");
    }
    let text = home.call(&["expand", &said]).run().stdout;
    assert!(!text.contains("thylacine"), "{text}");
    home.check();
}

#[test]
fn the_words_of_a_purged_event_are_in_no_byte_of_the_database() {
    let home = Home::sqlite();
    let said = append(&home, "user_message", "the thylacine sleeps");
    append(&home, "user_message", "a word that stays: wombat");
    assert_eq!(ids(&home, &["search", "thylacine"]).first(), Some(&said));
    assert!(!home.files_with("thylacine").is_empty(), "it was on the disk");
    home.ok(&["log", "purge", &said, "--reason", "privacy"]);
    assert_eq!(home.files_with("thylacine"), Vec::<PathBuf>::new());
    assert!(
        !home.ok(&["search", "thylacin", "--explain"]).contains("thylacine"),
        "nor offered as a spelling"
    );
}

#[test]
fn a_purge_before_the_first_search_leaves_no_word_either() {
    let home = Home::sqlite();
    let said = append(&home, "user_message", "the thylacine sleeps");
    home.ok(&["log", "purge", &said, "--reason", "privacy"]);
    assert_eq!(home.json(&["search", "thylacine"])["total"], 0);
    assert_eq!(home.files_with("thylacine"), Vec::<PathBuf>::new());
}

/// The purge of a remembering takes the statement from the memory too, or says that it does not.
#[test]
fn the_purge_of_a_session_reaches_the_memories_it_left() {
    let home = Home::sqlite();
    let memory = remember(&home, &["the thylacine statement", "--session", "s"]);
    home.ok(&["log", "purge", "--session", "s", "--reason", "privacy"]);
    assert_eq!(home.json(&["search", "thylacine"])["total"], 0);
    assert!(!home.ok(&["memory", "show", &memory]).contains("thylacine"));
    assert_eq!(home.files_with("thylacine"), Vec::<PathBuf>::new());
}

#[test]
fn since_is_not_outdone_by_older_and_better_answers() {
    let home = &Home::sqlite();
    let old = |n: usize| json!({"kind": "user_message", "session": "s", "content": format!("bettong release notes {n}"), "at": "2020-01-01T00:00:00Z"});
    home.batch(&(0..600).map(old).collect::<Vec<_>>());
    let lately = append(
        home,
        "user_message",
        "among many other things that we talked about today there was also one word on the bettong release",
    );
    assert_eq!(ids(home, &["search", "bettong release notes", "--since", "1h"]), [lately]);
}

#[test]
fn the_total_counts_only_what_the_filter_lets_through() {
    let home = &Home::sqlite();
    let lately = json!({"kind": "user_message", "session": "s", "content": "bettong release notes"});
    let old = json!({"kind": "user_message", "session": "s", "content": "bettong release notes, part", "at": "2020-01-01T00:00:00Z"});
    home.batch(&[vec![lately; 60], vec![old; 100]].concat());
    let answer = home.json(&["search", "bettong release notes", "--since", "1h", "--limit", "5"]);
    assert_eq!(answer["total"], 60, "{}", answer["shown"]);
}

/// The order of things in an agent's own session: asked, remembered, forgotten.
#[test]
fn a_forgotten_memory_is_not_found_beside_what_was_said_next_to_it() {
    let home = Home::sqlite();
    append(&home, "user_message", "what do we know about deployments?");
    let memory = remember(&home, &["Deployments use the key under the thylacine mat", "--session", "s"]);
    append(&home, "user_message", "thanks, that was about deployments");
    home.ok(&["forget", &memory]);
    let text = home.ok(&["search", "deployments"]);
    assert!(!text.contains("thylacine"), "{text}");
}

#[test]
fn a_search_for_decisions_finds_decisions_alone() {
    let home = Home::sqlite();
    append(&home, "user_message", "which port do we take?");
    append(&home, "decision", "the quokka port stays closed");
    append(&home, "model_message", "done");
    let kinds: Vec<Json> =
        hits(&home, &["quokka port", "--kind", "decision"]).iter().map(|hit| hit["kind"].clone()).collect();
    assert_eq!(kinds, ["decision"]);
}

#[test]
fn a_misspelt_word_is_not_taken_for_one_that_was_forgotten() {
    let home = Home::sqlite();
    let id = remember(&home, &["The thylacine key is under the mat"]);
    home.ok(&["forget", &id]);
    let text = home.ok(&["search", "thylacin", "--explain"]);
    assert!(!text.contains("thylacine"), "{text}");
}
