//! The statements that find memories: by number, id, content and filter.

use super::fixture::{full_memory, memory, project_id, read, write};
use super::memory::{insert, numbers};
use crate::Store;
use crate::id::MemoryId;
use crate::memory::{self, Filter, Kind, Memory, Scope, Status};
use crate::time::Timestamp;

fn what_says_the_same_is_found_while_it_stands(store: &Store) {
    let saying =
        |n, kind, scope, status| Memory { content_hash: "h".into(), kind, scope, status, ..memory(n) };
    let keyed = |n, key: &str| Memory {
        state_key: Some(key.into()),
        ..saying(n, Kind::Fact, Scope::App, Status::Active)
    };
    let (fact, app, active) = (Kind::Fact, Scope::App, Status::Active);
    insert(
        store,
        &[
            saying(1, fact, app, active),
            saying(2, fact, app, Status::Quarantined),
            saying(3, fact, app, Status::Superseded),
            saying(4, fact, app, Status::Forgotten),
            saying(5, Kind::Rule, app, active),
            saying(6, fact, Scope::User, active),
            keyed(7, "k"),
            keyed(8, "l"),
        ],
    );
    let found = |project: &str, like: &Memory| {
        read(store, |conn| memory::same(conn, &project_id(project), like)).map(|m| m.number)
    };
    assert_eq!(found("p", &saying(9, fact, app, active)), Some(2), "the newest that stands");
    assert_eq!(found("p", &saying(9, Kind::Rule, app, active)), Some(5));
    assert_eq!(found("p", &saying(9, fact, Scope::User, active)), Some(6));
    assert_eq!(found("p", &keyed(9, "k")), Some(7), "each state key has its own");
    assert_eq!(found("p", &keyed(9, "m")), None);
    assert_eq!(found("p", &saying(9, Kind::Skill, app, active)), None);
    assert_eq!(found("p", &Memory { content_hash: "H".into(), ..memory(9) }), None);
    assert_eq!(found("q", &saying(9, fact, app, active)), None);
}

fn a_prefix_finds_ids_that_begin_so(store: &Store) {
    let named = |n, id: &str| Memory { id: MemoryId::from(id.to_owned()), ..memory(n) };
    insert(
        store,
        &[named(1, "ab1"), named(2, "ab2"), named(3, "ab3"), named(4, "a%"), named(5, "a_"), named(6, "é-1")],
    );
    write(store, |tx| memory::insert(tx, &project_id("q"), &named(1, "zz")));
    let found = |prefix: &str| -> Vec<i64> {
        read(store, |conn| memory::by_prefix(conn, &project_id("p"), prefix))
            .iter()
            .map(|m| m.number)
            .collect()
    };
    for (prefix, numbers) in [
        ("ab2", &[2][..]),
        ("ab", &[1, 2]),
        ("", &[1, 2]),
        ("a%", &[4]),
        ("a_", &[5]),
        ("é", &[6]),
        ("AB2", &[]),
        ("ab22", &[]),
        ("b2", &[]),
        ("%", &[]),
        ("zz", &[]),
        ("' or 1=1 --", &[]),
    ] {
        assert_eq!(found(prefix), numbers, "{prefix:?}");
    }
}

fn the_most_used_come_first(store: &Store) {
    let used = |n, use_count| Memory { use_count, ..memory(n) };
    let forgotten = Memory { status: Status::Forgotten, ..used(5, 9) };
    let expired = Memory { expires_at: Some(Timestamp(50)), ..used(6, 9) };
    insert(store, &[used(1, 2), used(2, 5), used(3, 0), used(4, 0), forgotten, expired]);
    let most_used = |limit| {
        let found = read(store, |conn| memory::most_used(conn, &project_id("p"), Timestamp(50), limit));
        found.iter().map(|memory| memory.number).collect::<Vec<_>>()
    };
    assert_eq!(most_used(9), [2, 1, 4, 3]);
    assert_eq!(most_used(2), [2, 1]);
}

