//! How long texts are kept: compressed, in a column of their own beside the plain one.

use crate::Error;
use crate::sql::{Result, Row};

/// A text as its two columns: plain, or compressed when it is long.
pub(crate) struct Packed<'a> {
    pub(crate) plain: Option<&'a str>,
    pub(crate) packed: Option<Vec<u8>>,
}

impl<'a> Packed<'a> {
    pub(crate) fn of(text: Option<&'a str>, pack_over: usize) -> Result<Packed<'a>> {
        match text {
            // PostgreSQL's text cannot hold a zero byte; packed it comes back on both.
            Some(text) if text.len() > pack_over || text.contains('\0') => {
                let packed = zstd::bulk::compress(text.as_bytes(), 1)
                    .map_err(|e| Error::Other(format!("cannot compress {} bytes: {e}", text.len())))?;
                Ok(Packed { plain: None, packed: Some(packed) })
            }
            short => Ok(Packed { plain: short, packed: None }),
        }
    }
}

/// The text of the plain column, or of the packed one behind it.
pub(crate) fn unpack(row: &Row, plain: usize) -> Result<Option<String>> {
    let Some(packed) = row.get::<Option<Vec<u8>>>(plain + 1)? else { return row.get(plain) };
    let damaged =
        |what: &dyn std::fmt::Display| Error::Corrupt(format!("a compressed text cannot be read: {what}"));
    let bytes = zstd::stream::decode_all(packed.as_slice()).map_err(|e| damaged(&e))?;
    String::from_utf8(bytes).map(Some).map_err(|e| damaged(&e))
}
