//! Numbers with bounds, as parameters.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

/// `LEAST` to `MOST`; `USUAL` when not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Within<const LEAST: u64, const MOST: u64, const USUAL: u64>(u64);

/// How many entries of a list.
pub(super) type Limit = Within<1, 500, 50>;

/// A page of a list that nothing else is asked of.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Paged {
    #[serde(default)]
    pub(super) limit: Limit,
    pub(super) cursor: Option<String>,
}

impl<const LEAST: u64, const MOST: u64, const USUAL: u64> Within<LEAST, MOST, USUAL> {
    pub(super) fn get(self) -> u64 {
        self.0
    }

    pub(super) fn size(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }

    pub(super) fn number(self) -> i64 {
        i64::try_from(self.0).unwrap_or(i64::MAX)
    }

    /// One more than asked for tells whether something follows.
    pub(super) fn and_one(self) -> i64 {
        self.number().saturating_add(1)
    }
}

impl<const LEAST: u64, const MOST: u64, const USUAL: u64> Default for Within<LEAST, MOST, USUAL> {
    fn default() -> Self {
        Within(USUAL)
    }
}

impl<'de, const LEAST: u64, const MOST: u64, const USUAL: u64> Deserialize<'de>
    for Within<LEAST, MOST, USUAL>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let asked = i64::deserialize(deserializer)?;
        let within = u64::try_from(asked).ok().filter(|asked| (LEAST..=MOST).contains(asked));
        within
            .map(Within)
            .ok_or_else(|| serde::de::Error::custom(format!("{asked} is not between {LEAST} and {MOST}")))
    }
}

impl<const LEAST: u64, const MOST: u64, const USUAL: u64> JsonSchema for Within<LEAST, MOST, USUAL> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Within{LEAST}To{MOST}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": LEAST, "maximum": MOST, "default": USUAL })
    }
}
