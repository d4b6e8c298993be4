//! Sessions from their first event to their summary: found, ended, resumed, shown, and their scratchpads.

use std::collections::HashSet;

use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use throughline_store::event::{Event, Filter, Kind};
use throughline_store::id::EventId;
use throughline_store::session::{self as record, EndReason, Ended, Session, Which};

use super::{Compaction, History, Injections, Scratchpad, State, Status, Update};
use crate::capture::{Observation, Opening, SessionRef};
use crate::settings::{Role, Settings, Window};
use crate::testing::{Fixture, SECRET, START, hours, in_role, minutes, named, plain, refused, said, saw};
use crate::work::Outcome;

const EVERYTHING: Window = Window { turns: usize::MAX, max_tokens: u64::MAX };

fn end(fixture: &Fixture, name: &str) -> Session {
    fixture.engine.end_session(&fixture.caller, Some(name), EndReason::Request).unwrap()
}

fn update(fixture: &Fixture, patch: Json) -> crate::Result<Scratchpad> {
    fixture.engine.update_scratchpad(&fixture.caller, None, &Update { patch, if_version: None })
}

fn history(fixture: &Fixture, window: Window) -> History {
    fixture.engine.history(&fixture.caller, None, window).unwrap()
}

fn shown(history: &History) -> Vec<&str> {
    history.events.iter().map(|event| event.content.as_deref().unwrap_or(&event.summary)).collect()
}

fn call(target: &str, content: &str) -> Observation {
    Observation { target: Some(target.into()), ..said(Kind::ToolCall, "a", content) }
}

fn result(target: &str, content: &str) -> Observation {
    Observation { target: Some(target.into()), ..said(Kind::ToolResult, "a", content) }
}

mod ending {
    use super::*;