fn memories_are_found_by_many_documents_at_once(store: &Store) {
    insert(store, &(1..=100).map(memory).collect::<Vec<_>>());
    write(store, |tx| memory::insert(tx, &project_id("q"), &memory(7)));
    let found = |numbers: &[i64]| -> Vec<i64> {
        let mut found: Vec<i64> = read(store, |conn| memory::of_documents(conn, &project_id("p"), numbers))
            .iter()
            .map(|m| m.number)
            .collect();
        found.sort_unstable();
        found
    };
    assert_eq!(found(&[]), [0; 0]);
    assert_eq!(found(&[0, 101, -1, i64::MAX, 5]), [5]);
    for count in [31, 32, 33, 64, 100] {
        let numbers: Vec<i64> = (1..=count).collect();
        assert_eq!(found(&numbers), numbers);
    }
}

fn pages_go_through_all_memories_in_order(store: &Store) {
    insert(store, &[memory(5), memory(1), Memory { status: Status::Forgotten, ..memory(3) }]);
    let after = |number, limit| -> Vec<i64> {
        read(store, |conn| memory::after(conn, &project_id("p"), number, limit))
            .iter()
            .map(|m| m.number)
            .collect()
    };
    assert_eq!(after(0, 2), [1, 3]);
    assert_eq!(after(3, 2), [5]);
    assert_eq!(after(5, 2), [0; 0]);
    assert_eq!(after(0, 0), [0; 0]);
}

fn each_condition_finds_its_memories(store: &Store) {
    let all = Filter::default;
    insert(
        store,
        &[
            Memory { kind: Kind::Rule, scope: Scope::User, ..memory(1) },
            Memory { kind: Kind::Fact, state_key: Some("port".into()), ..memory(2) },
            Memory { kind: Kind::Belief, tags: vec!["infra".into(), "db".into()], ..memory(3) },
            Memory { expires_at: Some(Timestamp(100)), tags: vec!["db".into()], ..memory(4) },
            Memory { status: Status::Quarantined, ..memory(5) },
        ],
    );
    write(store, |tx| memory::insert(tx, &project_id("q"), &full_memory(1)));
    for (filter, expected) in [
        (all(), &[5, 4, 3, 2, 1][..]),
        (Filter { kinds: vec![Kind::Rule], ..all() }, &[1]),
        (Filter { kinds: vec![Kind::Rule, Kind::Belief, Kind::Skill], ..all() }, &[3, 1]),
        (Filter { scope: Some(Scope::User), ..all() }, &[1]),
        (Filter { scope: Some(Scope::Session), ..all() }, &[]),
        (Filter { tag: Some("db".into()), ..all() }, &[4, 3]),
        (Filter { state_key: Some("port".into()), ..all() }, &[2]),
        (Filter { active_at: Some(Timestamp(99)), ..all() }, &[4, 3, 2, 1]),
        (Filter { active_at: Some(Timestamp(100)), ..all() }, &[3, 2, 1]),
        (Filter { active_at: Some(Timestamp(100)), tag: Some("db".into()), ..all() }, &[3]),
        (
            Filter {
                kinds: vec![Kind::Fact, Kind::Belief],
                scope: Some(Scope::App),
                tag: Some("db".into()),
                state_key: None,
                status: Some(Status::Active),
                active_at: Some(Timestamp(5)),
                before_number: None,
            },
            &[4, 3],
        ),
        (Filter { kinds: vec![Kind::Fact], state_key: Some("other".into()), ..all() }, &[]),
    ] {
        assert_eq!(numbers(store, &filter), expected, "{filter:?}");
    }
    let older = Filter { before_number: Some(3), ..all() };
    let found = read(store, |conn| memory::list(conn, &project_id("p"), &older, 9));
    assert_eq!(found.iter().map(|one| one.number).collect::<Vec<_>>(), [2, 1]);
    let newest = read(store, |conn| memory::list(conn, &project_id("p"), &all(), 2));
    assert_eq!(newest.iter().map(|memory| memory.number).collect::<Vec<_>>(), [5, 4]);
    assert_eq!(read(store, |conn| memory::list(conn, &project_id("p"), &all(), 0)), []);
}

