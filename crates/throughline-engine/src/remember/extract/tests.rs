//! Rules on sentences and stretches of the log.
