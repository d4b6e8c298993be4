//! Files that others wrote.
