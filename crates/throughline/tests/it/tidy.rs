//! The shape of the code.
