//! The log's statements.

use crate::id::ProjectId;
use crate::project::{self, Project};
use crate::time::Timestamp;
use crate::{Error, Store};

fn positions_are_taken_in_order(store: &Store) {
    let id = ProjectId::from("p".to_owned());
    let project = Project { id: id.clone(), name: "demo".into(), created_at: Timestamp(1), last_position: 0 };
    let last = store
        .write(|tx| {
            project::insert(tx, &project)?;
            project::take_positions(tx, &id, 1)?;
            project::take_positions(tx, &id, 3)
        })
        .unwrap();
    assert_eq!(last, 4);
    let failed: Result<(), Error> = store.write(|tx| {
        project::take_positions(tx, &id, 1)?;
        Err(Error::Other("changed my mind".into()))
    });
    assert!(failed.is_err());
    assert_eq!(store.write(|tx| project::take_positions(tx, &id, 1)).unwrap(), 5, "a rollback leaves no gap");
}

super::contract![positions_are_taken_in_order];
