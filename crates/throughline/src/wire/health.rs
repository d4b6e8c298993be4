//! That a server lives and can work, in JSON.

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Alive {
    pub(crate) status: &'static str,
    pub(crate) version: &'static str,
}

impl Alive {
    pub(crate) const NOW: Alive = Alive { status: "ok", version: env!("CARGO_PKG_VERSION") };
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Ready {
    pub(crate) status: &'static str,
}
