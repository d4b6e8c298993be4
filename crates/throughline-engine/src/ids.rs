//! Where identifiers come from: short, sortable by time, unique without asking anyone.

use std::fmt;

use throughline_store::time::Timestamp;

/// Crockford's alphabet: no letters that are mistaken for digits.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const TIME_BITS: u32 = 48;
const RANDOM_BITS: u32 = 52;
const LENGTH: u32 = (TIME_BITS + RANDOM_BITS) / 5;

pub struct Ids(Box<dyn Fn() -> u64 + Send + Sync>);

impl Ids {
    pub fn system() -> Ids {
        Ids(Box::new(system_random))
    }

    /// `random` gives 64 random bits at a time.
    pub fn from_fn(random: impl Fn() -> u64 + Send + Sync + 'static) -> Ids {
        Ids(Box::new(random))
    }

    /// Twenty characters: milliseconds first, so that ids sort by age, then chance.
    pub fn next<T: From<String>>(&self, at: Timestamp) -> T {
        let millis = u128::try_from(at.0 / 1000).unwrap_or(0) & ((1 << TIME_BITS) - 1);
        let random = u128::from((self.0)() >> (u64::BITS - RANDOM_BITS));
        let bits = (millis << RANDOM_BITS) | random;
        let digit = |place: u32| ALPHABET[(bits >> (5 * place)) as usize & 31] as char;
        T::from((0..LENGTH).rev().map(digit).collect::<String>())
    }

    /// When an id was made, as far as it says so.
    pub fn time_of(id: &str) -> Option<Timestamp> {
        let digit = |byte: &u8| ALPHABET.iter().position(|known| known == byte).map(|digit| digit as u128);
        let bits = id.as_bytes().iter().try_fold(0, |bits, byte| Some((bits << 5) | digit(byte)?));
        let millis = bits.filter(|_| id.len() == LENGTH as usize)? >> RANDOM_BITS;
        Some(Timestamp(i64::try_from(millis).ok()? * 1000))
    }

    /// What nobody guesses: 256 random bits.
    pub fn secret(&self) -> String {
        let digit =
            |bits: u64| (0..13).map(move |place| ALPHABET[(bits >> (5 * place)) as usize & 31] as char);
        (0..4).flat_map(|_| digit((self.0)())).collect()
    }

    /// A number below `bound`, for spreading retries over time.
    pub fn below(&self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { (self.0)() % bound }
    }
}

impl fmt::Debug for Ids {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ids")
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that asks the system for chance")]
fn system_random() -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("every supported system has a random source");
    u64::from_ne_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Ids, Timestamp};

    #[test]
    fn ids_are_short_and_sort_by_time() {
        let ids = Ids::from_fn(|| u64::MAX);
        let (early, late): (String, String) =
            (ids.next(Timestamp(1_763_177_478_123_000)), ids.next(Timestamp(1_763_177_478_124_000)));
        assert_eq!(early.len(), 20);
        assert!(early < late, "{early} {late}");
    }

    #[test]
    fn ids_say_when_they_were_made() {
        let id: String = Ids::from_fn(|| u64::MAX).next(Timestamp(1_763_177_478_123_456));
        assert_eq!(Ids::time_of(&id), Some(Timestamp(1_763_177_478_123_000)));
        assert_eq!([Ids::time_of("0"), Ids::time_of("uuuuuuuuuuuuuuuuuuuu")], [None, None]);
    }
}
