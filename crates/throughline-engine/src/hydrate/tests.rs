//! The laws of hydration, over generated backlogs.
