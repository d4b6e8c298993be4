//! What a hydration is about.

use throughline_engine::Error;
use throughline_engine::backlog::NewItem;
use throughline_engine::hydrate::{Focus, Request, ResolvedFrom, Role, Stage};

use super::super::backlog::Backlog;
use super::ids;
use crate::wire::context::Format;

fn asked(backlog: &Backlog, text: &str) -> throughline_engine::hydrate::Hydration {
    backlog.hydrate(&Request::about(Focus::Query(text.to_owned())), Format::Json)
}

#[test]
fn scripts_without_spaces_are_found_and_related() {
    let backlog = Backlog::empty(51);
    for (query, title, like) in [
        ("支付网关", "支付网关超时重试", "修复支付网关的超时"),
        ("認証トークン", "認証トークンの更新", "認証トークンが切れる"),
        ("بوابة الدفع", "مهلة بوابة الدفع", "إعادة المحاولة في بوابة الدفع"),
        ("שער התשלום", "שגיאה בשער התשלום", "בדיקה של שער התשלום"),
        ("de\u{301}ploiement", "déploiement bloqué", "le déploiement échoue"),
    ] {
        let id = backlog.create(NewItem::of(title));
        let other = backlog.create(NewItem::of(like));
        let answer = asked(&backlog, query);
        assert!([&id, &other].contains(&&answer.focal.entry.item.id.to_string()), "{query}");
        assert_eq!(answer.metadata.resolved_from, ResolvedFrom::Query);
        assert!(ids(&backlog.all_about(&id), Role::Related).contains(&other.as_str()), "{title}");
    }
}

#[test]
fn an_item_without_words_has_nothing_related_and_no_error() {
    let backlog = Backlog::empty(52);
    let id = backlog.create(NewItem::of("?!"));
    backlog.create(NewItem::of("--"));
    let answer = backlog.all_about(&id);
    assert!(answer.related.is_empty());
    assert!(answer.metadata.stages.contains(&Stage::Semantic));
}

#[test]
fn an_unknown_id_names_near_ones() {
    let backlog = Backlog::empty(53);
    (0..5).for_each(|n| drop(backlog.create(NewItem::of(format!("item {n}")))));
    let ask = |focus| backlog.engine.hydrate(&backlog.caller, &Request::about(focus), &Format::Json);
    let Err(Error::NotFound(text)) = ask(Focus::Id("TASK-0006".to_owned())) else { panic!() };
    assert!(text.contains("TASK-0005"), "{text}");
    let Err(Error::NotFound(text)) = ask(Focus::Query("zebra".to_owned())) else { panic!() };
    assert!(text.contains("TASK-0005 \"item 4\""), "{text}");
}

#[test]
fn who_names_an_item_means_it() {
    let backlog = Backlog::empty(54);
    let first = backlog.create(NewItem::of("payment gateway"));
    backlog.create(NewItem::of("what about payments"));
    assert_eq!(asked(&backlog, &format!("what about {first}?")).focal.entry.item.id.as_str(), first);
}
