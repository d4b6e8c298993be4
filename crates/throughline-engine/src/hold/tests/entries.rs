//! Entries saved, loaded, compared, put aside: what an agent sees.

use std::collections::BTreeMap;

use throughline_store::context_entry::{State, Tier};

use crate::backlog::NewItem;
use crate::capture::{During, Opening, SessionRef};
use crate::hold::{Action, Draft, Known, Policy, Removal, Saved, Scored, Wanted};
use crate::settings::Settings;
use crate::testing::{Fixture, SECRET, hours, refused};

const A: &str = "agent:a";
const B: &str = "agent:b";

pub(super) fn draft(entry_type: &str, content: &str) -> Draft {
    Draft { entry_type: entry_type.into(), content: content.into(), ..Draft::default() }
}

pub(super) fn save(fixture: &Fixture, agent: &str, draft: &Draft) -> Saved {
    fixture.engine.save_entry(&fixture.caller, agent, draft).unwrap()
}

pub(super) fn load(fixture: &Fixture, agent: &str, wanted: &Wanted) -> Vec<Scored> {
    fixture.engine.load_entries(&fixture.caller, agent, wanted).unwrap()
}

fn texts(entries: &[Scored]) -> Vec<&str> {
    entries.iter().map(|one| one.entry.content.as_str()).collect()
}

fn hot(fixture: &Fixture, agent: &str) -> Vec<String> {
    let hot = load(fixture, agent, &Wanted::Tier(Tier::Hot));
    texts(&hot).into_iter().map(str::to_owned).collect()
}

pub(super) fn during() -> During {
    During { session: SessionRef::Own, opening: Opening::default() }
}

#[test]
fn what_is_saved_is_loaded_by_its_tier_the_most_important_first() {
    let fixture = Fixture::new();
    save(&fixture, A, &draft("CODE", "fn main"));
    save(&fixture, A, &draft("ERROR", "E0382"));
    save(&fixture, A, &draft("TASK", "sell apples"));
    save(&fixture, A, &Draft { importance: Some(0.1), ..draft("NOTE", "rains") });
    assert_eq!(hot(&fixture, A), ["sell apples", "E0382"]);
    assert_eq!(texts(&load(&fixture, A, &Wanted::Tier(Tier::Warm))), ["fn main"]);
    assert_eq!(texts(&load(&fixture, A, &Wanted::Tier(Tier::Cold))), ["rains"]);
    assert_eq!(load(&fixture, A, &Wanted::All).len(), 4);
}

#[test]
fn agents_and_projects_never_touch_each_others() {
    let fixture = Fixture::new();
    let id = save(&fixture, A, &draft("CODE", "a's")).scored.entry.id.to_string();
    save(&fixture, B, &draft("CODE", "b's"));
    let before = load(&fixture, B, &Wanted::All);
    for _ in 0..9 {
        load(&fixture, A, &Wanted::Ids(vec![id.clone()]));
    }
    fixture.engine.update_tiers(&fixture.caller, A).unwrap();
    fixture.engine.flash_save(&fixture.caller, A, &during()).unwrap();
    fixture.engine.remove_entries(&fixture.caller, A, std::slice::from_ref(&id), Removal::Delete).unwrap();
    assert_eq!(load(&fixture, B, &Wanted::All), before);
    assert!(
        refused(fixture.engine.load_entries(&fixture.caller, B, &Wanted::Ids(vec![id])))
            .contains("not found")
    );
    let other = fixture.engine.project(&crate::testing::plain("/work/other"), Some("other")).unwrap();
    let elsewhere = crate::Caller { project: other.id, ..fixture.caller.clone() };
    assert_eq!(fixture.engine.load_entries(&elsewhere, B, &Wanted::All).unwrap(), []);
}

#[test]
fn an_access_lifts_and_time_lowers_and_a_look_at_a_tier_does_neither() {
    let fixture = Fixture::new();
    let id = save(&fixture, A, &draft("CODE", "fn main")).scored.entry.id.to_string();
    let mut last = 0.7;
    for times in 1..=3 {
        let one = load(&fixture, A, &Wanted::Ids(vec![id.clone()])).remove(0);
        assert!(one.importance > last, "{last} then {}", one.importance);
        assert_eq!(one.entry.access_count, times);
        last = one.importance;
    }
    assert_eq!(hot(&fixture, A), ["fn main"]);
    for _ in 0..20 {
        hot(&fixture, A);
    }
    assert_eq!(load(&fixture, A, &Wanted::All)[0].entry.access_count, 3);
    fixture.time.advance(hours(24));
    let moves = fixture.engine.update_tiers(&fixture.caller, A).unwrap();
    assert_eq!(
        moves.moved.iter().map(|(_, from, to)| (*from, *to)).collect::<Vec<_>>(),
        [(Tier::Hot, Tier::Cold)]
    );
    assert_eq!(fixture.engine.update_tiers(&fixture.caller, A).unwrap().moved, []);
}

#[test]
fn the_same_again_is_an_access_and_a_change_keeps_the_id() {
    let fixture = Fixture::new();
    let first = save(&fixture, A, &draft("CODE", "one"));
    assert_eq!(first.action, Action::Created);
    let again = save(&fixture, A, &draft("CODE", "one"));
    assert_eq!((again.action, &again.scored.entry.id), (Action::Known, &first.scored.entry.id));
    assert_eq!(again.scored.entry.access_count, 1);
    let id = first.scored.entry.id.to_string();
    let change = Draft { replaces: Some(id[..16].to_owned()), ..draft("CODE", "two") };
    let changed = save(&fixture, A, &change);
    assert_eq!((changed.action, changed.scored.entry.id.to_string()), (Action::Changed, id));
    assert_eq!(texts(&load(&fixture, A, &Wanted::All)), ["two"]);
}

