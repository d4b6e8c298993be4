//! The statements about memory files.

use super::fixture::{full_memory, memory_id, project_id, read, write};
use crate::memory::{self, Ended, Memory};
use crate::memory_file::{self as record, Block};
use crate::time::Timestamp;
use crate::{Connection, Store};

fn blocks_come_back_by_working_copy(store: &Store) {
    replace(store, "p", ("here", "b.md"), &[block("b.md", "k2", 2), block("b.md", "k1", 1)]);
    replace(store, "p", ("here", "a.md"), &[block("a.md", "k3", 3)]);
    replace(store, "p", ("there", "a.md"), &[block("a.md", "k1", 9)]);
    replace(store, "q", ("here", "a.md"), &[block("a.md", "k1", 20)]);
    let blocks = [block("a.md", "k3", 3), block("b.md", "k1", 1), block("b.md", "k2", 2)];
    assert_eq!(of_place(store, "here"), blocks);
    assert_eq!(of_place(store, "nowhere"), []);
    let memory = |key: &str| read(store, |conn| record::memory_of(conn, &project_id("p"), key));
    assert_eq!((memory("k1"), memory("k4")), (Some(memory_id(9)), None));
}

fn a_file_is_replaced_whole(store: &Store) {
    replace(store, "p", ("here", "a.md"), &[block("a.md", "k1", 1), block("a.md", "k2", 2)]);
    let again = Block { hash: "other".into(), mark: "later".into(), ..block("a.md", "k2", 3) };
    replace(store, "p", ("here", "a.md"), std::slice::from_ref(&again));
    assert_eq!(of_place(store, "here"), [again]);
    replace(store, "p", ("here", "a.md"), &[]);
    assert_eq!(of_place(store, "here"), []);
}

fn an_erased_memory_leaves_no_hash_of_its_text(store: &Store) {
    let erased = Memory { id: memory_id(1), ..full_memory(1) };
    write(store, |tx: &mut dyn Connection| memory::insert(tx, &project_id("p"), &erased));
    let blocks = [block("a.md", "k1", 1), block("a.md", "k2", 2)];
    replace(store, "p", ("here", "a.md"), &blocks);
    let ended = Ended { at: Timestamp(1), reason: "purged".into() };
    write(store, |tx: &mut dyn Connection| memory::erase(tx, &project_id("p"), &erased.id, &ended));
    assert_eq!(of_place(store, "here"), [blocks[1].clone()]);
}

fn block(file: &str, key: &str, memory: i64) -> Block {
    Block {
        file: file.into(),
        key: key.into(),
        memory: memory_id(memory),
        hash: "0123abcd".into(),
        mark: "89ef".into(),
    }
}

fn replace(store: &Store, project: &str, (place, file): (&str, &str), blocks: &[Block]) {
    write(store, |tx: &mut dyn Connection| record::replace(tx, &project_id(project), (place, file), blocks));
}

fn of_place(store: &Store, place: &str) -> Vec<Block> {
    read(store, |conn| record::of_place(conn, &project_id("p"), place))
}

super::contract![
    blocks_come_back_by_working_copy,
    a_file_is_replaced_whole,
    an_erased_memory_leaves_no_hash_of_its_text,
];