    #[test]
    fn the_summary_says_what_was_asked_written_decided_and_passed() {
        let fixture = Fixture::new();
        let wrote = |file: &str| Observation { target: Some(file.into()), ..saw(Kind::Write, "a") };
        fixture.capture(vec![
            said(Kind::UserMessage, "a", "Add a cart\nwith a total"),
            said(Kind::ModelMessage, "a", "I will."),
            wrote("src/cart.rs"),
            wrote("src/cart.rs"),
            wrote("src/total.rs"),
            wrote("migrations/1.sql"),
            wrote("LICENSE"),
            said(Kind::Decision, "a", "Prices are integers"),
            said(Kind::Decision, "a", "One currency"),
            said(Kind::ValidationGate, "a", "tests passed"),
            said(Kind::UserMessage, "a", "Now document it"),
            said(Kind::ModelMessage, "a", "Done: the README has a section."),
        ]);
        fixture.time.advance(minutes(2));
        let session = end(&fixture, "a");
        assert_eq!(session.ended, Some(Ended { at: START.plus(minutes(2)), reason: EndReason::Request }));
        let note = fixture.last_event();
        assert_eq!(
            (note.kind, note.target.as_deref()),
            (Kind::SystemEvent, Some(super::super::SUMMARY_TARGET))
        );
        assert_eq!((note.at, note.sequence), (START.plus(minutes(2)), 13));
        assert_snapshot!(note.summary, @r#"session ended (request): 12 events, last asked "Now document it", wrote 2 Rust and 1 SQL and 1 other files"#);
        assert_snapshot!(note.content.unwrap(), @r"
        12 events in role default
        last request: Now document it
        files written: src/cart.rs, src/total.rs, migrations/1.sql, LICENSE
        decided: Prices are integers
        decided: One currency
        gate: tests passed
        last answer: Done: the README has a section.
        ");
    }

    #[test]
    fn the_summary_of_a_session_with_little_in_it_is_short() {
        let fixture = Fixture::new();
        fixture
            .record(Observation { target: Some("a.py".into()), ..in_role("build", saw(Kind::Write, "a")) });
        end(&fixture, "a");
        let note = fixture.last_event();
        assert_snapshot!(note.summary, @"session ended (request): 1 events, wrote 1 Python file");
        assert_snapshot!(note.content.unwrap(), @r"
        1 events in role build
        files written: a.py
        ");
    }

    #[test]
    fn the_summary_names_ten_files_and_counts_the_rest() {
        let fixture = Fixture::new();
        let wrote = |n| Observation { target: Some(format!("{n}.go")), ..saw(Kind::Write, "a") };
        fixture.capture((1..=12).map(wrote).collect());
        end(&fixture, "a");
        assert_snapshot!(fixture.last_event().content.unwrap(), @r"
        12 events in role default
        files written: 1.go, 2.go, 3.go, 4.go, 5.go, 6.go, 7.go, 8.go, 9.go, 10.go and 2 more
        ");
    }

    #[test]
    fn the_summary_is_the_sessions_own_actors_whoever_ended_it() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        fixture.engine.end_session(&fixture.by("user:ann"), Some("a"), EndReason::Request).unwrap();
        assert_eq!(fixture.last_event().actor, "agent:claude".parse().unwrap());
    }

    #[test]
    fn a_session_that_has_ended_stays_as_it_is() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        let first = end(&fixture, "a");
        let log = fixture.log();
        fixture.time.advance(minutes(1));
        let second = fixture.engine.end_session(&fixture.caller, Some("a"), EndReason::Client).unwrap();
        assert_eq!((second, fixture.log()), (first, log));
    }

    #[test]
    fn an_event_after_an_hour_of_silence_closes_the_session_and_goes_on_in_it() {
        let fixture = Fixture::new();
        fixture.record(said(Kind::UserMessage, "a", "good morning"));
        fixture.time.advance(hours(3));
        fixture.record(said(Kind::UserMessage, "a", "good afternoon"));
        assert_snapshot!(fixture.story(), @r#"
        a/default 1 user_message: good morning
        a/default 2 system_event: session ended (idle): 1 events, last asked "good morning"
        a/default 3 user_message: good afternoon
        "#);
        assert_eq!(fixture.log()[1].at, START, "silence is not part of the session");
        assert_eq!(fixture.session("a").ended, None);
    }

    #[test]
    fn an_event_within_the_hour_goes_on_in_the_session() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        fixture.time.advance(hours(1) - std::time::Duration::from_micros(1));
        fixture.record(saw(Kind::Read, "a"));
        assert_eq!(fixture.log().len(), 2);
        fixture.time.advance(hours(1));
        fixture.record(saw(Kind::Read, "a"));
        assert_eq!(fixture.log().len(), 4);
    }

    #[test]
    fn the_job_closes_a_silent_session() {
        let fixture = Fixture::new();
        fixture.record(said(Kind::UserMessage, "a", "good morning"));
        fixture.time.advance(hours(5));
        assert_eq!(fixture.engine.work_one("w").unwrap().unwrap().outcome, Outcome::Done);
        let closed = Ended { at: START.plus(hours(1)), reason: EndReason::Idle };
        assert_eq!(fixture.session("a").ended, Some(closed));
        assert_snapshot!(fixture.story(), @r#"
        a/default 1 user_message: good morning
        a/default 2 system_event: session ended (idle): 1 events, last asked "good morning"
        "#);
        let note = fixture.last_event();
        assert_eq!((note.at, note.actor.to_string()), (START, "agent:claude".to_owned()));
        assert_eq!(fixture.engine.work_one("w").unwrap().unwrap().job.kind, "generate_memories");
        assert_eq!((fixture.engine.work_one("w").unwrap(), fixture.jobs()), (None, vec![]));
    }

    #[test]
    fn the_job_closes_a_session_that_was_resumed_and_fell_silent_again() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        end(&fixture, "a");
        fixture.time.advance(hours(2));
        fixture.engine.work_one("w").unwrap();
        fixture.engine.resume_session(&fixture.caller, Some("a")).unwrap();
        fixture.time.advance(hours(2));
        fixture.engine.work_one("w").unwrap();
        assert_eq!(fixture.session("a").ended.map(|ended| ended.reason), Some(EndReason::Idle));
    }

    #[test]
    fn the_job_closes_a_session_that_an_event_resumed() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        end(&fixture, "a");
        fixture.time.advance(hours(2));
        fixture.engine.work_one("w").unwrap();
        fixture.record(saw(Kind::Read, "a"));
        fixture.time.advance(hours(2));
        fixture.engine.work_one("w").unwrap();
        assert_eq!(fixture.session("a").ended.map(|ended| ended.reason), Some(EndReason::Idle));
    }
}

mod resuming {
    use super::*;

    #[test]
    fn a_resumed_session_goes_on_where_it_stopped_and_says_so() {
        let fixture = Fixture::new();
        fixture.record(said(Kind::UserMessage, "a", "hello"));
        let ended = end(&fixture, "a");
        fixture.time.advance(minutes(3));
        let resumed = fixture.engine.resume_session(&fixture.by("user:ann"), Some("a")).unwrap();
        let now = START.plus(minutes(3));
        assert_eq!(resumed, Session { ended: None, last_event_at: now, last_sequence: 3, ..ended });
        let note = fixture.last_event();
        assert_eq!((note.actor.to_string(), note.at), ("user:ann".to_owned(), now));
        assert_snapshot!(fixture.story(), @r#"
        a/default 1 user_message: hello
        a/default 2 system_event: session ended (request): 1 events, last asked "hello"
        a/default 3 system_event: session resumed
        "#);
        fixture.record(saw(Kind::Read, "a"));
        assert_eq!(fixture.violations(), Vec::<String>::new());
    }

    #[test]
    fn resuming_an_open_session_changes_nothing() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        let (before, log) = (fixture.session("a"), fixture.log());
        assert_eq!(fixture.engine.resume_session(&fixture.caller, Some("a")).unwrap(), before);
        assert_eq!(fixture.log(), log);
    }

