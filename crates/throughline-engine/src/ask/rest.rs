//! A model that fails is left alone for a while, longer with each failure in a row, so that it slows nothing down.

use std::time::Duration;

use throughline_store::model_call::{self, ModelCall, Outcome};
use throughline_store::time::Timestamp;

use crate::{Caller, Engine, Result};

const FIRST_REST: Duration = Duration::from_secs(30);
const LONGEST_REST: Duration = Duration::from_secs(60 * 60);
/// After so many failures the longest rest is reached.
const LOOKED_AT: i64 = 8;

impl Engine {
    /// Why the model must not be asked now.
    pub(super) fn resting(&self, caller: &Caller) -> Result<Option<String>> {
        let Some((until, last)) = self.rests_until(caller)? else { return Ok(None) };
        let seconds = until.since(self.now()).as_secs() + 1;
        let why = last.detail.unwrap_or_default();
        Ok(Some(format!("it failed a moment ago and is not asked for another {seconds} s: {why}")))
    }

    /// Until when, and the failure that it rests from.
    pub(super) fn rests_until(&self, caller: &Caller) -> Result<Option<(Timestamp, ModelCall)>> {
        let now = self.now();
        let mut ended = self.store.read(|conn| model_call::ended(conn, &caller.project, LOOKED_AT))?;
        // When the clock is set back, no failure of the future makes it rest until then.
        ended.retain(|call| call.asked_at <= now);
        let failures = ended.iter().take_while(|call| call.outcome != Outcome::Answered).count();
        let Some(last) = ended.into_iter().next().filter(|_| failures > 0) else { return Ok(None) };
        let doublings = u32::try_from(failures - 1).unwrap_or(0);
        let rest = FIRST_REST.saturating_mul(1 << doublings).min(LONGEST_REST);
        let ended_at =
            last.asked_at.plus(Duration::from_micros(u64::try_from(last.duration_micros).unwrap_or(0)));
        let until = ended_at.plus(rest);
        Ok((until > now).then_some((until, last)))
    }
}
