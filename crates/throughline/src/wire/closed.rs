//! Values of closed sets in JSON: written and read by their names, refused with the names there are.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use throughline_engine::recall::Kind;
use throughline_engine::remember::FeedbackOutcome;
use throughline_engine::store::context_entry::Tier;
use throughline_engine::store::event::Kind as EventKind;
use throughline_engine::store::item::{Priority, Status, Type};
use throughline_engine::store::memory::{Kind as MemoryKind, Scope, Status as MemoryStatus};
use throughline_engine::store::token::Role as TokenRole;

/// A set whose values are all known by name.
pub(crate) trait Closed: FromStr<Err = String> + fmt::Display + Copy + 'static {
    const ALL: &'static [Self];
}

macro_rules! closed {
    ($($set:ty),* $(,)?) => {
        $(impl Closed for $set {
            const ALL: &'static [Self] = <$set>::ALL;
        })*
    };
}

closed!(
    Kind,
    MemoryKind,
    MemoryStatus,
    EventKind,
    Scope,
    FeedbackOutcome,
    Status,
    Type,
    Priority,
    Tier,
    TokenRole,
);

/// One value of a closed set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct One<T>(pub(crate) T);

impl<T: Closed> Serialize for One<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, T: Closed> Deserialize<'de> for One<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<One<T>, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        name.parse().map(One).map_err(serde::de::Error::custom)
    }
}

impl<T: Closed> JsonSchema for One<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "One".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<String> = T::ALL.iter().map(ToString::to_string).collect();
        json_schema!({ "type": "string", "enum": names })
    }
}