    #[test]
    fn a_run_has_one_role_at_a_time_also_when_one_is_resumed() {
        let fixture = Fixture::new();
        let plan = fixture.record(in_role("plan", saw(Kind::Read, "a"))).session_id;
        fixture.record(in_role("build", saw(Kind::Read, "a")));
        fixture.engine.resume_session(&fixture.caller, Some(plan.as_str())).unwrap();
        let open = record::Filter { which: Which::Open, ..record::Filter::default() };
        let open = fixture.engine.sessions(&fixture.caller, &open, 9).unwrap().sessions;
        let roles: Vec<&str> = open.iter().map(|session| session.chatmode.as_str()).collect();
        assert_eq!(roles, ["plan"]);
    }
}

mod finding {
    use super::*;

    #[test]
    fn a_session_is_found_by_our_id_by_the_clients_and_by_a_beginning_of_either() {
        let fixture = Fixture::new();
        let a = fixture.record(saw(Kind::Read, "alpha-1")).session_id;
        fixture.time.advance(minutes(1));
        let b = fixture.record(saw(Kind::Read, "beta-1")).session_id;
        let found = |name: &str| fixture.session(name).id;
        assert_eq!(found(a.as_str()), a);
        assert_eq!(found(&a.as_str()[..19]), a);
        assert_eq!(found("alpha-1"), a);
        assert_eq!(found("be"), b);
        assert_eq!(fixture.engine.session(&fixture.caller, None).unwrap().id, b, "the newest");
    }

    #[test]
    fn the_whole_name_of_one_session_may_begin_the_name_of_another() {
        let fixture = Fixture::new();
        let short = fixture.record(saw(Kind::Read, "run")).session_id;
        fixture.record(saw(Kind::Read, "run-2"));
        assert_eq!(fixture.session("run").id, short);
    }

    #[test]
    fn a_clients_name_finds_the_role_it_is_in_now() {
        let fixture = Fixture::new();
        let plan = fixture.record(in_role("plan", saw(Kind::Read, "a"))).session_id;
        let build = fixture.record(in_role("build", saw(Kind::Read, "a"))).session_id;
        assert_eq!(fixture.session("a").id, build);
        fixture.record(in_role("plan", saw(Kind::Read, "a")));
        assert_eq!(fixture.session("a").id, plan);
    }

