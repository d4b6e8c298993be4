//! The statements about links: found from both ends, in order, once.

use super::fixture::{item_id, project_id, read, write};
use crate::Store;
use crate::id::{EventId, ItemId, MemoryId};
use crate::link::{self, End, Kind, Link, Node, Origin};

fn links_come_in_the_order_in_which_they_were_set(store: &Store) {
    let to = [task(9), Node::resource("notes/plan.md"), task(2), task(1000)];
    set(store, "p", (1, Kind::References), &to);
    assert_eq!(from(store, "p", &task(1), Kind::References), to);
    let fewer = [task(2), task(9)];
    set(store, "p", (1, Kind::References), &fewer);
    assert_eq!(from(store, "p", &task(1), Kind::References), fewer);
    set(store, "p", (1, Kind::References), &[]);
    assert_eq!(from(store, "p", &task(1), Kind::References), []);
}

fn a_link_that_is_named_twice_is_one(store: &Store) {
    set(store, "p", (1, Kind::References), &[task(2), task(3), task(2)]);
    assert_eq!(from(store, "p", &task(1), Kind::References), [task(2), task(3)]);
    add(store, 1, &task(2));
    add(store, 1, &task(4));
    add(store, 1, &task(4));
    assert_eq!(from(store, "p", &task(1), Kind::DependsOn), [task(2), task(4)]);
}

fn kinds_and_projects_are_apart(store: &Store) {
    set(store, "p", (1, Kind::References), &[task(2)]);
    set(store, "p", (1, Kind::DependsOn), &[task(3)]);
    set(store, "q", (1, Kind::DependsOn), &[task(4)]);
    set(store, "p", (1, Kind::References), &[]);
    assert_eq!(from(store, "p", &task(1), Kind::References), []);
    assert_eq!(from(store, "p", &task(1), Kind::DependsOn), [task(3)]);
    assert_eq!(from(store, "q", &task(1), Kind::DependsOn), [task(4)]);
    assert_eq!(to(store, "q", (&task(3), Kind::DependsOn), 9), []);
    assert_eq!(count_to(store, "q", &task(3)), 0);
}

fn links_are_found_from_the_other_end_the_newest_first(store: &Store) {
    for n in [5, 1, 12, 3] {
        add(store, n, &task(100));
    }
    let resource = Node::resource("TASK-0100.md");
    let origin = Origin { node: &resource, number: 99 };
    write(store, |tx| link::set(tx, &project_id("p"), origin, Kind::DependsOn, &[task(100)]));
    assert_eq!(to(store, "p", (&task(100), Kind::DependsOn), 9), [task(12), task(5), task(3), task(1)]);
    assert_eq!(to(store, "p", (&task(100), Kind::DependsOn), 2), [task(12), task(5)]);
    assert_eq!(to(store, "p", (&task(100), Kind::References), 9), []);
    assert_eq!(count_to(store, "p", &task(100)), 4);
    let from_resources = read(store, |conn| {
        link::to(conn, &project_id("p"), (&task(100), Kind::DependsOn), (End::Resource, i64::MAX))
    });
    assert_eq!(from_resources, [resource]);
}

fn a_resource_is_no_item_of_the_same_name(store: &Store) {
    set(store, "p", (1, Kind::References), &[Node::resource("TASK-0002"), task(2)]);
    assert_eq!(from(store, "p", &task(1), Kind::References), [Node::resource("TASK-0002"), task(2)]);
    write(store, |tx| {
        link::remove(tx, &project_id("p"), &task(1), Kind::References, &Node::resource("TASK-0002"))
    });
    assert_eq!(from(store, "p", &task(1), Kind::References), [task(2)]);
    assert_eq!(from(store, "p", &Node::resource("TASK-0001"), Kind::References), []);
}

fn what_is_removed_is_gone_from_both_ends(store: &Store) {
    set(store, "p", (1, Kind::DependsOn), &[task(2), task(3)]);
    set(store, "p", (1, Kind::References), &[task(2)]);
    set(store, "p", (4, Kind::DependsOn), &[task(2)]);
    write(store, |tx| link::remove(tx, &project_id("q"), &task(1), Kind::DependsOn, &task(2)));
    write(store, |tx| link::remove(tx, &project_id("p"), &task(1), Kind::DependsOn, &task(2)));
    assert_eq!(from(store, "p", &task(1), Kind::DependsOn), [task(3)]);
    assert_eq!(to(store, "p", (&task(2), Kind::DependsOn), 9), [task(4)]);
    assert_eq!(to(store, "p", (&task(2), Kind::References), 9), [task(1)]);
    add(store, 1, &task(2));
    assert_eq!(from(store, "p", &task(1), Kind::DependsOn), [task(3), task(2)], "after those that stayed");
    write(store, |tx| link::remove_from(tx, &project_id("p"), &task(1)));
    assert_eq!(from(store, "p", &task(1), Kind::DependsOn), []);
    assert_eq!(to(store, "p", (&task(2), Kind::References), 9), []);
    assert_eq!(to(store, "p", (&task(2), Kind::DependsOn), 9), [task(4)]);
}

