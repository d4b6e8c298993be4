//! Statements that say again, make more exact or contradict what is known, without naming it.

use throughline_store::event;
use throughline_store::memory::{Kind, Memory, Source, Status};

use super::{found, remember, say, story};
use crate::remember::{Action, Statement};
use crate::testing::Fixture;

fn implied(content: &str, confidence: f64) -> Statement {
    Statement { source: Source::Implicit, confidence: Some(confidence), ..Statement::of(content) }
}

#[test]
fn one_fact_in_ten_wordings_is_one_memory() {
    let fixture = Fixture::new();
    let first = say(&fixture, "We use pnpm, not npm").memory;
    for again in [
        "Use pnpm instead of npm",
        "we use pnpm, never npm",
        "Please use pnpm and not npm",
        "use pnpm not npm",
        "pnpm, not npm",
        "In this repo we use pnpm, not npm",
        "npm is not used, use pnpm",
        "Always use pnpm rather than npm",
        "this project uses pnpm instead of npm",
    ] {
        let remembered = say(&fixture, again);
        assert_eq!(
            (remembered.action, remembered.memory.id),
            (Action::Corroborated, first.id.clone()),
            "{again}"
        );
    }
    assert_eq!(story(&fixture), ["active: We use pnpm, not npm"]);
}

#[test]
fn the_opposite_leaves_one_answer_and_its_history() {
    let fixture = Fixture::new();
    let old = say(&fixture, "The API listens on port 8080").memory;
    let new = say(&fixture, "The API listens on port 9090");
    assert_eq!((new.action, new.superseded[0].id.clone()), (Action::Superseded, old.id));
    assert_eq!(found(&fixture, "API port"), ["The API listens on port 9090"]);
    assert_eq!(
        story(&fixture),
        ["superseded: The API listens on port 8080", "active: The API listens on port 9090"]
    );
}

#[test]
fn what_was_heard_and_is_asked_for_then_is_one_memory() {
    let rule = "Never push directly to the release branch";
    for kind in [Kind::Fact, Kind::Rule, Kind::Preference] {
        let fixture = Fixture::new();
        let heard = Statement { kind: Kind::Rule, ..implied(rule, 0.7) };
        let heard = remember(&fixture, heard).memory;
        let asked = remember(&fixture, Statement { kind, ..Statement::of(rule) });
        assert_eq!((asked.action, &asked.memory.id), (Action::Corroborated, &heard.id), "{kind:?}");
        assert_eq!(story(&fixture), [format!("active: {rule}")]);
    }
}

#[test]
fn what_is_said_of_a_part_ends_nothing_that_is_said_of_all() {
    let fixture = Fixture::new();
    for told in [
        "We use pnpm as the package manager",
        "In the legacy admin app we use yarn",
        "The API listens on 8080",
        "In staging the API listens on 9090",
    ] {
        assert_eq!(say(&fixture, told).action, Action::Created, "{told}");
    }
    assert_eq!(say(&fixture, "In staging the API listens on 9191").superseded.len(), 1);
    assert_eq!(say(&fixture, "Staging moved to port 9292").superseded.len(), 1);
    assert_eq!(
        story(&fixture),
        [
            "active: We use pnpm as the package manager",
            "active: In the legacy admin app we use yarn",
            "active: The API listens on 8080",
            "superseded: In staging the API listens on 9090",
            "superseded: In staging the API listens on 9191",
            "active: Staging moved to port 9292",
        ]
    );
}

#[test]
fn what_is_said_of_a_part_ends_no_text_that_has_it_of_all() {
    let fixture = Fixture::new();
    say(&fixture, "The API listens on 8080. Logs are JSON.");
    let part = say(&fixture, "In staging the API listens on 9090");
    assert_eq!((part.action, part.superseded.len()), (Action::Created, 0));
}

#[test]
fn what_is_to_be_done_now_is_not_compared() {
    let fixture = Fixture::new();
    say(&fixture, "The DAGs live in dags/common, so modernise dags/legacy");
    let other = say(&fixture, "Airflow is 2.9 here - fix the imports in dags/common");
    assert_eq!((other.action, other.superseded.len()), (Action::Created, 0));
    assert_eq!(say(&fixture, "The DAGs live in dags/common").action, Action::Corroborated);
}

#[test]
fn what_a_change_does_not_touch_is_kept() {
    let fixture = Fixture::new();
    let note = say(
        &fixture,
        "The bakery opens at 6. Leftovers go to the food bank. Gluten-free bread is baked on Wednesdays only.",
    );
    let new = say(&fixture, "Gluten-free bread is baked on Thursdays now");
    assert_eq!(new.superseded[0].id, note.memory.id);
    assert_eq!(
        found(&fixture, "where do leftovers go"),
        ["The bakery opens at 6. Leftovers go to the food bank"]
    );
    let hit = fixture.engine.memories(&fixture.caller, &Default::default(), 9).unwrap().memories;
    let rest = hit.iter().find(|memory| memory.content.ends_with("food bank")).unwrap();
    let shown = fixture.engine.memory(&fixture.caller, rest.id.as_str()).unwrap();
    assert_eq!(
        (shown.origins.len(), rest.created_at),
        (2, note.memory.created_at),
        "from the note and from its end"
    );
}

