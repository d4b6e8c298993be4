//! Relations between statements.
