//! How somebody is named.

use crate::actor::{Actor, ActorKind};

#[test]
fn an_actor_is_their_text() {
    for (text, kind, name) in [
        ("user:ann", ActorKind::User, "ann"),
        ("agent:claude code", ActorKind::Agent, "claude code"),
        ("agent:a:b", ActorKind::Agent, "a:b"),
        ("user:王 🚀", ActorKind::User, "王 🚀"),
    ] {
        let actor = Actor { kind, name: name.into() };
        assert_eq!(text.parse(), Ok(actor.clone()));
        assert_eq!(actor.to_string(), text);
    }
}

#[test]
fn a_text_that_names_nobody_is_refused_with_what_to_write() {
    let endless = format!("user:{}", "x".repeat(201));
    for wrong in ["", "ann", "user:", "user:  ", "robot:ann", "User:ann", "user:a\nb", &endless] {
        assert_eq!(
            wrong.parse::<Actor>(),
            Err(format!("{wrong:?} is not an actor; write user:NAME or agent:NAME"))
        );
    }
}
