//! Shares on the command line: how sure, how important, how much worth.

/// Between 0 and 1, both included.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a number between 0 and 1".to_owned())
}