    #[test]
    fn a_name_that_fits_none_or_several_is_refused() {
        let fixture = Fixture::new();
        let find = |name| refused(fixture.engine.session(&fixture.caller, name));
        assert_snapshot!(find(None), @"not found: this project has no sessions yet; record one with `throughline log append`");
        fixture.capture(vec![saw(Kind::Read, "alpha-1"), saw(Kind::Read, "alpha-2")]);
        assert_snapshot!(find(Some("alpha")), @r#"invalid: several sessions begin with "alpha"; give more of the id"#);
        assert_snapshot!(find(Some("alpha_")), @r#"not found: there is no session "alpha_" in this project; `throughline session list` shows those there are"#);
        assert_snapshot!(find(Some("%")), @r#"not found: there is no session "%" in this project; `throughline session list` shows those there are"#);
    }

    #[test]
    fn a_page_of_sessions_says_how_many_there_are_in_truth() {
        let fixture = Fixture::new();
        for name in ["a", "b", "c"] {
            fixture.record(in_role(name, saw(Kind::Read, name)));
            fixture.time.advance(minutes(1));
        }
        end(&fixture, "b");
        let page = |filter: record::Filter, limit| {
            let page = fixture.engine.sessions(&fixture.caller, &filter, limit).unwrap();
            (page.sessions.into_iter().map(|session| session.chatmode).collect::<Vec<_>>(), page.total)
        };
        let all = record::Filter::default;
        assert_eq!(
            page(all(), 2),
            (vec!["b".into(), "c".into()], 3),
            "the one that ended last is the newest"
        );
        assert_eq!(
            page(record::Filter { which: Which::Open, ..all() }, 9),
            (vec!["c".into(), "a".into()], 2)
        );
        assert_eq!(page(record::Filter { chatmode: Some("a".into()), ..all() }, 9), (vec!["a".into()], 1));
    }
}

mod status {
    use super::*;

    #[test]
    fn a_session_is_open_then_idle_then_ended() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        let state = || fixture.engine.session_state(&fixture.session("a"));
        assert_eq!(state(), State::Open);
        fixture.time.advance(hours(1));
        assert_eq!(state(), State::Idle);
        fixture.engine.work_one("w").unwrap();
        assert_eq!(state(), State::Ended(EndReason::Idle));
    }

    #[test]
    fn the_status_tells_the_whole_of_a_session() {
        let role = Role { scopes: vec!["user".into()], max_tokens: Some(5), ..Role::default() };
        let roles = [("plan".to_owned(), role.clone())].into();
        let fixture = Fixture::with(Settings { roles, ..Settings::default() });
        fixture.capture(vec![
            in_role("plan", said(Kind::UserMessage, "a", "hello there")),
            said(Kind::MemoryRecall, "a", "two memories"),
            said(Kind::UserMessage, "a", "bye"),
        ]);
        fixture.time.advance(minutes(7));
        let status =
            || fixture.engine.session_status(&fixture.caller, Some("a"), &plain("/nowhere")).unwrap();
        let expected = Status {
            scratchpad: fixture.engine.scratchpad(&fixture.caller, Some("a")).unwrap(),
            state: State::Open,
            duration: minutes(7),
            events: 3,
            tokens: 5,
            by_kind: vec![(Kind::MemoryRecall, 1), (Kind::UserMessage, 2)],
            memories_recalled: 1,
            injections: Injections { count: 0, tokens: 0, memories: 0, newest: vec![] },
            compaction: Compaction {
                summaries: 0,
                replaced_to: None,
                events_since: 3,
                turns_since: 2,
                tokens_since: 5,
                tokens_held: 5,
                turns_limit: 30,
                tokens_limit: 80_000,
                due: None,
            },
            role: Some(role),
            workflow: None,
        };
        assert_eq!(status(), expected);
        fixture.time.advance(hours(1));
        assert_eq!(status(), Status { state: State::Idle, duration: minutes(0), ..expected });
    }

    #[test]
    fn the_duration_of_a_session_that_fell_silent_does_not_count_the_silence() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        fixture.time.advance(minutes(10));
        fixture.record(saw(Kind::Read, "a"));
        fixture.time.advance(hours(2));
        let duration =
            || fixture.engine.session_status(&fixture.caller, None, &plain("/nowhere")).unwrap().duration;
        assert_eq!(duration(), minutes(10), "while it is idle");
        fixture.engine.work_one("w").unwrap();
        assert_eq!(duration(), minutes(10), "when it was closed");
    }

    #[test]
    fn a_workflow_that_is_named_is_read_ignored_or_missed() {
        let folder = tempfile::tempdir().unwrap();
        let workflows = folder.path().join(".throughline/workflows");
        std::fs::create_dir_all(&workflows).unwrap();
        std::fs::write(workflows.join("good.md"), "---\ntitle: Good\n---\n").unwrap();
        std::fs::write(workflows.join("bad.prompt.md"), "---\ntitle: [\n---\n").unwrap();
        std::fs::write(folder.path().join("secret.md"), "---\ntitle: Outside\n---\n").unwrap();
        let fixture = Fixture::new();
        let mut outcomes = Vec::new();
        for name in ["good", "bad", "none", "../../secret", ".."] {
            let opening = Opening { workflow: Some(name.into()), ..Opening::default() };
            fixture.record(Observation { opening, ..saw(Kind::Read, &format!("session {name}")) });
            fixture.time.advance(minutes(1));
            let status = fixture.engine.session_status(&fixture.caller, None, &plain(folder.path())).unwrap();
            outcomes.push(match status.workflow.unwrap() {
                crate::session::Loaded::Read { workflow, .. } => format!("{name}: read {:?}", workflow.title),
                crate::session::Loaded::Ignored { path, .. } => {
                    format!("{name}: ignored {}", path.strip_prefix(folder.path()).unwrap().display())
                }
                crate::session::Loaded::Missing { looked_in } => format!("{name}: missing in {looked_in:?}"),
            });
        }
        assert_snapshot!(outcomes.join("\n"), @r#"
        good: read Some("Good")
        bad: ignored .throughline/workflows/bad.prompt.md
        none: missing in [".throughline/workflows", ".claude/workflows"]
        ../../secret: missing in [".throughline/workflows", ".claude/workflows"]
        ..: missing in [".throughline/workflows", ".claude/workflows"]
        "#);
    }
}

mod histories {
    use super::*;

    #[test]
    fn a_turn_begins_with_what_the_user_said() {
        let fixture = Fixture::new();
        fixture.capture(vec![
            said(Kind::SystemEvent, "a", "start"),
            said(Kind::UserMessage, "a", "one"),
            said(Kind::ModelMessage, "a", "one answered"),
            said(Kind::UserMessage, "a", "two"),
            said(Kind::UserMessage, "b", "another session"),
            said(Kind::ModelMessage, "a", "two answered"),
        ]);
        let turns = |turns| {
            let window = Window { turns, ..EVERYTHING };
            let history = fixture.engine.history(&fixture.caller, Some("a"), window).unwrap();
            (shown(&history).join(", "), history.omitted)
        };
        assert_eq!(turns(0), (String::new(), 5));
        assert_eq!(turns(1), ("two, two answered".into(), 3));
        assert_eq!(turns(2), ("one, one answered, two, two answered".into(), 1));
        assert_eq!(turns(3), ("start, one, one answered, two, two answered".into(), 0));
    }

    #[test]
    fn the_newest_events_within_the_tokens_are_shown() {
        let fixture = Fixture::new();
        fixture.capture(["a", "b c", "d e f", "g"].map(|text| said(Kind::ModelMessage, "a", text)).to_vec());
        let tokens = |max_tokens| {
            let history = history(&fixture, Window { max_tokens, ..EVERYTHING });
            (shown(&history).join(", "), history.tokens)
        };
        assert_eq!(tokens(0), (String::new(), 0));
        assert_eq!(tokens(3), ("g".into(), 1));
        assert_eq!(tokens(4), ("d e f, g".into(), 4));
        assert_eq!(tokens(6), ("b c, d e f, g".into(), 6));
        assert_eq!(tokens(7), ("a, b c, d e f, g".into(), 7));
    }

    #[test]
    fn a_history_may_be_longer_than_a_page() {
        let fixture = Fixture::new();
        fixture.capture((0..600).map(|_| said(Kind::ModelMessage, "a", "g")).collect());
        let all = history(&fixture, EVERYTHING);
        assert_eq!((all.events, all.omitted), (fixture.log(), 0));
        for n in [255, 256, 257, 511, 512, 513] {
            let newest = history(&fixture, Window { max_tokens: n, ..EVERYTHING });
            let expected = fixture.log().split_off(600 - n as usize);
            assert_eq!((newest.events, newest.tokens, newest.omitted), (expected, n, 600 - n as i64));
        }
    }

    #[test]
    fn a_result_whose_call_is_not_shown_is_not_shown() {
        let fixture = Fixture::new();
        fixture.capture(vec![
            said(Kind::UserMessage, "a", "one"),
            call("bash", "call 1"),
            said(Kind::UserMessage, "a", "two"),
            result("bash", "result 1"),
            said(Kind::ModelMessage, "a", "answer"),
        ]);
        let newest = history(&fixture, Window { turns: 1, ..EVERYTHING });
        assert_eq!((shown(&newest), newest.omitted), (vec!["two", "answer"], 3));
        let all = history(&fixture, EVERYTHING);
        assert_eq!((shown(&all), all.omitted), (vec!["one", "call 1", "two", "result 1", "answer"], 0));
    }

    #[test]
    fn a_result_that_never_had_a_call_is_shown_as_it_was_recorded() {
        let fixture = Fixture::new();
        fixture.capture(vec![call("bash", "call 1"), result("grep", "result 2"), result("bash", "result 1")]);
        assert_eq!(shown(&history(&fixture, EVERYTHING)), ["call 1", "result 2", "result 1"]);
    }

    #[test]
    fn a_result_without_a_target_answers_any_open_call() {
        let fixture = Fixture::new();
        fixture.capture(vec![
            said(Kind::UserMessage, "a", "one"),
            said(Kind::UserMessage, "a", "two"),
            call("bash", "call 1"),
            said(Kind::ToolResult, "a", "result 1"),
        ]);
        let cut = history(&fixture, Window { turns: 1, ..EVERYTHING });
        assert_eq!(shown(&cut), ["two", "call 1", "result 1"]);
    }

    #[test]
    fn a_result_answers_the_call_it_names_whatever_its_target() {
        let fixture = Fixture::new();
        let calls = fixture.capture(vec![
            said(Kind::UserMessage, "a", "one"),
            call("bash", "call 1"),
            said(Kind::UserMessage, "a", "two"),
            call("bash", "call 2"),
        ]);
        let answer = |call: usize, observation| Observation {
            triggered_by: Some(calls[call].id.clone()),
            ..observation
        };
        fixture.capture(vec![
            answer(3, said(Kind::ToolResult, "a", "result 2")),
            answer(1, result("bash", "result 1")),
        ]);
        let newest = history(&fixture, Window { turns: 1, ..EVERYTHING });
        assert_eq!(shown(&newest), ["two", "call 2", "result 2"], "the call of result 1 is not shown");
        let all = history(&fixture, EVERYTHING);
        assert_eq!(shown(&all), ["one", "call 1", "two", "call 2", "result 2", "result 1"]);
    }

    #[test]
    fn parallel_calls_of_one_tool_all_keep_their_results() {
        let fixture = Fixture::new();
        fixture.capture(vec![
            call("bash", "call 1"),
            call("bash", "call 2"),
            call("grep", "call 3"),
            result("grep", "result 3"),
            result("bash", "result 1"),
            result("bash", "result 2"),
            result("bash", "of nothing"),
        ]);
        let all = history(&fixture, EVERYTHING);
        let everything = ["call 1", "call 2", "call 3", "result 3", "result 1", "result 2", "of nothing"];
        assert_eq!(shown(&all), everything);
    }

    /// Results come in the order of their calls, so the surplus ones answer the calls that fell outside.
    #[test]
    fn a_result_is_never_shown_as_the_answer_to_another_call() {
        let fixture = Fixture::new();
        fixture.capture(vec![
            call("bash", "call1"),
            said(Kind::UserMessage, "a", "go"),
            call("bash", "call2"),
            result("bash", "result 1"),
            result("bash", "result 2"),
        ]);
        let newest = history(&fixture, Window { turns: 1, ..EVERYTHING });
        assert_eq!(shown(&newest), ["go", "call2", "result 2"]);
    }

    #[test]
    fn a_result_that_names_the_request_is_still_matched_with_its_call() {
        let fixture = Fixture::new();
        fixture.record(call("bash", "call 1"));
        let request = fixture.record(said(Kind::UserMessage, "a", "go")).id;
        fixture.record(Observation { triggered_by: Some(request), ..result("bash", "result 1") });
        assert_eq!(shown(&history(&fixture, EVERYTHING)), ["call 1", "go", "result 1"]);
        assert_eq!(shown(&history(&fixture, Window { turns: 1, ..EVERYTHING })), ["go"]);
    }

    #[test]
    fn the_history_of_an_unknown_session_is_refused() {
        let fixture = Fixture::new();
        assert_snapshot!(
            refused(fixture.engine.history(&fixture.caller, Some("x"), EVERYTHING)),
            @r#"not found: there is no session "x" in this project; `throughline session list` shows those there are"#
        );
    }

    #[derive(Debug, Clone)]
    enum Step {
        Say(Kind, usize),
        Call(u8),
        /// Of a tool; some also name their call, the n-th before them.
        Result(u8, Option<usize>),
    }

    fn step() -> impl Strategy<Value = Step> {
        let kind = prop::sample::select(vec![Kind::UserMessage, Kind::ModelMessage, Kind::Read]);
        prop_oneof![
            (kind, 0..8usize).prop_map(|(kind, words)| Step::Say(kind, words)),
            (0..2u8).prop_map(Step::Call),
            (0..2u8, prop::option::of(0..4usize)).prop_map(|(tool, back)| Step::Result(tool, back)),
        ]
    }

    fn session_of(steps: &[Step]) -> (Fixture, Vec<Event>) {
        let fixture = Fixture::new();
        let mut calls: Vec<EventId> = Vec::new();
        for step in steps {
            let observation = match step {
                Step::Say(kind, words) => said(*kind, "a", &"word ".repeat(*words)),
                Step::Call(tool) => call(&format!("tool {tool}"), "call"),
                Step::Result(tool, back) => Observation {
                    triggered_by: back.and_then(|back| calls.iter().rev().nth(back)).cloned(),
                    ..result(&format!("tool {tool}"), "result")
                },
            };
            let is_call = observation.kind == Kind::ToolCall;
            calls.extend(is_call.then_some(fixture.record(observation).id));
        }
        let log = fixture.log();
        (fixture, log)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_history_is_the_newest_part_that_fits_without_results_whose_calls_are_missing(
            steps in prop::collection::vec(step(), 1..30),
            turns in 0..6usize,
            max_tokens in 0..60u64,
        ) {
            let (fixture, log) = session_of(&steps);
            let history = history(&fixture, Window { turns, max_tokens });

            prop_assert_eq!(&history.session, &fixture.session("a"));
            prop_assert_eq!(history.omitted + history.events.len() as i64, log.len() as i64);
            prop_assert_eq!(history.tokens, history.events.iter().map(|event| event.tokens as u64).sum::<u64>());
            prop_assert!(history.tokens <= max_tokens);
            let users = history.events.iter().filter(|event| event.kind == Kind::UserMessage).count();
            prop_assert!(users <= turns);

            let shown: HashSet<&EventId> = history.events.iter().map(|event| &event.id).collect();
            let first = log.iter().position(|event| shown.contains(&event.id)).unwrap_or(log.len());
            for event in &log[first..] {
                prop_assert!(shown.contains(&event.id) || event.kind == Kind::ToolResult, "a gap at {event:?}");
            }
            let mut calls = 0;
            // Only a cut can separate a result from its call.
            for event in history.events.iter().filter(|_| history.omitted > 0) {
                match (event.kind, &event.triggered_by) {
                    (Kind::ToolCall, _) => calls += 1,
                    (Kind::ToolResult, Some(call)) => prop_assert!(shown.contains(call)),
                    (Kind::ToolResult, None) => {
                        prop_assert!(calls > 0, "no call is left for {event:?}");
                        calls -= 1;
                    }
                    _ => {}
                }
            }
        }

        #[test]
        fn a_window_without_limits_shows_every_call_and_message(steps in prop::collection::vec(step(), 1..30)) {
            let (fixture, log) = session_of(&steps);
            let shown = history(&fixture, EVERYTHING).events;
            let but_results = |events: &[Event]| -> Vec<Event> {
                events.iter().filter(|event| event.kind != Kind::ToolResult).cloned().collect()
            };
            prop_assert_eq!(but_results(&shown), but_results(&log));
        }
    }
}

mod scratchpads {
    use super::*;

    #[test]
    fn an_update_merges_counts_a_version_and_is_noted_in_the_log() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        let empty = fixture.engine.scratchpad(&fixture.caller, None).unwrap();
        assert_eq!((&empty.state, empty.version), (&json!({}), 0));

        fixture.time.advance(minutes(1));
        let patch = json!({"current_task": "cart", "notes": {"a": 1, "b": 2}, "blockers": ["x"]});
        let first = update(&fixture, patch.clone()).unwrap();
        assert_eq!((&first.state, first.version), (&patch, 1));
        let second =
            update(&fixture, json!({"notes": {"a": null}, "blockers": null, "spec_file": "s.md"})).unwrap();
        let merged = json!({"current_task": "cart", "notes": {"b": 2}, "spec_file": "s.md"});
        assert_eq!((&second.state, second.version), (&merged, 2));
        assert_eq!(fixture.engine.scratchpad(&fixture.caller, Some("a")).unwrap(), second);
        assert_eq!(second.session, fixture.session("a"));

        assert_snapshot!(fixture.story(), @r"
        a/default 1 read: read
        a/default 2 system_event: scratchpad: current_task, notes, blockers
        a/default 3 system_event: scratchpad: notes, blockers, spec_file
        ");
        let note = &fixture.log()[1];
        assert_eq!((note.target.as_deref(), note.at), (Some("scratchpad"), START.plus(minutes(1))));
        let parts: Json = serde_json::from_str(note.parts.as_deref().unwrap()).unwrap();
        assert_eq!(parts, json!({"patch": patch, "version": 1}));
    }

    #[test]
    fn a_stale_write_is_refused_and_loses_nothing() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        let guarded = |value: &str, version| {
            let update = Update { patch: json!({ "current_task": value }), if_version: Some(version) };
            fixture.engine.update_scratchpad(&fixture.caller, None, &update)
        };
        let first = guarded("mine", 0).unwrap();
        let log = fixture.log();
        assert_snapshot!(refused(guarded("theirs", 0)), @"conflict: the scratchpad is at version 1 and not 0 any more; nothing was changed; read it and try again with version 1");
        assert_snapshot!(refused(guarded("theirs", 2)), @"conflict: the scratchpad is at version 1 and not 2 any more; nothing was changed; read it and try again with version 1");
        assert_eq!(fixture.engine.scratchpad(&fixture.caller, None).unwrap(), first);
        assert_eq!(fixture.log(), log);
        assert_eq!(guarded("theirs", 1).unwrap().version, 2);
    }

    #[test]
    fn what_the_known_keys_cannot_hold_is_refused() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        let patches = [
            json!(["a list"]),
            json!(null),
            json!({"current_task": 1}),
            json!({"spec_file": {"path": "s"}}),
            json!({"files_in_progress": "a.rs"}),
            json!({"validation_gates_passed": {}}),
            json!({"blockers": true}),
            json!({"free": "x".repeat(256 * 1024)}),
        ];
        let messages = patches.map(|patch| refused(update(&fixture, patch)));
        assert_snapshot!(messages.join("\n"), @r#"
        invalid: a scratchpad is changed by a JSON object, for instance {"current_task": "…"}
        invalid: a scratchpad is changed by a JSON object, for instance {"current_task": "…"}
        invalid: "current_task" in the scratchpad must be a text
        invalid: "spec_file" in the scratchpad must be a text
        invalid: "files_in_progress" in the scratchpad must be a list
        invalid: "validation_gates_passed" in the scratchpad must be a list
        invalid: "blockers" in the scratchpad must be a list
        invalid: the scratchpad would be larger than 262144 bytes; keep long texts in files and name them here
        "#);
        assert_eq!(fixture.engine.scratchpad(&fixture.caller, None).unwrap().version, 0);
        assert_eq!(fixture.log().len(), 1);
    }

    #[test]
    fn the_size_is_that_of_the_whole_scratchpad() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        let half = || json!("x".repeat(128 * 1024));
        update(&fixture, json!({ "one": half() })).unwrap();
        refused(update(&fixture, json!({ "two": half() })));
        update(&fixture, json!({ "two": half(), "one": null })).unwrap();
    }

