//! Working sets: the properties of importance over all entries that can be, and what becomes of what agents hold.

mod checkpoints;
mod entries;
mod handoffs;

use std::time::Duration;

use proptest::prelude::*;
use throughline_store::context_entry::{ContextEntry, State, Tier};
use throughline_store::id::EntryId;
use throughline_store::time::Timestamp;

use super::{Policy, TASK, Weight, tier_of};
use crate::testing::START;

fn entry(entry_type: &str) -> ContextEntry {
    ContextEntry {
        id: EntryId::from("e".to_owned()),
        entry_type: entry_type.to_owned(),
        content: String::new(),
        content_hash: String::new(),
        tokens: 0,
        importance: None,
        item_id: None,
        tier: Tier::Warm,
        state: State::Held,
        access_count: 0,
        created_at: START,
        last_accessed_at: START,
        loaded_hash: None,
    }
}

fn touched(entry: &ContextEntry, at: Timestamp) -> ContextEntry {
    ContextEntry { access_count: entry.access_count + 1, last_accessed_at: at, ..entry.clone() }
}

fn after(hours: f64) -> Timestamp {
    START.plus(Duration::from_secs_f64(hours * 3600.0))
}

#[test]
fn boundaries_are_exact() {
    let below = |boundary: f64| f64::from_bits(boundary.to_bits() - 1);
    assert_eq!([0.8, below(0.8)].map(tier_of), [Tier::Hot, Tier::Warm]);
    assert_eq!([0.4, below(0.4)].map(tier_of), [Tier::Warm, Tier::Cold]);
    assert_eq!([1.0, 0.0].map(tier_of), [Tier::Hot, Tier::Cold]);
    let policy = Policy::default();
    for (given, tier) in
        [(0.8, Tier::Hot), (below(0.8), Tier::Warm), (0.4, Tier::Warm), (below(0.4), Tier::Cold)]
    {
        let fresh = ContextEntry { importance: Some(given), ..entry("CODE") };
        assert_eq!(policy.importance(&fresh, START).to_bits(), given.to_bits());
        assert_eq!(policy.tier(&fresh, START), tier, "{given}");
    }
}

#[test]
fn a_working_day_is_as_it_should_be() {
    let policy = Policy::default();
    let tier = |entry: &ContextEntry, hours| policy.tier(entry, after(hours));
    let (task, error, code) = (entry(TASK), entry("ERROR"), entry("CODE"));
    assert_eq!(tier(&task, 0.0), Tier::Hot);
    assert_eq!(tier(&task, 3.9), Tier::Hot, "a morning without a touch");
    assert_eq!(tier(&task, 12.0), Tier::Warm);
    assert_eq!(tier(&error, 0.0), Tier::Hot);
    assert_eq!(tier(&error, 4.0), Tier::Warm);
    assert_ne!(tier(&error, 24.0), Tier::Hot);
    assert_eq!(tier(&error, 14.0 * 24.0), Tier::Cold);
    assert_eq!(tier(&code, 0.0), Tier::Warm);
    let used = touched(&touched(&touched(&code, START), START), START);
    assert_eq!(tier(&used, 0.0), Tier::Hot, "code that is used three times");
    for (name, weight) in &policy.types {
        assert_eq!(tier(&entry(name), 60.0 * 24.0), Tier::Cold, "{name} {weight:?} after two months");
    }
}

prop_compose! {
    fn any_policy()(weight in 0.0..=1.0f64, hours in 1u64..1000, grip in 0.01..5.0f64) -> Policy {
        let other = Weight { weight, half_life: Duration::from_secs(hours * 3600) };
        Policy { types: [].into(), other, grip, ..Policy::default() }
    }
}

prop_compose! {
    fn any_entry()(given in proptest::option::of(0.001..0.999f64), count in 0i64..1000) -> ContextEntry {
        ContextEntry { importance: given, access_count: count, ..entry("ANY") }
    }
}

proptest! {
    #[test]
    fn importance_is_between_nothing_and_one(policy in any_policy(), entry in any_entry(), hours in -100.0..1e6f64) {
        let now = Timestamp(START.0 + (hours * 3.6e9) as i64);
        let importance = policy.importance(&entry, now);
        prop_assert!((0.0..=1.0).contains(&importance), "{importance}");
        prop_assert_eq!(policy.tier(&entry, now), tier_of(importance));
    }

    #[test]
    fn silence_never_raises_and_in_the_end_everything_is_cold(
        policy in any_policy(), entry in any_entry(), early in 0.0..500.0f64, more in 0.01..500.0f64,
    ) {
        let (before, then) = (policy.importance(&entry, after(early)), policy.importance(&entry, after(early + more)));
        prop_assert!(then <= before, "{before} became {then}");
        prop_assert_eq!(policy.tier(&entry, after(5e6)), Tier::Cold);
    }

    #[test]
    fn each_access_raises(policy in any_policy(), entry in any_entry(), hours in 0.0..500.0f64) {
        let now = after(hours);
        let (before, then) = (policy.importance(&entry, now), policy.importance(&touched(&entry, now), now));
        // From nothing there is no way up, and at the top none further.
        let can_rise = before > 0.0 && before < 1.0 - 1e-12;
        prop_assert!(if can_rise { then > before } else { then >= before }, "{before} became {then}");
    }

    #[test]
    fn what_weighs_more_counts_more(
        policy in any_policy(), entry in any_entry(), light in 0.0..1.0f64, heavy in 0.0..1.0f64, hours in 0.0..500.0f64,
    ) {
        let (light, heavy) = (light.min(heavy), light.max(heavy));
        let of = |weight| policy.importance(&ContextEntry { importance: Some(weight), ..entry.clone() }, after(hours));
        prop_assert!(of(light) <= of(heavy));
    }

    #[test]
    fn every_tier_can_be_reached(weight in 0.35..=1.0f64, hours in 1u64..100) {
        let other = Weight { weight, half_life: Duration::from_secs(hours * 3600) };
        let policy = Policy { types: [].into(), other, ..Policy::default() };
        let mut used = entry("ANY");
        for _ in 0..100_000 {
            if policy.tier(&used, START) == Tier::Hot { break; }
            used = touched(&used, START);
        }
        prop_assert_eq!(policy.tier(&used, START), Tier::Hot);
        let hour = (0..1_000_000).find(|hour| policy.tier(&used, after(f64::from(*hour))) == Tier::Warm);
        prop_assert!(hour.is_some(), "WARM is passed on the way down");
        prop_assert_eq!(policy.tier(&used, after(1e6)), Tier::Cold);
    }
}
