//! The index of a folder through the engine, with a clock that belongs to the test.

use std::fs;
use std::path::Path;
use std::time::Duration;

use throughline_store::event::Kind as EventKind;
use throughline_store::file::{self, File};
use throughline_store::job::State;

use super::{Bound, CodeProgress};
use crate::capture::{Observation, SessionRef};
use crate::recall::{CodeQuery, Files, Found, Kind, Query};
use crate::testing::Fixture;
use crate::work::Outcome;

fn index(fixture: &Fixture, root: &Path) -> CodeProgress {
    fixture.engine.index_code(&fixture.caller, root, Bound::Everything, &mut |_| {}).unwrap()
}

fn write(root: &Path, path: &str, text: &str) {
    fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
    fs::write(root.join(path), text).unwrap();
}

fn files(fixture: &Fixture) -> Vec<File> {
    let mut files = fixture.engine.store.read(|conn| file::all(conn, &fixture.caller.project)).unwrap();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn found(fixture: &Fixture, root: &Path, text: &str) -> Vec<String> {
    let query = Query {
        kinds: vec![Kind::Code],
        code: CodeQuery { files: Files::In(root.to_owned()), ..CodeQuery::default() },
        ..Query::of(text, 5)
    };
    let recalled = fixture.engine.recall(&fixture.caller, &query).unwrap();
    let place = |found: Found| match found {
        Found::Code(code) => Some(code.file.path),
        _ => None,
    };
    recalled.hits.into_iter().filter_map(|hit| place(hit.found)).collect()
}

#[test]
fn a_moved_file_keeps_its_number_and_its_chunks() {
    let (fixture, folder) = (Fixture::new(), tempfile::tempdir().unwrap());
    write(folder.path(), "a/teapot.rs", "/// Boils water.\nfn boil_water() {}\n");
    index(&fixture, folder.path());
    let before = files(&fixture);
    fs::rename(folder.path().join("a"), folder.path().join("kitchen")).unwrap();
    let progress = index(&fixture, folder.path());
    let after = files(&fixture);
    assert_eq!((progress.moved, progress.removed, progress.changed), (1, 0, 0));
    assert_eq!((after[0].number, after[0].first_chunk), (before[0].number, before[0].first_chunk));
    assert_ne!(after[0].document, before[0].document, "its path is other terms now");
    assert_eq!(found(&fixture, folder.path(), "boil water"), ["kitchen/teapot.rs"]);
    assert_eq!(found(&fixture, folder.path(), "kitchen teapot"), ["kitchen/teapot.rs"]);
}

#[test]
fn what_was_written_just_before_it_was_indexed_is_read_again_and_then_rests() {
    let (fixture, folder) = (Fixture::new(), tempfile::tempdir().unwrap());
    write(folder.path(), "one.rs", "fn one() {}\n");
    index(&fixture, folder.path());
    let first = files(&fixture)[0].clone();
    // The clock of the test stands long before the file's own time, as after a write within the same tick.
    assert_eq!(index(&fixture, folder.path()).changed, 1);
    assert_eq!(files(&fixture)[0].first_chunk, first.first_chunk, "the same content is not taken in again");
    fixture.time.advance(Duration::from_secs(100 * 365 * 24 * 60 * 60));
    index(&fixture, folder.path());
    assert_eq!(index(&fixture, folder.path()).changed, 0);
}

#[test]
fn the_many_chunks_of_one_file_leave_room_for_others() {
    let (fixture, folder) = (Fixture::new(), tempfile::tempdir().unwrap());
    let body = "    pour(water, teapot);\n".repeat(40);
    let boil = |n: usize| format!("/// Boils water in a teapot.\nfn boil_water_{n}() {{\n{body}}}\n\n");
    write(folder.path(), "teapot.rs", &(0..30).map(boil).collect::<String>());
    write(folder.path(), "cellar.rs", "/// Boils water for a teapot, too.\nfn boil() {}\n");
    index(&fixture, folder.path());
    let found = found(&fixture, folder.path(), "boil water teapot");
    assert_eq!(found, ["teapot.rs", "teapot.rs", "teapot.rs", "cellar.rs"]);
}

#[test]
fn a_file_that_became_a_folder_and_back_is_followed() {
    let (fixture, folder) = (Fixture::new(), tempfile::tempdir().unwrap());
    write(folder.path(), "thing", "the numbat eats termites\n");
    index(&fixture, folder.path());
    assert_eq!(found(&fixture, folder.path(), "numbat termites"), ["thing"]);
    fs::remove_file(folder.path().join("thing")).unwrap();
    write(folder.path(), "thing/inside.txt", "the wombat digs burrows\n");
    index(&fixture, folder.path());
    assert_eq!(found(&fixture, folder.path(), "wombat burrows"), ["thing/inside.txt"]);
    assert_eq!(found(&fixture, folder.path(), "numbat termites"), Vec::<String>::new());
}

#[test]
fn files_that_change_while_they_are_indexed_end_as_they_are() {
    let (fixture, folder) = (Fixture::new(), tempfile::tempdir().unwrap());
    for n in 0..40 {
        write(folder.path(), &format!("f{n}.rs"), "fn before() {}\n");
    }
    let root = folder.path();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for round in 0..20 {
                for n in 0..40 {
                    write(
                        root,
                        &format!("f{n}.rs"),
                        &format!("fn round_{round}() {{}}\n{}", "// x\n".repeat(round)),
                    );
                }
            }
        });
        while !writer.is_finished() {
            index(&fixture, root);
        }
    });
    index(&fixture, root);
    let hash = super::take::hash(&fs::read(root.join("f7.rs")).unwrap());
    assert!(files(&fixture).iter().all(|file| file.hash == hash));
    assert_eq!(found(&fixture, root, "before"), Vec::<String>::new());
}