#[test]
fn a_change_ends_everything_that_it_makes_untrue() {
    let fixture = Fixture::new();
    say(&fixture, "Deploys go out on Fridays");
    say(&fixture, "The Friday deploy starts at noon");
    let new = say(&fixture, "There are no deploys on Fridays any more");
    assert_eq!((new.action, new.superseded.len()), (Action::Superseded, 2));
    assert_eq!(
        story(&fixture),
        [
            "superseded: Deploys go out on Fridays",
            "superseded: The Friday deploy starts at noon",
            "active: There are no deploys on Fridays any more"
        ]
    );
    assert_eq!(found(&fixture, "deploys"), ["There are no deploys on Fridays any more"]);
    // The event of the new memory names the first; the other has one of its own.
    let other = new.superseded.iter().find(|old| new.memory.supersedes != Some(old.id.clone())).unwrap();
    let history = fixture.engine.memory_history(&fixture.caller, other.id.as_str()).unwrap();
    assert_eq!(history.events[0].summary, format!("superseded: {}", other.title));
}

#[test]
fn what_is_decided_ends_what_was_called_a_fact() {
    let fixture = Fixture::new();
    say(&fixture, "The API listens on port 8080");
    let decision = |text: &str| Statement { kind: Kind::Decision, ..Statement::of(text) };
    let again = remember(&fixture, decision("The API listens at port 8080"));
    assert_eq!((again.action, again.perhaps.len()), (Action::Created, 1), "who says the kind means it");
    let other = remember(&fixture, decision("The API listens on port 9090"));
    assert_eq!((other.action, other.superseded.len()), (Action::Superseded, 2));
    assert_eq!(found(&fixture, "API port"), ["The API listens on port 9090"]);
}

#[test]
fn what_is_more_exact_takes_the_place() {
    let fixture = Fixture::new();
    say(&fixture, "Deploys happen on Fridays");
    assert_eq!(say(&fixture, "Deploys happen on Fridays at 10:00 UTC").action, Action::Superseded);
    assert_eq!(say(&fixture, "Deploys happen on Fridays").action, Action::Corroborated);
    assert_eq!(found(&fixture, "deploys"), ["Deploys happen on Fridays at 10:00 UTC"]);
}

#[test]
fn what_was_concluded_does_not_overrule_what_was_said() {
    let fixture = Fixture::new();
    say(&fixture, "We use pnpm");
    let concluded = remember(&fixture, implied("We use npm", 0.9));
    assert_eq!((concluded.action, concluded.memory.status), (Action::Quarantined, Status::Quarantined));
    assert_eq!(found(&fixture, "use"), ["We use pnpm"]);
}

#[test]
fn conclusions_that_contradict_a_surer_one_put_both_to_review() {
    let fixture = Fixture::new();
    remember(&fixture, implied("The cache is enabled in staging", 0.95));
    let doubtful = remember(&fixture, implied("The cache is disabled in staging", 0.5));
    assert_eq!(doubtful.action, Action::Quarantined);
    assert_eq!(
        story(&fixture),
        ["quarantined: The cache is enabled in staging", "quarantined: The cache is disabled in staging"]
    );
    assert_eq!(fixture.last_event().summary, "quarantined: The cache is disabled in staging");
}

#[test]
fn distinct_facts_of_one_form_all_stay() {
    let fixture = Fixture::new();
    let names = ["alpha", "beta", "gamma", "delta", "omega", "billing", "search", "mail", "auth", "media"];
    let mut told = 0;
    for (number, name) in names.iter().enumerate() {
        for (what, value, of) in [
            ("service listens on port", 7000, ""),
            ("team owns", 10, " repositories"),
            ("cache keeps", 30, " entries"),
            ("queue allows", 5, " messages"),
        ] {
            let content = format!("The {name} {what} {}{of}", value + number);
            assert_eq!(say(&fixture, &content).action, Action::Created, "{content}");
            told += 1;
        }
    }
    for number in 0..100 {
        let content = format!("fact number {number} about topic {}", number % 7);
        assert_eq!(say(&fixture, &content).action, Action::Created, "{content}");
        told += 1;
    }
    assert_eq!(story(&fixture).iter().filter(|line| line.starts_with("active")).count(), told);
}

#[test]
fn a_wish_and_a_context_are_not_compared_with_facts() {
    let fixture = Fixture::new();
    say(&fixture, "We use npm");
    for kind in [Kind::Preference, Kind::Context] {
        let other = Statement { kind, ..Statement::of("We use pnpm") };
        assert_eq!(remember(&fixture, other).action, Action::Created);
    }
}

/// What the events that a memory came from said in other words.
fn wordings(fixture: &Fixture, memory: &Memory) -> Vec<String> {
    let shown = fixture.engine.memory(&fixture.caller, memory.id.as_str()).unwrap();
    let mut said: Vec<String> = shown.origins.into_iter().filter_map(|origin| origin.said).collect();
    said.sort();
    said
}

