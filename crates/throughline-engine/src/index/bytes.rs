//! Numbers in pages: written one after the other, read back with every length checked.

use throughline_store::{Error, Result};

pub(super) fn put_varint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// A page being read from its beginning.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn varint(&mut self) -> Result<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first().ok_or_else(damaged)?;
            self.0 = rest;
            n |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(n);
            }
        }
        Err(damaged())
    }

    pub(super) fn number<T: TryFrom<u64>>(&mut self) -> Result<T> {
        T::try_from(self.varint()?).map_err(|_| damaged())
    }

    pub(super) fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(super) fn f32(&mut self) -> Result<f32> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    pub(super) fn text(&mut self) -> Result<&'a str> {
        let length = self.number()?;
        std::str::from_utf8(self.take(length)?).map_err(|_| damaged())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| damaged())
    }
}

pub(super) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

pub(super) fn damaged() -> Error {
    Error::Corrupt(
        "a page of the search index cannot be read; `throughline index rebuild` makes it again".to_owned(),
    )
}