fn a_tag_is_found_as_it_is_written(store: &Store) {
    let tags = [
        "50%",
        "a_b",
        "wow!",
        "it's",
        "\"q\"",
        "a\\b",
        "infra",
        "infrared",
        "ñandú",
        "!%",
        "?1",
        "two words",
    ];
    let tagged = |(n, tag): (i64, &&str)| Memory { tags: vec!["x".into(), (*tag).to_owned()], ..memory(n) };
    insert(store, &(1..).zip(&tags).map(tagged).collect::<Vec<_>>());
    for (n, tag) in (1..).zip(tags) {
        assert_eq!(numbers(store, &Filter { tag: Some(tag.into()), ..Filter::default() }), [n], "{tag}");
    }
    for part in ["%", "_", "!", "", "infr", "words", "50", "axb", "' or '1'='1"] {
        assert_eq!(numbers(store, &Filter { tag: Some(part.into()), ..Filter::default() }), [0; 0], "{part}");
    }
}

fn a_tag_is_exact_about_case(store: &Store) {
    insert(store, &[Memory { tags: vec!["infra".into()], ..memory(1) }]);
    assert_eq!(numbers(store, &Filter { tag: Some("Infra".into()), ..Filter::default() }), [0; 0]);
}

fn active_memories_are_counted_by_their_documents(store: &Store) {
    let (none, some) = (None, |at| Some(Timestamp(at)));
    insert(
        store,
        &[
            memory(1),
            Memory { expires_at: some(100), ..memory(2) },
            Memory { occurred_at: some(90), ..memory(3) },
            Memory { status: Status::Quarantined, ..memory(4) },
        ],
    );
    insert(store, &(5..=100).map(memory).collect::<Vec<_>>());
    write(store, |tx| memory::insert(tx, &project_id("q"), &memory(1)));
    let count = |numbers: &[i64], now, since| {
        let moments = (Timestamp(now), since);
        read(store, |conn| memory::count_active(conn, &project_id("p"), numbers, moments))
    };
    assert_eq!((count(&[], 0, none), count(&[0, 101], 0, none)), (0, 0));
    assert_eq!((count(&[1, 2, 3, 4], 99, none), count(&[1, 2, 3, 4], 100, none)), (3, 2));
    assert_eq!(
        (count(&[1, 2, 3], 0, some(20)), count(&[1, 2, 3], 0, some(90))),
        (2, 1),
        "by when it happened"
    );
    assert_eq!(count(&(1..=100).collect::<Vec<_>>(), 99, none), 99);
}

fn a_status_finds_its_memories(store: &Store) {
    let memories: Vec<Memory> =
        Status::ALL.iter().zip(1..).map(|(&status, n)| Memory { status, ..memory(n) }).collect();
    insert(store, &memories);
    for expected in &memories {
        let filter = Filter { status: Some(expected.status), ..Filter::default() };
        let found = read(store, |conn| memory::list(conn, &project_id("p"), &filter, 9));
        assert_eq!(found, std::slice::from_ref(expected));
        assert_eq!(read(store, |conn| memory::count(conn, &project_id("p"), &filter)), 1);
    }
}

super::contract![
    a_status_finds_its_memories,
    what_says_the_same_is_found_while_it_stands,
    a_prefix_finds_ids_that_begin_so,
    the_most_used_come_first,
    memories_are_found_by_many_documents_at_once,
    pages_go_through_all_memories_in_order,
    each_condition_finds_its_memories,
    a_tag_is_found_as_it_is_written,
    a_tag_is_exact_about_case,
    active_memories_are_counted_by_their_documents,
];
