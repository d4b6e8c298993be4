//! Looking at a working set from outside: nothing counts as used or given by it.

use throughline_store::context_entry::{self as record, Holder, State};

use super::{Scored, Wanted, named};
use crate::{Caller, Engine, Result};

impl Engine {
    /// What an agent holds and has put aside, the most important first.
    pub fn show_entries(&self, caller: &Caller, agent: &str, wanted: &Wanted) -> Result<Vec<Scored>> {
        let now = self.now();
        let entries =
            self.store.read(|conn| record::list(conn, Holder { project: &caller.project, agent }))?;
        let kept = entries.into_iter().filter(|entry| entry.state != State::Gone);
        let mut chosen: Vec<Scored> = match wanted {
            Wanted::Ids(names) => {
                let kept: Vec<_> = kept.collect();
                let found = names.iter().map(|name| named(&kept, name).cloned());
                found.map(|entry| Ok(self.scored(entry?, now))).collect::<Result<_>>()?
            }
            Wanted::Tier(tier) => {
                kept.map(|entry| self.scored(entry, now)).filter(|one| one.entry.tier == *tier).collect()
            }
            Wanted::All => kept.map(|entry| self.scored(entry, now)).collect(),
        };
        chosen
            .sort_by(|a, b| b.importance.total_cmp(&a.importance).then_with(|| a.entry.id.cmp(&b.entry.id)));
        Ok(chosen)
    }
}
