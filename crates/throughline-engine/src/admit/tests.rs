//! Tokens as their holders and their makers see them.

use std::time::Duration;

use throughline_store::token::Role;

use super::NewToken;
use crate::Error;
use crate::testing::Fixture;

#[test]
fn a_token_is_known_by_its_text_until_it_is_revoked() {
    let fixture = Fixture::new();
    let (token, text) = fixture.engine.create_token(new(&fixture, "laptop")).unwrap();
    assert!(fixture.engine.has_valid_token().unwrap());
    assert_eq!(fixture.engine.admit(&text).unwrap(), Some(token.clone()));
    assert!(!format!("{token:?}").contains(text.rsplit('_').next().unwrap()), "only a hash is kept");
    for wrong in
        ["", "tl_", "tl__", &text[..text.len() - 1], &format!("{text}x"), &text.replace("tl_", "tl-")]
    {
        assert_eq!(fixture.engine.admit(wrong).unwrap(), None, "{wrong}");
    }
    let revoked = fixture.engine.revoke_token("laptop").unwrap();
    assert!(revoked.revoked_at.is_some());
    assert_eq!(fixture.engine.admit(&text).unwrap(), None);
    assert!(!fixture.engine.has_valid_token().unwrap());
    assert_eq!(fixture.engine.revoke_token("laptop").unwrap(), revoked, "once is enough");
}

#[test]
fn a_name_that_is_used_again_means_the_token_that_is_valid() {
    let fixture = Fixture::new();
    let (first, _) = fixture.engine.create_token(new(&fixture, "ci")).unwrap();
    fixture.engine.revoke_token("ci").unwrap();
    let (second, _) = fixture.engine.create_token(new(&fixture, "ci")).unwrap();
    assert_eq!(fixture.engine.revoke_token("ci").unwrap().id, second.id);
    assert_eq!(fixture.engine.revoke_token(first.id.as_str()).unwrap().id, first.id);
}

#[test]
fn wrong_names_are_refused() {
    let fixture = Fixture::new();
    for name in ["", " ", "a\nb", &"x".repeat(101)] {
        assert!(
            matches!(fixture.engine.create_token(new(&fixture, name)), Err(Error::Invalid(_))),
            "{name:?}"
        );
    }
    assert!(matches!(fixture.engine.revoke_token("nobody"), Err(Error::NotFound(_))));
    assert!(matches!(fixture.engine.revoke_token(""), Err(Error::NotFound(_))));
}

#[test]
fn a_token_ends_by_itself() {
    let fixture = Fixture::new();
    let short = NewToken { lasts: Some(Duration::ZERO), ..new(&fixture, "short") };
    let (_, text) = fixture.engine.create_token(short).unwrap();
    assert_eq!(fixture.engine.admit(&text).unwrap(), None);
}

fn new(fixture: &Fixture, name: &str) -> NewToken {
    NewToken {
        name: name.to_owned(),
        role: Role::Read,
        project: None,
        actor: fixture.caller.actor.clone(),
        lasts: None,
    }
}
