//! Sizes of files as people read them.

const MEGABYTE: u64 = 1_000_000;

/// Whole megabytes.
pub(crate) fn megabytes(bytes: u64) -> String {
    match bytes / MEGABYTE {
        0 => "under 1 MB".to_owned(),
        count => format!("{count} MB"),
    }
}