fn links_among_items_are_pairs_in_order(store: &Store) {
    set(store, "p", (2, Kind::DependsOn), &[task(9), task(1)]);
    set(store, "p", (1, Kind::DependsOn), &[task(2), Node::resource("a.md"), task(1)]);
    set(store, "p", (3, Kind::References), &[task(1)]);
    set(store, "q", (1, Kind::DependsOn), &[task(7)]);
    let among = |ids: &[i64]| {
        let ids: Vec<ItemId> = ids.iter().map(|n| item_id(*n)).collect();
        read(store, |conn| link::among(conn, &project_id("p"), ids.iter(), Kind::DependsOn))
    };
    let pairs = |pairs: &[(i64, i64)]| {
        pairs.iter().map(|(from, to)| (item_id(*from), item_id(*to))).collect::<Vec<_>>()
    };
    assert_eq!(among(&[3, 2, 1]), pairs(&[(1, 2), (1, 1), (2, 9), (2, 1)]));
    assert_eq!(among(&[9]), []);
    assert_eq!(among(&[]), []);
    for n in 1000..1100 {
        add(store, n, &task(1));
    }
    assert_eq!(among(&(1000..1100).collect::<Vec<_>>()).len(), 100);
}

fn odd_paths_come_back(store: &Store) {
    let odd = ["", "über/漢字 'x'; --", "a%b_c", &"x".repeat(1024)].map(Node::resource);
    set(store, "p", (1, Kind::References), &odd);
    assert_eq!(from(store, "p", &task(1), Kind::References), odd);
    for node in &odd {
        assert_eq!(to(store, "p", (node, Kind::References), 9), [task(1)]);
    }
}

fn every_link_of_a_record_is_found_whatever_it_is(store: &Store) {
    let memory = Node::memory(&MemoryId::from("m".to_owned()));
    let origin = Origin { node: &memory, number: 7 };
    write(store, |tx| {
        link::set(tx, &project_id("p"), origin, Kind::Rejected, &[Node::option("b"), Node::option("a")])
    });
    write(store, |tx| link::add(tx, &project_id("p"), origin, Kind::Chose, &Node::option("it's c")));
    for n in [2, 1] {
        let event = Node::event(&EventId::from(format!("e{n}")));
        let origin = Origin { node: &event, number: n };
        write(store, |tx| link::add(tx, &project_id("p"), origin, Kind::Supports, &memory));
    }
    set(store, "p", (1, Kind::References), &[task(2)]);
    let told = |links: Vec<Link>| {
        let line = |link: &Link| format!("{} {} {}", link.from.id, link.kind, link.to.id);
        links.iter().map(line).collect::<Vec<_>>()
    };
    let around = |project: &str, limit| {
        told(read(store, |conn| link::around(conn, &project_id(project), &memory, limit)))
    };
    let all = ["m chose it's c", "m rejected b", "m rejected a", "e1 supports m", "e2 supports m"]
        .map(str::to_owned);
    assert_eq!(around("p", 99), all);
    assert_eq!(around("p", 1), ["m chose it's c", "e1 supports m"], "so many from each end");
    assert_eq!(around("q", 99), [""; 0]);
    let listed = told(read(store, |conn| link::list(conn, &project_id("p"))));
    assert_eq!(listed.len(), 6);
    assert!(all.iter().all(|link| listed.contains(link)), "{listed:?}");
}

fn task(n: i64) -> Node {
    Node::item(&item_id(n))
}

fn set(store: &Store, project: &str, (n, kind): (i64, Kind), to: &[Node]) {
    let node = task(n);
    let origin = Origin { node: &node, number: n };
    write(store, |tx| link::set(tx, &project_id(project), origin, kind, to));
}

fn add(store: &Store, n: i64, to: &Node) {
    let node = task(n);
    let origin = Origin { node: &node, number: n };
    write(store, |tx| link::add(tx, &project_id("p"), origin, Kind::DependsOn, to));
}

fn from(store: &Store, project: &str, node: &Node, kind: Kind) -> Vec<Node> {
    read(store, |conn| link::from(conn, &project_id(project), node, kind))
}

fn to(store: &Store, project: &str, end: (&Node, Kind), limit: i64) -> Vec<Node> {
    read(store, |conn| link::to(conn, &project_id(project), end, (End::Item, limit)))
}

fn count_to(store: &Store, project: &str, node: &Node) -> i64 {
    read(store, |conn| link::count_to(conn, &project_id(project), (node, Kind::DependsOn), End::Item))
}

super::contract![
    links_come_in_the_order_in_which_they_were_set,
    a_link_that_is_named_twice_is_one,
    kinds_and_projects_are_apart,
    links_are_found_from_the_other_end_the_newest_first,
    a_resource_is_no_item_of_the_same_name,
    what_is_removed_is_gone_from_both_ends,
    links_among_items_are_pairs_in_order,
    odd_paths_come_back,
    every_link_of_a_record_is_found_whatever_it_is,
];