#[test]
fn a_diff_says_what_was_added_changed_and_removed_since_the_last_look() {
    let fixture = Fixture::new();
    let diff = |known: &Known| {
        let diff = fixture.engine.diff_entries(&fixture.caller, A, known).unwrap();
        let names =
            |list: &[Scored]| list.iter().map(|one| one.entry.content.clone()).collect::<Vec<_>>().join(",");
        (names(&diff.added), names(&diff.changed), diff.removed.len(), diff.unchanged)
    };
    let last = Known::GivenLast;
    let kept = save(&fixture, A, &draft("TASK", "kept")).scored.entry;
    let changes = save(&fixture, A, &draft("TASK", "changes")).scored.entry;
    let goes = save(&fixture, A, &draft("TASK", "goes")).scored.entry;
    let archived = save(&fixture, A, &draft("ERROR", "archived")).scored.entry;
    assert_eq!(hot(&fixture, A).len(), 4);
    assert_eq!(diff(&last), (String::new(), String::new(), 0, 4));
    save(&fixture, A, &Draft { replaces: Some(changes.id.to_string()), ..draft("TASK", "changed") });
    save(&fixture, A, &draft("TASK", "added"));
    let remove = |id: &str, removal| {
        fixture.engine.remove_entries(&fixture.caller, A, &[id.to_owned()], removal).unwrap();
    };
    remove(goes.id.as_str(), Removal::Delete);
    remove(archived.id.as_str(), Removal::Archive);
    assert_eq!(diff(&last), ("added".into(), "changed".into(), 2, 1));
    assert_eq!(diff(&last), (String::new(), String::new(), 0, 3));

    let said = |pairs: &[(&str, &str)]| {
        Known::Said(
            pairs.iter().map(|(id, hash)| ((*id).to_owned(), (*hash).to_owned())).collect::<BTreeMap<_, _>>(),
        )
    };
    assert_eq!(diff(&said(&[])).0.split(',').count(), 3);
    let known =
        said(&[(kept.id.as_str(), &kept.content_hash[..12]), (changes.id.as_str(), "0"), ("gone", "1")]);
    assert_eq!(diff(&known), ("added".into(), "changed".into(), 1, 1));
    fixture.time.advance(hours(24 * 14));
    assert_eq!(diff(&last), (String::new(), String::new(), 3, 0));
}

#[test]
fn stats_count_real_tokens_and_say_when_a_flash_save_is_due() {
    let policy = Policy { token_limit: 100, flash_at: 0.8, ..Policy::default() };
    let fixture = Fixture::with(Settings { hold: policy, ..Settings::default() });
    let first = save(&fixture, A, &draft("TASK", &"word ".repeat(60)));
    assert!(!first.flash_due);
    let second = save(&fixture, A, &draft("CODE", &"other ".repeat(19)));
    assert!(second.flash_due, "{}", second.scored.entry.tokens);
    let stats = fixture.engine.set_stats(&fixture.caller, A).unwrap();
    assert_eq!(stats.hot.tokens, i64::try_from(crate::tokens::count(&"word ".repeat(60))).unwrap());
    assert_eq!((stats.hot.entries, stats.warm.entries, stats.entries()), (1, 1, 2));
    assert!(stats.flash_due && stats.tokens() >= 80);
    let policy = Policy { flash_tokens: Some(10), ..Policy::default() };
    assert!(policy.is_flash_due(10) && !policy.is_flash_due(9));
}

#[test]
fn a_task_that_is_done_is_nobodys_task_any_more() {
    let fixture = Fixture::new();
    let item =
        fixture.engine.create_item(&fixture.caller, NewItem::of("Sell apples"), &during()).unwrap().item;
    let about = Draft { item: Some(item.id.to_string()), ..draft("TASK", "sell apples") };
    save(&fixture, A, &about);
    save(&fixture, A, &draft("TASK", "sell pears"));
    fixture.engine.complete_item(&fixture.caller, item.id.as_str(), (None, None, vec![]), &during()).unwrap();
    assert_eq!(hot(&fixture, A), ["sell pears"]);
    let cold = load(&fixture, A, &Wanted::Tier(Tier::Cold));
    assert_eq!((texts(&cold), cold[0].entry.state), (vec!["sell apples"], State::Archived));
}

#[test]
fn secrets_are_taken_out_and_nonsense_is_refused() {
    let fixture = Fixture::new();
    let saved = save(&fixture, A, &draft("ERROR", &format!("token {SECRET} expired")));
    assert!(!saved.scored.entry.content.contains(SECRET), "{}", saved.scored.entry.content);
    let wrong = [
        (A, draft("task", "x")),
        (A, draft("", "x")),
        (A, draft("TASK", " ")),
        (" ", draft("TASK", "x")),
        (A, Draft { importance: Some(1.01), ..draft("TASK", "x") }),
        (A, Draft { importance: Some(f64::NAN), ..draft("TASK", "x") }),
        (A, Draft { replaces: Some("none".into()), ..draft("TASK", "x") }),
        (A, Draft { replaces: Some(String::new()), ..draft("TASK", "x") }),
    ];
    for (agent, draft) in wrong {
        refused(fixture.engine.save_entry(&fixture.caller, agent, &draft));
    }
}