    #[test]
    fn secrets_reach_neither_the_scratchpad_nor_the_log() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        let after = update(&fixture, json!({ "notes": [format!("use {SECRET} for the push")] })).unwrap();
        let note = fixture.last_event();
        assert!(!format!("{after:?} {note:?}").contains(SECRET), "{after:#?} {note:#?}");
        assert_eq!(note.redactions, 1, "the event says so");
    }

    #[test]
    fn the_note_of_a_change_has_a_summary_of_one_short_line() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        let mut patch: serde_json::Map<String, Json> =
            (0..40).map(|n| (format!("key number {n}"), json!(n))).collect();
        patch.insert("a key\nof two lines and a zero \0 byte".into(), json!(1));
        patch.shift_insert(0, "first\0\nkey".into(), json!(1));
        update(&fixture, Json::Object(patch)).unwrap();
        let summary = fixture.last_event().summary;
        assert!(summary.chars().count() <= 160 && !summary.contains(char::is_control), "{summary:?}");
    }

    #[test]
    fn the_scratchpad_of_an_ended_session_can_be_corrected_without_opening_it() {
        let fixture = Fixture::new();
        fixture.record(saw(Kind::Read, "a"));
        update(&fixture, json!({"current_task": "cart"})).unwrap();
        let ended = end(&fixture, "a");
        let after = update(&fixture, json!({"current_task": null, "done": true})).unwrap();
        assert_eq!(
            (after.state, after.version, after.session.ended),
            (json!({"done": true}), 2, ended.ended)
        );
        assert_eq!(fixture.last_event().summary, "scratchpad: current_task, done", "the log says so");
    }

    #[test]
    fn the_scratchpad_survives_a_resume_and_belongs_to_one_role() {
        let fixture = Fixture::new();
        fixture.record(in_role("plan", saw(Kind::Read, "a")));
        update(&fixture, json!({"current_task": "plan"})).unwrap();
        fixture.record(in_role("build", saw(Kind::Read, "a")));
        let state = |name: &str| fixture.engine.scratchpad(&fixture.caller, Some(name)).unwrap().state;
        assert_eq!(state("a"), json!({}));
        fixture.record(in_role("plan", saw(Kind::Read, "a")));
        assert_eq!(state("a"), json!({"current_task": "plan"}));
    }

    fn update_within(
        fixture: &Fixture,
        session: &str,
        patch: Json,
        if_version: Option<i64>,
    ) -> crate::Result<Scratchpad> {
        let session = SessionRef::Of { client: "codex".to_owned(), session: session.to_owned() };
        let within = (&session, &Opening { git_branch: Some("main".to_owned()), ..Opening::default() });
        fixture.engine.update_scratchpad_within(&fixture.caller, within, &Update { patch, if_version })
    }

    #[test]
    fn a_session_opens_with_its_scratchpad() {
        let fixture = Fixture::new();
        let first = update_within(&fixture, "run", json!({ "current_task": "a" }), Some(0)).unwrap();
        assert_eq!((first.version, first.state), (1, json!({ "current_task": "a" })));
        assert_eq!(
            (first.session.client.as_str(), first.session.git_branch.as_deref()),
            ("codex", Some("main"))
        );
        let second = update_within(&fixture, "run", json!({ "spec_file": "b" }), None).unwrap();
        assert_eq!((second.version, &second.session.id), (2, &first.session.id));
        let event = fixture.last_event();
        assert_eq!((event.target.as_deref(), event.sequence), (Some("scratchpad"), 2));
        assert_eq!(event.summary, "scratchpad: spec_file");
        let parts: Json = serde_json::from_str(event.parts.as_deref().unwrap()).unwrap();
        assert_eq!(parts, json!({ "patch": { "spec_file": "b" }, "version": 2 }));
        let known = |session: &str| {
            let session = SessionRef::Of { client: "codex".to_owned(), session: session.to_owned() };
            fixture.engine.known_session(&fixture.caller, &session).unwrap().map(|session| session.id)
        };
        assert_eq!((known("run"), known("another")), (Some(first.session.id), None));
    }

    #[test]
    fn what_is_refused_opens_no_session() {
        let fixture = Fixture::new();
        assert_snapshot!(refused(update_within(&fixture, "run", json!({ "a": 1 }), Some(3))), @"conflict: the scratchpad is at version 0 and not 3 any more; nothing was changed; read it and try again with version 0");
        assert_snapshot!(refused(update_within(&fixture, "run", json!({ "blockers": 1 }), None)), @r#"invalid: "blockers" in the scratchpad must be a list"#);
        assert_snapshot!(refused(update_within(&fixture, "run", json!([1]), None)), @r#"invalid: a scratchpad is changed by a JSON object, for instance {"current_task": "…"}"#);
        let page = fixture.engine.sessions(&fixture.caller, &record::Filter::default(), 9).unwrap();
        assert_eq!(page.total, 0);
    }

    #[test]
    fn secrets_do_not_reach_a_scratchpad_that_opens_a_session() {
        let fixture = Fixture::new();
        let kept = update_within(&fixture, "run", json!({ "note": SECRET }), None).unwrap();
        let event = fixture.last_event();
        for text in [kept.state.to_string(), event.parts.unwrap(), event.summary] {
            assert!(!text.contains(SECRET), "{text}");
        }
        assert_eq!(event.redactions, 1);
    }

    #[test]
    fn the_scratchpad_of_an_unknown_session_is_refused() {
        let fixture = Fixture::new();
        assert_snapshot!(refused(update(&fixture, json!({"a": 1}))), @"not found: this project has no sessions yet; record one with `throughline log append`");
    }
}

#[test]
fn a_session_named_by_hand_is_found_by_that_name() {
    let fixture = Fixture::new();
    fixture.record(Observation::of(Kind::Decision, named("spike")));
    fixture.record(Observation::of(Kind::Decision, SessionRef::Own));
    let filter = Filter { sessions: vec![fixture.session("spike").id], ..Filter::default() };
    assert_eq!(fixture.matching(&filter).len(), 1);
}
