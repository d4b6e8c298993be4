//! What is to happen to one file: decided from the file, the ledger and what should be there. Nothing is written here.

use anyhow::{Result, anyhow, bail};
use serde_json::{Value as Json, json};

use super::client::{Content, Target, TextKind};
use super::disk::{self, OnDisk};
use super::entries::Ours;
use super::ledger::{Ledger, Owner, Record, Stamp};
use super::places::Places;
use super::{Action, Asked, FileOutcome, Verb, diff, guidance};
use crate::wire::error::message;

pub(super) struct Plan {
    pub(super) verb: Verb,
    pub(super) target: Target,
    pub(super) found: OnDisk,
    pub(super) step: Step,
}

pub(super) enum Step {
    /// It is as it should be.
    Nothing,
    /// Somebody else's, or changed by somebody else.
    Leave(&'static str),
    /// Another client needs it still.
    Disown,
    Write {
        after: Vec<u8>,
        before: Option<Vec<u8>>,
    },
    /// Back to what was there, or to what others have made of it.
    Restore {
        after: Vec<u8>,
        exact: Exactness,
    },
    Delete,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exactness {
    /// The very bytes.
    Exact,
    /// The file was changed since; only our entries went.
    OnlyOurs,
}

impl Plan {
    pub(super) fn of(asked: &Asked<'_>, target: Target, ledger: &Ledger) -> Result<Plan> {
        let found = disk::read(&target.path)?;
        let record = ledger.record(&target.path);
        let state = State { found: &found, record, ledger };
        let ours = target.ours(asked.program);
        let step = match (asked.verb, &target.content, &ours) {
            (Verb::Uninstall, _, _) if state.others_own_it(&asked.owner) => Step::Disown,
            (Verb::Install, _, Some(ours)) => state.put_entries(ours)?,
            (Verb::Uninstall, _, Some(ours)) => state.take_entries(ours, &target)?,
            (Verb::Install, Content::Text { text, .. }, None) => state.put_text(text),
            (Verb::Uninstall, Content::Text { text, .. }, None) => state.take_text(text),
            (_, Content::Entries(..), None) => Step::Nothing,
        };
        let changes = matches!(step, Step::Write { .. } | Step::Restore { .. } | Step::Delete);
        if changes && found.is_read_only() {
            bail!("it is read-only; make it writable first");
        }
        Ok(Plan { verb: asked.verb, target, found, step })
    }

    pub(super) fn is_executable(&self) -> bool {
        matches!(self.target.content, Content::Text { kind: TextKind::Executable, .. })
    }

    pub(super) fn action(&self) -> Action {
        match (&self.step, &self.found.content) {
            (Step::Nothing | Step::Disown, _) => Action::Unchanged,
            (Step::Leave(_), _) => Action::LeftAlone,
            (Step::Write { .. }, None) => Action::Created,
            (Step::Write { .. } | Step::Restore { exact: Exactness::OnlyOurs, .. }, _) => Action::Changed,
            (Step::Restore { exact: Exactness::Exact, .. }, _) => Action::Restored,
            (Step::Delete, _) => Action::Removed,
        }
    }

    pub(super) fn note(&self, places: &Places) -> Option<String> {
        let path = places.shown(&self.target.path);
        match &self.step {
            Step::Leave(why) => Some(format!("{path} {why}; it was left alone")),
            Step::Disown => Some(format!("{path} stays: another client that you installed for needs it")),
            Step::Restore { exact: Exactness::OnlyOurs, .. } => {
                Some(format!("{path} was changed since it was installed; only our own entries were removed"))
            }
            Step::Nothing | Step::Write { .. } | Step::Restore { .. } | Step::Delete => None,
        }
    }

    /// What would happen.
    pub(super) fn shown(&self, places: &Places) -> FileOutcome {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let old = self.found.content.as_deref().map(text);
        let new = match &self.step {
            Step::Write { after, .. } | Step::Restore { after, .. } => Some(text(after)),
            Step::Delete => None,
            Step::Nothing | Step::Leave(_) | Step::Disown => old.clone(),
        };
        FileOutcome {
            path: self.target.path.clone(),
            action: self.action(),
            backup: None,
            diff: diff::unified(&places.shown(&self.target.path), old.as_deref(), new.as_deref()),
        }
    }
}

/// Only we have a reason for a file of our name.
fn is_ours_alone(target: &Target) -> bool {
    target.path.iter().any(|part| part.to_string_lossy().starts_with(super::program::NAME))
}

struct State<'a> {
    found: &'a OnDisk,
    record: Option<&'a Record>,
    ledger: &'a Ledger,
}

impl State<'_> {
    fn put_entries(&self, ours: &Ours<'_>) -> Result<Step> {
        let (mark, text) = self.text()?;
        let value = said(ours, text)?;
        ours.refuse_foreign(&value)?;
        if self.found.content.is_some() && ours.is_right(&value) {
            return Ok(Step::Nothing);
        }
        let before = match self.untouched() {
            Some(original) => original,
            None => self.without_ours(ours)?,
        };
        let base = before.as_deref().map(decoded).transpose()?.map_or("", |(_, text)| text);
        let after = ours.put(&ours.strip(base, &json!({}))?, &value)?;
        // It must say what was meant, whatever the machinery did.
        if !ours.is_right(&ours.value(&after)?) {
            bail!("it is written in a way that cannot be changed safely; change it by hand");
        }
        Ok(Step::Write { after: encoded(mark, &after), before })
    }

