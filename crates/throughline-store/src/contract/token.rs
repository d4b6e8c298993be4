//! The statements about access tokens.

use super::fixture::{actor, project_id, read, write};
use crate::Store;
use crate::id::TokenId;
use crate::time::Timestamp;
use crate::token::{self as record, Role, Token};

fn a_token_comes_back_whole(store: &Store) {
    let full = Token {
        project: Some(project_id("p")),
        expires_at: Some(Timestamp(90)),
        revoked_at: Some(Timestamp(50)),
        role: Role::Admin,
        ..token("b", 2)
    };
    let all = [token("a", 1), full];
    all.iter().for_each(|token| write(store, |tx| record::insert(tx, token)));
    assert_eq!(read(store, record::list), all);
    assert_eq!(read(store, |conn| record::by_id(conn, &all[1].id)), Some(all[1].clone()));
    assert_eq!(read(store, |conn| record::by_id(conn, &TokenId::from("c".to_owned()))), None);
}

fn it_is_revoked_once(store: &Store) {
    write(store, |tx| record::insert(tx, &token("a", 1)));
    let id = token("a", 1).id;
    assert!(write(store, |tx| record::revoke(tx, &id, Timestamp(7))));
    assert!(!write(store, |tx| record::revoke(tx, &id, Timestamp(8))));
    assert_eq!(read(store, record::list)[0].revoked_at, Some(Timestamp(7)));
}

#[test]
fn it_is_valid_until_it_is_revoked_or_expires() {
    let expires = Token { expires_at: Some(Timestamp(9)), ..token("a", 1) };
    assert!(expires.is_valid_at(Timestamp(8)) && !expires.is_valid_at(Timestamp(9)));
    let revoked = Token { revoked_at: Some(Timestamp(9)), ..token("a", 1) };
    assert!(!revoked.is_valid_at(Timestamp(8)));
}

fn token(id: &str, at: i64) -> Token {
    Token {
        id: TokenId::from(id.to_owned()),
        name: format!("name of {id}"),
        role: Role::Read,
        project: None,
        actor: actor("user:ann"),
        secret_hash: "hash".into(),
        created_at: Timestamp(at),
        expires_at: None,
        revoked_at: None,
    }
}

super::contract![a_token_comes_back_whole, it_is_revoked_once];
