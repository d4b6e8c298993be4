//! How a database is named and shown.

use std::path::PathBuf;

use crate::Location;

#[test]
fn a_text_names_a_file_memory_or_a_server() {
    let file = |path: &str| Ok(Location::File(PathBuf::from(path)));
    assert_eq!("sqlite:/var/t.db".parse(), file("/var/t.db"));
    assert_eq!("sqlite:///var/t.db".parse(), file("/var/t.db"));
    assert_eq!("sqlite:t.db".parse(), file("t.db"));
    assert_eq!("sqlite://t.db".parse(), file("t.db"));
    assert_eq!("sqlite:with space/ünï.db".parse(), file("with space/ünï.db"));
    assert_eq!("sqlite::memory:".parse(), Ok(Location::Memory));
    for url in ["postgres://ann@db.example/t", "postgresql://ann:pw@db.example:5433/t?sslmode=disable"] {
        assert_eq!(url.parse(), Ok(Location::Server(url.to_owned())));
    }
}

#[test]
fn a_text_that_names_no_database_is_refused_with_what_to_write() {
    for wrong in ["", "t.db", "sqlite", "sqlite:", "mysql://ann@db/t", "postgres:t", "POSTGRES://ann@db/t"] {
        assert_eq!(
            wrong.parse::<Location>(),
            Err(format!("{wrong:?} is not a database; write sqlite:PATH or postgres://…"))
        );
    }
}

#[test]
fn a_file_without_a_path_is_refused() {
    let parsed = "sqlite://".parse::<Location>();
    assert!(parsed.is_err(), "SQLite gives each connection its own temporary database: {parsed:?}");
}

#[test]
fn memory_is_memory_however_it_is_written() {
    let parsed = "sqlite://:memory:".parse::<Location>();
    assert!(matches!(parsed, Ok(Location::Memory) | Err(_)), "{parsed:?}");
}

#[test]
fn a_shown_location_names_the_same_place() {
    for text in ["sqlite:/var/t.db", "sqlite:t.db", "sqlite::memory:", "postgres://db.example:5433/t"] {
        assert_eq!(text.parse::<Location>().unwrap().to_string(), text);
    }
}

#[test]
fn a_shown_location_has_no_password_and_no_query() {
    assert_eq!(shown("postgres://ann:hunter2@db.example/t"), "postgres://ann:…@db.example/t");
    assert_eq!(
        shown("postgresql://ann@db.example:5433/t?password=hunter2&sslmode=disable"),
        "postgresql://ann:…@db.example:5433/t"
    );
    assert_eq!(shown("postgres://db.example/t?user=ann&password=hunter2"), "postgres://db.example/t");
}

#[test]
fn a_password_with_signs_of_an_address_is_hidden_too() {
    for password in ["hun@ter2", "hun:ter2", "hun/ter2", "hun#ter2", "hun?ter2"] {
        let shown = shown(&format!("postgres://ann:{password}@db.example/t"));
        assert!(!shown.contains("hun") && !shown.contains("ter2"), "{shown}");
    }
}

fn shown(text: &str) -> String {
    text.parse::<Location>().unwrap().to_string()
}
