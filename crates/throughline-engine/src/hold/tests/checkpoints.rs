//! Flash saves and checkpoints: kept, compared, brought back exactly.

use serde_json::json;
use throughline_store::checkpoint::{Filter, Reason};
use throughline_store::context_entry::{self, ContextEntry, Holder, State, Tier};
use throughline_store::event::{self, Kind};

use super::entries::{draft, during, load, save};
use crate::capture::{During, Observation, Opening};
use crate::hold::{Draft, Removal, Wanted};
use crate::session::Update;
use crate::testing::{Fixture, hours, of, refused, said, saw};
use crate::turn::Beside;

const A: &str = "agent:a";

/// The rows as they are.
fn rows(fixture: &Fixture, agent: &str) -> Vec<ContextEntry> {
    let holder = Holder { project: &fixture.caller.project, agent };
    fixture.engine.store().read(|conn| context_entry::list(conn, holder)).unwrap()
}

fn filled() -> Fixture {
    let fixture = Fixture::new();
    for n in 0..5 {
        save(&fixture, A, &draft("CODE", &format!("old code {n}")));
    }
    save(&fixture, A, &Draft { importance: Some(0.1 + 0.2), ..draft("NOTE", "über 港 'x'") });
    fixture.time.advance(hours(10));
    save(&fixture, A, &draft("TASK", "the task"));
    save(&fixture, A, &draft("PRD_SECTION", "the spec"));
    let id = save(&fixture, A, &draft("CODE", "new code")).scored.entry.id.to_string();
    load(&fixture, A, &Wanted::Ids(vec![id]));
    load(&fixture, A, &Wanted::Tier(Tier::Hot));
    fixture
}

#[test]
fn a_flash_save_puts_aside_what_is_cold_and_goes_on_with_what_is_hot() {
    let fixture = filled();
    let before = fixture.engine.set_stats(&fixture.caller, A).unwrap();
    let flashed = fixture.engine.flash_save(&fixture.caller, A, &during()).unwrap();
    assert_eq!(flashed.archived, 6);
    assert_eq!(
        flashed.hot.iter().map(|one| one.entry.content.as_str()).collect::<Vec<_>>(),
        ["the task", "the spec"]
    );
    assert_eq!((flashed.tokens_before, flashed.tokens_after), (before.tokens(), before.hot.tokens));
    let after = fixture.engine.set_stats(&fixture.caller, A).unwrap();
    assert_eq!((after.archived.entries, after.cold.entries, after.warm.entries), (6, 0, 1));
    assert_eq!(rows(&fixture, A).len(), 9, "nothing is deleted");
    let again = fixture.engine.flash_save(&fixture.caller, A, &during()).unwrap();
    assert_eq!((again.archived, again.hot.len()), (0, 2));
}

#[test]
fn a_restore_is_exact_whatever_happened_since_and_can_be_taken_back() {
    let fixture = filled();
    fixture.engine.update_tiers(&fixture.caller, A).unwrap();
    let before = rows(&fixture, A);
    let flashed = fixture.engine.flash_save(&fixture.caller, A, &during()).unwrap();
    fixture.time.advance(hours(30));
    save(&fixture, A, &draft("TASK", "another task"));
    let ids: Vec<String> = before.iter().take(3).map(|entry| entry.id.to_string()).collect();
    fixture.engine.remove_entries(&fixture.caller, A, &ids, Removal::Delete).unwrap();
    load(&fixture, A, &Wanted::Tier(Tier::Hot));
    let changed = rows(&fixture, A);
    let id = flashed.checkpoint.to_string();
    let restored = fixture.engine.restore_checkpoint(&fixture.caller, Some(&id[..15]), &during()).unwrap();
    assert_eq!(restored.entries, before.len());
    assert_eq!(rows(&fixture, A), before);
    let undo = restored.undo.to_string();
    fixture.engine.restore_checkpoint(&fixture.caller, Some(&undo), &during()).unwrap();
    assert_eq!(rows(&fixture, A), changed);
}

#[test]
fn a_flash_save_that_fails_half_way_leaves_the_old_state() {
    let fixture = filled();
    let before = rows(&fixture, A);
    // The log refuses the note, after everything else is done.
    fixture.write(|tx| {
        tx.batch("create trigger full before insert on event begin select raise(abort, 'disk full'); end")
    });
    refused(fixture.engine.flash_save(&fixture.caller, A, &during()));
    assert_eq!(rows(&fixture, A), before);
    assert_eq!(fixture.engine.checkpoints(&fixture.caller, &Filter::default(), 9).unwrap().1, 0);
    fixture.write(|tx| tx.batch("drop trigger full"));
    fixture.engine.flash_save(&fixture.caller, A, &during()).unwrap();
}

fn at_work(fixture: &Fixture) -> During {
    fixture.capture(vec![
        said(Kind::UserMessage, "one", "Sell apples"),
        said(Kind::Decision, "one", "Prices are in cents"),
        Observation { target: Some("src/apple.rs".into()), ..saw(Kind::Write, "one") },
        Observation {
            target: Some("cargo test".into()),
            content: Some("running 3 tests\nerror: apple is red".into()),
            parts: Some(json!({ "ok": false })),
            ..saw(Kind::ToolResult, "one")
        },
        said(Kind::ModelMessage, "one", "Half done.\n\nNext steps:\n- count the pears\n\nShall I go on?"),
    ]);
    let update =
        Update { patch: json!({ "current_task": "TASK-0001", "blockers": ["no key"] }), if_version: None };
    fixture.engine.update_scratchpad(&fixture.caller, Some("one"), &update).unwrap();
    During { session: of("one"), opening: Opening::default() }
}

