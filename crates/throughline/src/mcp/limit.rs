//! How many at most: bounded, so that an answer stays readable for a model.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

const MOST: usize = 1000;

/// 1 to 1,000; `USUAL` when not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Limit<const USUAL: usize>(usize);

impl<const USUAL: usize> Limit<USUAL> {
    pub(super) fn get(self) -> usize {
        self.0
    }
}

impl<const USUAL: usize> Default for Limit<USUAL> {
    fn default() -> Limit<USUAL> {
        Limit(USUAL)
    }
}

impl<'de, const USUAL: usize> Deserialize<'de> for Limit<USUAL> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Limit<USUAL>, D::Error> {
        let asked = i64::deserialize(deserializer)?;
        let within = usize::try_from(asked).ok().filter(|asked| (1..=MOST).contains(asked));
        within.map(Limit).ok_or_else(|| {
            serde::de::Error::custom(format!("limit is {asked}; write a number from 1 to {MOST}"))
        })
    }
}

impl<const USUAL: usize> JsonSchema for Limit<USUAL> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Limit".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer" })
    }
}
