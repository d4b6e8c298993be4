//! Carrying out plans: all of a client's files, or none.

use std::path::PathBuf;

use anyhow::Result;

use super::disk::{Access, Staged, remove_empty};
use super::ledger::{Ledger, Owner, Record, Stamp};
use super::places::Scope;
use super::plan::{Plan, Step};
use super::{FileOutcome, Verb};

/// Writes beside every file first, then renames; whatever fails on the way is undone. The ledger is the earlier of the two
/// when something is written and the later when it is taken back: should the program die in between, the ledger knows of
/// what is not there, which the file's content tells, and never misses what is.
pub(super) fn all(plans: &[Plan], owner: &Owner, ledger: &mut Ledger) -> Result<Vec<FileOutcome>> {
    let known = ledger.clone();
    let staged = stage(plans, owner.scope)?;
    let made: Vec<Vec<PathBuf>> = staged.iter().map(|(_, made)| made.clone()).collect();
    let is_install = plans.iter().any(|plan| plan.verb == Verb::Install);
    let mut written = record(plans, &made, owner, ledger);
    if is_install && let (Ok(_), Err(error)) = (&written, ledger.save()) {
        written = Err(error);
    }
    // What was written beside goes before the folders that were made for it.
    let written = match written {
        Ok(outcomes) => commit(plans, staged, owner.scope).map(|()| outcomes),
        Err(error) => {
            drop(staged);
            Err(error)
        }
    };
    if let Err(error) = written {
        made.iter().rev().for_each(|made| remove_empty(made));
        if is_install {
            known.save()?;
        }
        return Err(error);
    }
    if !is_install {
        remove_empty(&ledger.useless_folders());
        ledger.save()?;
    }
    written
}

type InPlace = (Option<Staged>, Vec<PathBuf>);

fn stage(plans: &[Plan], scope: Scope) -> Result<Vec<InPlace>> {
    let mut staged: Vec<InPlace> = Vec::new();
    for plan in plans {
        let next = match &plan.step {
            Step::Write { after, .. } | Step::Restore { after, .. } => {
                plan.found.stage(after, access(plan, scope)).map(|(file, made)| (Some(file), made))
            }
            Step::Nothing | Step::Leave(_) | Step::Disown | Step::Delete => Ok((None, Vec::new())),
        };
        match next {
            Ok(next) => staged.push(next),
            Err(error) => {
                let made: Vec<Vec<PathBuf>> = staged.into_iter().map(|(_, made)| made).collect();
                made.iter().rev().for_each(|made| remove_empty(made));
                return Err(error);
            }
        }
    }
    Ok(staged)
}

fn commit(plans: &[Plan], staged: Vec<InPlace>, scope: Scope) -> Result<()> {
    for (done, (plan, (file, _))) in plans.iter().zip(staged).enumerate() {
        let committed = plan.found.check_unchanged().and_then(|()| match (&plan.step, file) {
            (Step::Delete, _) => plan.found.delete(),
            (_, Some(file)) => plan.found.commit(file),
            (_, None) => Ok(()),
        });
        if let Err(error) = committed {
            for earlier in &plans[..done] {
                earlier.found.restore(access(earlier, scope))?;
            }
            return Err(error);
        }
    }
    Ok(())
}

fn record(
    plans: &[Plan],
    made: &[Vec<PathBuf>],
    owner: &Owner,
    ledger: &mut Ledger,
) -> Result<Vec<FileOutcome>> {
    let mut outcomes = Vec::new();
    for (plan, made) in plans.iter().zip(made) {
        let path = plan.target.path.clone();
        let mut backup = None;
        match &plan.step {
            Step::Write { after, before } => {
                let before = before.as_deref().map(|before| ledger.keep(before)).transpose()?;
                // What lies there now may differ from what a later uninstall brings back.
                let found = plan.found.content.as_deref().map(|found| ledger.keep(found)).transpose()?;
                backup = found.map(|stamp| ledger.backup(&stamp));
                let after = Stamp::of(after);
                ledger.put(Record { before, after, ..owned(ledger, plan, owner) });
                ledger.made(made.iter().cloned());
            }
            Step::Restore { .. } | Step::Delete => {
                // What we wrote ourselves can be written again.
                let is_known = |found: &&[u8]| {
                    ledger.record(&path).is_some_and(|record| record.after == Stamp::of(found))
                };
                let found = plan.found.content.as_deref().filter(|found| !is_known(found));
                let stamp = found.map(|found| ledger.keep(found)).transpose()?;
                backup = stamp.map(|stamp| ledger.backup(&stamp));
                ledger.forget(&path);
            }
            Step::Nothing if plan.verb == Verb::Install => share(ledger, plan, owner),
            Step::Nothing => ledger.forget(&path),
            // Whoever changed it may still want to know that it began as ours.
            Step::Disown | Step::Leave(_) => disown(ledger, plan, owner),
        }
        outcomes.push(FileOutcome { path, action: plan.action(), backup, diff: String::new() });
    }
    Ok(outcomes)
}

fn owned(ledger: &Ledger, plan: &Plan, owner: &Owner) -> Record {
    let known = ledger.record(&plan.target.path).cloned();
    let mut record = known.unwrap_or_else(|| Record {
        path: plan.target.path.clone(),
        real: plan.found.real.clone(),
        owners: Vec::new(),
        before: None,
        after: Stamp::of(b""),
    });
    if !record.owners.contains(owner) {
        record.owners.push(owner.clone());
    }
    record
}

/// A file that is right already may be so for another client. Without a record it is right by somebody else's hand, and
/// our entries are known by what they say.
fn share(ledger: &mut Ledger, plan: &Plan, owner: &Owner) {
    if ledger.record(&plan.target.path).is_some() {
        let record = owned(ledger, plan, owner);
        ledger.put(record);
    }
}

fn disown(ledger: &mut Ledger, plan: &Plan, owner: &Owner) {
    if let Some(mut record) =
        ledger.record(&plan.target.path).cloned().filter(|_| plan.verb == Verb::Uninstall)
    {
        record.owners.retain(|other| other != owner);
        ledger.put(record);
    }
}

fn access(plan: &Plan, scope: Scope) -> Access {
    match (scope, plan.is_executable()) {
        (Scope::User, false) => Access::Private,
        (Scope::User, true) => Access::PrivateProgram,
        (Scope::Project, false) => Access::Shared,
        (Scope::Project, true) => Access::SharedProgram,
    }
}