#[test]
fn a_checkpoint_holds_what_a_session_stands_at() {
    let fixture = Fixture::new();
    let during = at_work(&fixture);
    save(&fixture, "agent:claude-code", &draft("TASK", "sell apples"));
    let saved = fixture.engine.save_checkpoint(&fixture.caller, None, Some("before lunch"), &during).unwrap();
    assert_eq!(
        (saved.reason, saved.agent.as_str(), saved.entries),
        (Reason::Request, "agent:claude-code", 1)
    );
    let shown = fixture.engine.checkpoint(&fixture.caller, None).unwrap();
    assert_eq!(shown.checkpoint, saved);
    let stand = &shown.stand;
    assert_eq!(stand["current_task"], "TASK-0001");
    assert_eq!(stand["decisions"], json!(["Prices are in cents"]));
    assert_eq!(stand["unresolved"], json!(["cargo test: error: apple is red"]));
    assert_eq!(stand["files_modified"], json!(["src/apple.rs"]));
    assert_eq!(stand["next_steps"], json!(["count the pears"]));
    assert_eq!(stand["open_questions"], json!(["Shall I go on?"]));
    assert_eq!(stand["blockers"], json!(["no key"]));
    assert_eq!(shown.entries[0].content, "sell apples");
    let note = fixture.last_event();
    assert_eq!((note.kind, note.target.as_deref()), (Kind::Checkpoint, Some("request")));
    assert_eq!(stand["position"], note.position - 1);
}

#[test]
fn a_checkpoint_is_compared_with_now_and_its_scratchpad_comes_back() {
    let fixture = Fixture::new();
    let during = at_work(&fixture);
    let agent = "agent:claude-code";
    let gone = save(&fixture, agent, &draft("CODE", "goes")).scored.entry.id.to_string();
    save(&fixture, agent, &draft("TASK", "stays"));
    fixture.engine.save_checkpoint(&fixture.caller, None, None, &during).unwrap();
    let none = fixture.engine.diff_checkpoint(&fixture.caller, None).unwrap();
    assert_eq!((none.added.len(), none.changed.len(), none.removed.len(), none.events), (0, 0, 0, 1));
    assert_eq!((none.scratchpad.len(), none.decisions.len(), none.files.len()), (0, 0, 0));

    fixture.engine.remove_entries(&fixture.caller, agent, &[gone], Removal::Delete).unwrap();
    save(&fixture, agent, &draft("CODE", "comes"));
    fixture.record(said(Kind::Decision, "one", "Pears too"));
    let update = Update { patch: json!({ "current_task": null, "mood": "good" }), if_version: None };
    fixture.engine.update_scratchpad(&fixture.caller, Some("one"), &update).unwrap();
    let changes = fixture.engine.diff_checkpoint(&fixture.caller, None).unwrap();
    let texts = |entries: &[ContextEntry]| entries.iter().map(|one| one.content.clone()).collect::<Vec<_>>();
    assert_eq!((texts(&changes.added), texts(&changes.removed)), (vec!["comes".into()], vec!["goes".into()]));
    let keys: Vec<&str> = changes.scratchpad.iter().map(|(key, ..)| key.as_str()).collect();
    assert_eq!((keys, changes.decisions), (vec!["current_task", "mood"], vec!["Pears too".to_owned()]));

    let restored = fixture.engine.restore_checkpoint(&fixture.caller, None, &during).unwrap();
    assert!(restored.scratchpad);
    let pad = fixture.engine.scratchpad(&fixture.caller, Some("one")).unwrap();
    assert_eq!(pad.state, json!({ "current_task": "TASK-0001", "blockers": ["no key"] }));
}

#[test]
fn before_a_clients_compaction_the_working_set_is_flashed_and_the_session_kept() {
    let fixture = Fixture::new();
    at_work(&fixture);
    let compaction = || Observation { target: Some("compaction".into()), ..saw(Kind::SystemEvent, "one") };
    let beside = Beside::Compaction { told: None };
    fixture.engine.capture_turn(&fixture.caller, vec![compaction()], beside).unwrap();
    save(&fixture, "agent:claude-code", &Draft { importance: Some(0.1), ..draft("NOTE", "cold") });
    fixture.engine.capture_turn(&fixture.caller, vec![compaction()], beside).unwrap();
    let (kept, total) = fixture.engine.checkpoints(&fixture.caller, &Filter::default(), 9).unwrap();
    assert_eq!(total, 2);
    let reasons: Vec<Reason> = kept.iter().map(|one| one.reason).collect();
    assert!(reasons.contains(&Reason::Compaction) && reasons.contains(&Reason::Flash), "{reasons:?}");
    assert_eq!(rows(&fixture, "agent:claude-code")[0].state, State::Archived);
}

#[test]
fn what_is_purged_is_in_no_checkpoint() {
    let fixture = Fixture::new();
    let during = at_work(&fixture);
    fixture.engine.save_checkpoint(&fixture.caller, None, None, &during).unwrap();
    let session = fixture.session("one").id;
    let filter = event::Filter { sessions: vec![session], ..event::Filter::default() };
    fixture.engine.purge(&fixture.caller, &filter, "asked for").unwrap();
    assert_eq!(fixture.engine.checkpoints(&fixture.caller, &Filter::default(), 9).unwrap().1, 0);
    assert!(refused(fixture.engine.checkpoint(&fixture.caller, None)).contains("checkpoint list"));
}
