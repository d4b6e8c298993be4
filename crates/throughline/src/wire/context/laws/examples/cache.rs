//! Answers are kept as long as they are true.

use throughline_engine::backlog::{Edit, NewItem, Patch};
use throughline_engine::hydrate::{Request, Role};
use throughline_engine::remember::Statement;

use super::super::backlog::{Backlog, Shape, minutes, own, session};
use super::super::case::{self, FORMATS};
use super::super::chance::Chance;
use super::{about, evidence, ids, sent};
use crate::wire::context::Format;

/// Two engines that never heard of each other, asked at different times.
#[test]
fn the_same_log_gives_the_same_bytes() {
    let (first, second) = (Backlog::generate(41, Shape::Tree, 40), Backlog::generate(41, Shape::Tree, 40));
    second.time.advance(minutes(60 * 24 * 30));
    let mut chance = Chance::new(41);
    for _ in 0..20 {
        let (request, format) = case::request(&mut chance, &first);
        let ask = |backlog: &Backlog| {
            let answer = backlog.engine.hydrate(&backlog.caller, &request, &format);
            answer.map(|answer| sent(&answer, format)).map_err(|error| error.to_string())
        };
        let (a, b) = (ask(&first), ask(&second));
        assert_eq!(a, b, "{request:?}");
        assert_eq!(a, ask(&first), "{request:?}");
    }
}

#[test]
fn every_write_is_in_the_next_answer() {
    let backlog = Backlog::empty(42);
    let focal = backlog.create(NewItem::of("payment gateway timeouts"));
    let request: Request = about(&focal);
    let text = || sent(&backlog.hydrate(&request, Format::Json), Format::Json);
    let shows = |what: &str| assert!(text().contains(what), "{what} is not in {}", text());
    text();
    let child = backlog.below(&focal, "a child");
    shows(&child);
    backlog.update("agent:claude", &focal, &evidence("build 17 is green"), &own());
    shows("build 17 is green");
    let renamed = Patch { title: Some("gateway renamed".to_owned()), ..Patch::default() };
    backlog.update("agent:claude", &child, &renamed, &session("s"));
    shows("gateway renamed");
    let naming = backlog.create(NewItem { description: format!("see {focal}"), ..NewItem::of("naming") });
    assert_eq!(ids(&backlog.all_about(&focal), Role::ReferencedBy), [naming.as_str()]);
    let statement = Statement::of("payment gateway timeouts are thirty seconds");
    backlog.engine.remember(&backlog.caller, vec![statement]).unwrap();
    shows("are thirty seconds");
    let uri = format!("throughline://resource/{focal}/plan.md");
    let edit = Edit::Create { content: "# The plan for timeouts".to_owned() };
    backlog.engine.write_resource(&backlog.caller, &uri, &edit, &own()).unwrap();
    shows("The plan for timeouts");
    backlog.engine.delete_item(&backlog.caller, &naming, &own()).unwrap();
    assert!(!text().contains(&naming), "{}", text());
}

#[test]
fn a_memory_is_gone_when_it_expires() {
    let backlog = Backlog::empty(43);
    let focal = backlog.create(NewItem::of("payment gateway timeouts"));
    let expires_at = Some(backlog.time.now().plus(minutes(10)));
    let statement = Statement { expires_at, ..Statement::of("payment gateway timeouts are thirty seconds") };
    backlog.engine.remember(&backlog.caller, vec![statement]).unwrap();
    assert_eq!(backlog.all_about(&focal).memories.len(), 1);
    backlog.time.advance(minutes(11));
    assert_eq!(backlog.all_about(&focal).memories.len(), 0);
}

#[test]
fn formats_are_kept_apart() {
    let backlog = Backlog::empty(44);
    let id = backlog.create(NewItem::of("payment gateway"));
    let estimates = FORMATS.map(|format| {
        let answer = backlog.hydrate(&about(&id), format);
        (answer.metadata.token_estimate, throughline_engine::tokens::count(&sent(&answer, format)))
    });
    assert!(estimates.iter().all(|(said, count)| said == count), "{estimates:?}");
}
