//! What is left out when not everything fits. Long lists get shorter before anything disappears, what the folder says goes
//! before what the project's own records say, and what is always promised goes last.

use throughline_inference::tokens;

use super::repository::{Activity, Repository};
use super::{Orientation, Shown};
use crate::capture::shortened;

/// Leaves out what matters least until the rest fits.
pub(super) fn fit(
    mut orientation: Orientation,
    max_tokens: u64,
    write: &dyn Fn(&Orientation) -> String,
) -> Orientation {
    while !tokens::fits(&write(&orientation), max_tokens) && orientation.drop_least() {}
    orientation
}

impl Orientation {
    /// False when nothing is left that could go.
    pub(crate) fn drop_least(&mut self) -> bool {
        shorten(self) || drop(self) || cut(self)
    }
}

/// Takes the last entry of a list that is longer than it needs to be.
fn shorten(of: &mut Orientation) -> bool {
    let in_repository = of.repository.as_mut().is_some_and(|repository| {
        let activity = repository.activity.as_mut();
        activity.is_some_and(|activity| activity.hot_files.down_to(3) || longer(&mut activity.commits, 3))
            || repository.guidance.down_to(4)
            || repository.entry_points.down_to(3)
            || repository.commands.down_to(4)
    });
    in_repository
        || of.decisions.down_to(3)
        || of.open.down_to(3)
        || of.rules.down_to(4)
        || of.unfinished.down_to(3)
        || of.handoffs.down_to(1)
        || of.blockers.down_to(5)
        || of.in_progress.down_to(5)
}

/// Takes the last entry of what can be missed most easily.
fn drop(of: &mut Orientation) -> bool {
    of.repository.as_mut().is_some_and(activity)
        || of.decisions.down_to(0)
        || of.open.down_to(0)
        || of.repository.as_mut().is_some_and(the_rest)
        || of.repository.take().is_some()
        || of.rules.down_to(0)
        || of.last_session.take().is_some()
        || of.unfinished.down_to(0)
        || of.handoffs.down_to(0)
        || of.blockers.down_to(0)
        || of.in_progress.down_to(0)
        || of.completed.down_to(0)
}

fn activity(of: &mut Repository) -> bool {
    let lists = |activity: &mut Activity| activity.hot_files.down_to(0) || longer(&mut activity.commits, 0);
    of.activity.as_mut().is_some_and(lists)
}

fn the_rest(of: &mut Repository) -> bool {
    of.entry_points.down_to(0)
        || of.guidance.down_to(0)
        || of.commands.down_to(0)
        || of.purpose.take().is_some()
}

/// Names are long where somebody wanted them to be. Whoever asked for the focus knows it.
fn cut(of: &mut Orientation) -> bool {
    let title =
        |of: &mut Orientation, chars| of.focus.as_mut().is_some_and(|focus| shorter(&mut focus.title, chars));
    title(of, 60) || shorter(&mut of.project, 60) || title(of, 20) || of.focus.take().is_some()
}

fn shorter(text: &mut String, chars: usize) -> bool {
    let is_long = text.chars().nth(chars).is_some();
    *text = shortened(text, chars);
    is_long
}

fn longer<T>(list: &mut Vec<T>, floor: usize) -> bool {
    list.len() > floor && list.pop().is_some()
}

impl<T> Shown<T> {
    fn down_to(&mut self, floor: usize) -> bool {
        longer(&mut self.shown, floor)
    }
}
