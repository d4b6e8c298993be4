//! The shapes that the outside sees, the same for `--json` and every other door.

pub(crate) mod backlog;
pub(crate) mod belief;
pub(crate) mod cited;
pub(crate) mod closed;
pub(crate) mod code;
pub(crate) mod context;
pub(crate) mod decision;
pub(crate) mod error;
pub(crate) mod event;
pub(crate) mod graph;
pub(crate) mod hold;
pub(crate) mod item;
pub(crate) mod job;
pub(crate) mod memory;
pub(crate) mod model;
pub(crate) mod observation;
pub(crate) mod orient;
pub(crate) mod pattern;
pub(crate) mod project;
pub(crate) mod recall;
pub(crate) mod reconstruct;
pub(crate) mod resource;
pub(crate) mod review;
pub(crate) mod session;
pub(crate) mod time;
pub(crate) mod turn;
