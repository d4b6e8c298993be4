//! The statements about files, chunks, revisions and how their index stands.

use super::fixture::{project_id, read, write};
use crate::Store;
use crate::chunk::{self, Chunk};
use crate::code_index::{self, CodeIndex, Counts, Runs};
use crate::file::{self, Count, File};
use crate::revision::{self, Revision};
use crate::time::Timestamp;

fn file(number: i64) -> File {
    File {
        number,
        path: format!("src/{number} 'ü'.rs"),
        hash: "abc".into(),
        bytes: 7,
        modified: -1,
        language: Some("Rust".into()),
        lines: 3,
        first_chunk: number * 10,
        chunks: 2,
        document: Some(number + 100),
        refused: None,
        indexed_at: Timestamp(5),
    }
}

fn a_file_comes_back_whole_and_keeps_its_number_when_it_is_moved(store: &Store) {
    let p = project_id("p");
    let refused = File {
        document: None,
        refused: Some("binary".into()),
        language: None,
        path: "x.bin".into(),
        ..file(2)
    };
    for file in [file(1), refused] {
        write(store, |tx| file::put(tx, &p, &file));
        assert_eq!(read(store, |conn| file::by_path(conn, &p, &file.path)), Some(file.clone()));
        assert_eq!(read(store, |conn| file::of_numbers(conn, &p, &[file.number, 99])), [file]);
    }
    let moved = File { path: "src/other.rs".into(), document: Some(300), ..file(1) };
    write(store, |tx| file::put(tx, &p, &moved));
    assert_eq!(read(store, |conn| file::of_documents(conn, &p, &[300, 101])), [moved]);
    assert_eq!(read(store, |conn| file::count(conn, &p)), Count { found: 1, known: 2, chunks: 4 });
    assert_eq!(read(store, |conn| file::count(conn, &project_id("q"))), Count::default());
    for (path, is_below) in [("src/other.rs", true), ("src", true), ("sr", false), ("src/other", false)] {
        assert_eq!(read(store, |conn| file::is_below(conn, &p, path)), is_below, "{path}");
    }
    assert_eq!(read(store, |conn| file::paths(conn, &p, &[1, 7])), [(1, "src/other.rs".to_owned())]);
    assert_eq!(read(store, |conn| file::all(conn, &project_id("q"))), []);
    write(store, |tx| file::remove(tx, &p, 1));
    assert_eq!(read(store, |conn| file::all(conn, &p)).len(), 1);
}

fn chunks_go_by_their_numbers(store: &Store) {
    let p = project_id("p");
    let chunk = |number: i64| Chunk {
        number,
        file: 1,
        kind: (number > 1).then(|| "function".to_owned()),
        symbols: if number > 1 { vec!["A::b".into(), "A::c".into()] } else { vec![] },
        signature: "fn b('x')".into(),
        first_line: 1,
        last_line: 9,
    };
    let all = [chunk(1), chunk(2), chunk(3)];
    write(store, |tx| chunk::insert(tx, &p, &all));
    let mut found = read(store, |conn| chunk::of_numbers(conn, &p, &[1, 2, 3, 4]));
    found.sort_by_key(|chunk| chunk.number);
    assert_eq!(found, all);
    write(store, |tx| chunk::remove(tx, &p, 2, 2));
    assert_eq!(read(store, |conn| chunk::files(conn, &p, &[1, 2, 3])), [(1, 1)]);
}

fn revisions_tell_what_changes_together(store: &Store) {
    let p = project_id("p");
    let revision = |path: &str, at: i64, commit: &str| Revision {
        path: path.into(),
        at: Timestamp(at),
        commit: commit.into(),
        subject: format!("subject {commit}"),
    };
    let all = [
        revision("a", 1, "one"),
        revision("b", 1, "one"),
        revision("a", 2, "two"),
        revision("b", 2, "two"),
        revision("c", 2, "two"),
    ];
    for _ in 0..2 {
        write(store, |tx| revision::add(tx, &p, &all));
    }
    assert_eq!(read(store, |conn| revision::of_path(conn, &p, "a", 9)), [all[2].clone(), all[0].clone()]);
    let latest = read(store, |conn| revision::latest(conn, &p, 2));
    assert_eq!(latest, [all[2].clone(), all[3].clone()]);
    assert_eq!(
        read(store, |conn| revision::beside(conn, &p, "a", 9)),
        [("b".to_owned(), 2), ("c".to_owned(), 1)]
    );
    assert_eq!(read(store, |conn| revision::newest(conn, &p)), Some(Timestamp(2)));
    assert_eq!(write(store, |tx| revision::forget_before(tx, &p, Timestamp(2))), 2);
    assert_eq!(write(store, |tx| revision::clear(tx, &p)), 3);
    assert_eq!(read(store, |conn| revision::newest(conn, &p)), None);
}

fn what_searches_came_to_is_kept_when_the_rest_changes(store: &Store) {
    let p = project_id("p");
    let counts = Counts { searches: 1, answered: 1, fallbacks: 0, shown: 5, stale: 2 };
    write(store, |tx| code_index::count(tx, &p, counts));
    assert_eq!(read(store, |conn| code_index::get(conn, &p)), None);
    let first = CodeIndex { root: "/a".into(), machine: "m".into(), ..CodeIndex::default() };
    write(store, |tx| code_index::put(tx, &p, &first));
    write(store, |tx| code_index::count(tx, &p, counts));
    let runs = Runs::default().and(7).and(3);
    assert_eq!(runs, Runs { count: 2, total_us: 10, longest_us: 7 });
    let second =
        CodeIndex { finished_at: Some(Timestamp(3)), head: Some("h".into()), files: 4, runs, ..first };
    write(store, |tx| code_index::put(tx, &p, &second));
    assert_eq!(read(store, |conn| code_index::get(conn, &p)), Some(CodeIndex { counts, ..second }));
}

super::contract![
    a_file_comes_back_whole_and_keeps_its_number_when_it_is_moved,
    chunks_go_by_their_numbers,
    revisions_tell_what_changes_together,
    what_searches_came_to_is_kept_when_the_rest_changes,
];
