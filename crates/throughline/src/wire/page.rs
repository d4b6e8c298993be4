//! A part of a list, and where it goes on.

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "{T}Page")]
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
    /// The `cursor` of what follows; null at the end.
    pub(crate) next: Option<String>,
    /// How many there are in truth.
    pub(crate) total: i64,
}

impl<T> Page<T> {
    /// Of records of which one more than asked for was read, to know whether something follows.
    pub(crate) fn of<R>(
        mut records: Vec<R>,
        limit: usize,
        total: i64,
        cursor: impl Fn(&R) -> String,
        shown: impl FnMut(R) -> T,
    ) -> Page<T> {
        let more = records.len() > limit;
        records.truncate(limit);
        let next = records.last().filter(|_| more).map(cursor);
        Page { items: records.into_iter().map(shown).collect(), next, total }
    }

    /// Of a whole list that is short. The order of `key` is that of the list.
    pub(crate) fn of_all<K: Ord + ToString>(
        mut all: Vec<T>,
        limit: usize,
        after: Option<&K>,
        key: impl Fn(&T) -> K,
    ) -> Page<T> {
        let total = i64::try_from(all.len()).unwrap_or(i64::MAX);
        all.sort_by_key(&key);
        all.retain(|one| after.is_none_or(|after| key(one) > *after));
        let more = all.len() > limit;
        all.truncate(limit);
        let next = all.last().filter(|_| more).map(|last| key(last).to_string());
        Page { items: all, next, total }
    }
}