    /// The file as it would be without us; nothing where it would not be.
    fn without_ours(&self, ours: &Ours<'_>) -> Result<Option<Vec<u8>>> {
        let (mark, text) = self.text()?;
        let was_absent = match self.record {
            Some(record) => record.before.is_none(),
            None => self.found.content.is_none(),
        };
        let stripped = ours.strip(text, &self.before_value(ours))?;
        let says_nothing = ours.value(&stripped)? == json!({});
        Ok((!was_absent || !says_nothing).then(|| encoded(mark, &stripped)))
    }

    fn take_entries(&self, ours: &Ours<'_>, target: &Target) -> Result<Step> {
        let Some(content) = &self.found.content else { return Ok(Step::Nothing) };
        if let Some(original) = self.untouched() {
            return Ok(match original {
                Some(after) if after == *content => Step::Nothing,
                Some(after) => Step::Restore { after, exact: Exactness::Exact },
                None => Step::Delete,
            });
        }
        let (_, text) = self.text()?;
        if ours.programs(&said(ours, text)?).is_empty() {
            return Ok(Step::Nothing);
        }
        let Some(after) = self.without_ours(ours)? else { return Ok(Step::Delete) };
        let says_nothing = ours.value(decoded(&after)?.1)? == json!({});
        Ok(match self.record.is_none() && is_ours_alone(target) && says_nothing {
            true => Step::Delete,
            false => Step::Restore { after, exact: Exactness::OnlyOurs },
        })
    }

    fn put_text(&self, text: &str) -> Step {
        let Some(content) = &self.found.content else {
            return Step::Write { after: text.as_bytes().to_vec(), before: None };
        };
        let is_marked = String::from_utf8_lossy(content).contains(guidance::MARK);
        match (self.untouched(), self.record) {
            _ if content == text.as_bytes() => Step::Nothing,
            (Some(before), _) => Step::Write { after: text.as_bytes().to_vec(), before },
            (None, Some(_)) => Step::Leave("was changed since it was installed"),
            (None, None) if is_marked => Step::Write { after: text.as_bytes().to_vec(), before: None },
            (None, None) => Step::Leave("is there already and is not ours"),
        }
    }

    fn take_text(&self, text: &str) -> Step {
        let Some(content) = &self.found.content else { return Step::Nothing };
        match (self.untouched(), self.record) {
            (Some(Some(after)), _) => Step::Restore { after, exact: Exactness::Exact },
            (Some(None), _) => Step::Delete,
            (None, Some(_)) => Step::Leave("was changed since it was installed"),
            (None, None) if content == text.as_bytes() => Step::Delete,
            (None, None) => Step::Nothing,
        }
    }

    /// What was there before, when the file is still as we wrote it.
    fn untouched(&self) -> Option<Option<Vec<u8>>> {
        let record = self.record?;
        let content = self.found.content.as_ref()?;
        if record.after != Stamp::of(content) {
            return None;
        }
        match &record.before {
            None => Some(None),
            Some(stamp) => self.ledger.kept(stamp).map(Some),
        }
    }

    fn before_value(&self, ours: &Ours<'_>) -> Json {
        let before = self.record.and_then(|record| self.ledger.kept(record.before.as_ref()?));
        let value = before.and_then(|bytes| {
            // What was there was read when it was recorded.
            let (_, text) = decoded(&bytes).ok()?;
            ours.value(text).ok()
        });
        value.unwrap_or_else(|| json!({}))
    }

    fn others_own_it(&self, owner: &Owner) -> bool {
        self.record.is_some_and(|record| {
            record.owners.contains(owner) && record.owners.iter().any(|other| other != owner)
        })
    }

    fn text(&self) -> Result<(&str, &str)> {
        decoded(self.found.content.as_deref().unwrap_or_default())
    }
}

/// What the file of somebody else says, as it stands.
fn said(ours: &Ours<'_>, text: &str) -> Result<Json> {
    ours.value(text).map_err(|error| anyhow!("{}; correct the file, then run this again", message(&error)))
}

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The mark at the beginning, if any, and the text.
fn decoded(bytes: &[u8]) -> Result<(&str, &str)> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        anyhow!("it is not UTF-8 text: byte {} is not; convert it", error.valid_up_to() + 1)
    })?;
    Ok(match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (BYTE_ORDER_MARK, rest),
        None => ("", text),
    })
}

fn encoded(mark: &str, text: &str) -> Vec<u8> {
    format!("{mark}{text}").into_bytes()
}