#[test]
fn a_run_that_is_bounded_goes_on_later() {
    let (fixture, folder) = (Fixture::new(), tempfile::tempdir().unwrap());
    for n in 0..200 {
        let path = format!("f{n}.rs");
        write(folder.path(), &path, &format!("fn number_{n}() {{}}\n"));
        // Long before what the fixture takes for now.
        let file = fs::File::options().write(true).open(folder.path().join(path)).unwrap();
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
    }
    let run = || {
        let bound = Bound::For(Duration::from_secs(1));
        let tell = &mut |_: &CodeProgress| fixture.time.advance(Duration::from_millis(600));
        fixture.engine.index_code(&fixture.caller, folder.path(), bound, tell).unwrap()
    };
    let first = run();
    assert!(first.left > 0 && first.changed > 0, "{first:?}");
    let mut runs = 1;
    while run().left > 0 {
        runs += 1;
        assert!(runs < 200, "it does not come to an end");
    }
    assert_eq!(files(&fixture).len(), 200);
}

#[test]
fn writes_ask_for_one_job_that_brings_the_index_up() {
    let (fixture, folder) = (Fixture::new(), tempfile::tempdir().unwrap());
    write(folder.path(), "one.rs", "fn one() {}\n");
    fixture.engine.request_code_index(&fixture.caller, folder.path()).unwrap();
    let done = |fixture: &Fixture| {
        let run = fixture.engine.work_one("test").unwrap().unwrap();
        assert_eq!((run.job.kind.as_str(), run.outcome), (super::job::KIND, Outcome::Done));
    };
    done(&fixture);
    write(folder.path(), "two.rs", "fn umbrella_stand() {}\n");
    for path in ["two.rs", "one.rs"] {
        let session = SessionRef::Of { client: "c".into(), session: "s".into() };
        let wrote = Observation { target: Some(path.into()), ..Observation::of(EventKind::Write, session) };
        fixture.capture(vec![wrote]);
    }
    let jobs = fixture.engine.jobs(&fixture.caller, 50).unwrap();
    let waiting: Vec<_> = jobs.iter().filter(|job| job.kind == super::job::KIND).collect();
    assert_eq!((waiting.len(), waiting[0].state, waiting[0].requests), (1, State::Ready, 2));
    assert_eq!(fixture.engine.work_one("test").unwrap(), None, "what was just written may be written again");
    fixture.time.advance(Duration::from_secs(2));
    done(&fixture);
    assert_eq!(found(&fixture, folder.path(), "umbrella stand"), ["two.rs"]);
}

#[test]
fn a_folder_that_is_gone_is_told_and_a_job_for_it_ends() {
    let (fixture, folder) = (Fixture::new(), tempfile::tempdir().unwrap());
    fixture.engine.request_code_index(&fixture.caller, folder.path()).unwrap();
    let path = folder.path().to_owned();
    drop(folder);
    assert_eq!(fixture.engine.work_one("test").unwrap().unwrap().outcome, Outcome::Done);
    let failed = fixture.engine.index_code(&fixture.caller, &path, Bound::Everything, &mut |_| {});
    assert!(matches!(failed, Err(crate::Error::NotFound(_))), "{failed:?}");
}

#[test]
fn health_tells_what_is_out_of_date() {
    let (fixture, folder) = (Fixture::new(), tempfile::tempdir().unwrap());
    for n in 0..10 {
        write(folder.path(), &format!("f{n}.rs"), "fn same() {}\n");
    }
    assert_eq!(fixture.engine.code_health(&fixture.caller).unwrap(), None);
    index(&fixture, folder.path());
    write(folder.path(), "f1.rs", "fn other_than_before() {}\n");
    fs::remove_file(folder.path().join("f2.rs")).unwrap();
    let health = fixture.engine.code_health(&fixture.caller).unwrap().unwrap();
    assert_eq!((health.count.found, health.stale, health.examined), (10, 2, 10));
    assert_eq!((health.index.runs.count, health.stale_ratio()), (1, 0.2));
}
