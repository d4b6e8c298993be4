//! Reckoning with moments.

use std::time::Duration;

use crate::time::Timestamp;

#[test]
fn a_later_moment_is_so_much_later() {
    let later = Timestamp(1_000).plus(Duration::from_millis(5));
    assert_eq!(later, Timestamp(6_000));
    assert_eq!(later.since(Timestamp(1_000)), Duration::from_millis(5));
}

#[test]
fn nothing_has_passed_since_a_moment_to_come() {
    assert_eq!(Timestamp(1_000).since(Timestamp(2_000)), Duration::ZERO);
    assert_eq!(Timestamp(i64::MIN).since(Timestamp(i64::MAX)), Duration::ZERO);
}

#[test]
fn the_end_of_time_is_not_passed() {
    assert_eq!(Timestamp(i64::MAX).plus(Duration::from_secs(1)), Timestamp(i64::MAX));
    assert_eq!(Timestamp(0).plus(Duration::MAX), Timestamp(i64::MAX));
}