#[test]
fn other_words_are_kept_with_where_they_came_from_and_go_with_it() {
    let fixture = Fixture::new();
    let memory = say(&fixture, "We use pnpm, not npm").memory;
    say(&fixture, "Use pnpm instead of npm");
    say(&fixture, "we use pnpm, not npm");
    say(&fixture, "npm is not used, use pnpm");
    let said = ["Use pnpm instead of npm", "npm is not used, use pnpm", "we use pnpm, not npm"];
    assert_eq!(wordings(&fixture, &memory), said);
    let origins = fixture.engine.memory(&fixture.caller, memory.id.as_str()).unwrap().origins;
    let event = origins.iter().find(|origin| origin.said.as_deref() == Some(said[0])).unwrap().event.clone();
    let of_one = event::Filter { ids: vec![event], ..event::Filter::default() };
    fixture.engine.purge(&fixture.caller, &of_one, "privacy").unwrap();
    assert_eq!(wordings(&fixture, &memory), said[1..]);
}

#[test]
fn a_memory_is_found_by_all_words_that_it_was_said_in() {
    let fixture = Fixture::new();
    let memory = say(&fixture, "We use pnpm, not npm").memory;
    assert_eq!(found(&fixture, "packages"), [""; 0]);
    say(&fixture, "Packages: pnpm, not npm");
    say(&fixture, "Packages: pnpm, not npm");
    let told = say(&fixture, "In this monorepo we use pnpm, not npm");
    assert_eq!((told.action, &told.memory.id), (Action::Corroborated, &memory.id));
    let by_each = || ["packages", "monorepo"].map(|word| found(&fixture, word).len());
    assert_eq!(by_each(), [1, 1]);
    fixture.engine.rebuild_index(&fixture.caller).unwrap();
    assert_eq!(by_each(), [1, 1]);
    let origins = fixture.engine.memory(&fixture.caller, memory.id.as_str()).unwrap().origins;
    let of_packages =
        origins.iter().filter(|origin| origin.said.as_deref() == Some("Packages: pnpm, not npm"));
    let ids = of_packages.map(|origin| origin.event.clone()).collect();
    let purged = event::Filter { ids, ..event::Filter::default() };
    fixture.engine.purge(&fixture.caller, &purged, "privacy").unwrap();
    assert_eq!(by_each(), [0, 1]);
    say(&fixture, "We use yarn, not pnpm");
    assert_eq!(by_each(), [0, 0], "what ended is found by none of its words");
    assert_eq!(fixture.engine.index_faults(&fixture.caller).unwrap(), [""; 0]);
}

#[test]
fn who_says_what_two_memories_say_shows_that_they_are_one() {
    let fixture = Fixture::new();
    let first = say(&fixture, "Yarn is banned.").memory;
    let second = say(&fixture, "Installs go through pnpm.").memory;
    assert_eq!(story(&fixture).len(), 2, "apart by themselves");
    let third = say(&fixture, "We install with pnpm, not with yarn.");
    assert_eq!((third.action, third.superseded.len()), (Action::Corroborated, 1));
    let (kept, gone) = (&third.memory, &third.superseded[0]);
    assert!([first.id, second.id].contains(&kept.id) && kept.id != gone.id);
    assert!(wordings(&fixture, kept).contains(&gone.content), "its words go on");
    for words in ["yarn", "pnpm", "installs"] {
        assert_eq!(found(&fixture, words), std::slice::from_ref(&kept.content), "{words}");
    }
}

#[test]
fn what_a_statement_may_be_about_is_named() {
    let fixture = Fixture::new();
    let known = say(&fixture, "Feature branches live at most two days. Rebase before you merge.").memory;
    let other = say(&fixture, "The staging cluster runs in Frankfurt.");
    assert_eq!(other.perhaps, []);
    let unsure = say(&fixture, "Rebase before you merge. Short-lived branches are the rule here.");
    assert_eq!(unsure.action, Action::Created);
    assert_eq!(unsure.perhaps.iter().map(|near| &near.id).collect::<Vec<_>>(), [&known.id]);
}

#[test]
fn what_shares_few_words_ends_nothing_that_it_does_not_clearly_contradict() {
    let fixture = Fixture::new();
    say(&fixture, "The cluster pulls images through our own mirror");
    let other = say(&fixture, "Requests from outside reach the cluster by way of Traefik");
    assert_eq!((other.action, other.superseded.len()), (Action::Created, 0));
}

#[test]
fn what_only_shares_a_part_stays_apart() {
    let fixture = Fixture::new();
    say(&fixture, "Deploys happen on Fridays at 10:00 UTC");
    say(&fixture, "Deploys happen on Fridays from the release branch");
    let again = say(&fixture, "Deploys happen on Fridays");
    assert_eq!((again.action, again.superseded.len()), (Action::Corroborated, 0));
    assert_eq!(story(&fixture).iter().filter(|line| line.starts_with("active")).count(), 2);
}
