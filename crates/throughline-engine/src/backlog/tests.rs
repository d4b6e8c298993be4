//! What the backlog does, from the outside.
