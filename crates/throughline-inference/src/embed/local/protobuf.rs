//! The fields of a protobuf message, without knowing its schema.

/// What a field holds. Groups, which are long out of use, are not read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field<'a> {
    /// A whole number, in its unsigned form.
    Number(u64),
    /// A text, bytes, a message or packed numbers.
    Bytes(&'a [u8]),
    /// Four or eight bytes as they are.
    Fixed(&'a [u8]),
}

/// The fields in order, each with its number; an `Err` ends the list.
#[derive(Clone, Debug)]
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

#[derive(Debug)]
pub(super) struct Malformed;

impl<'a> Fields<'a> {
    pub(super) fn of(message: &'a [u8]) -> Fields<'a> {
        Fields { rest: message }
    }

    fn field(&mut self) -> Option<(u64, Field<'a>)> {
        let tag = self.number()?;
        let field = match tag & 7 {
            0 => Field::Number(self.number()?),
            1 => Field::Fixed(self.take(8)?),
            2 => {
                let length = self.number()?;
                Field::Bytes(self.take(usize::try_from(length).ok()?)?)
            }
            5 => Field::Fixed(self.take(4)?),
            _ => return None,
        };
        Some((tag >> 3, field))
    }

    /// Seven bits in each byte, the lowest first; the eighth says that more follow.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for place in 0..10 {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7F) << (7 * place);
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(bytes)?;
        self.rest = rest;
        Some(taken)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Field<'a>), Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.rest = &[];
        }
        Some(field.ok_or(Malformed))
    }
}

/// Whole numbers, each a field of its own or many packed into one.
pub(super) fn numbers(field: Field<'_>) -> Option<Vec<u64>> {
    match field {
        Field::Number(number) => Some(vec![number]),
        Field::Bytes(packed) => {
            let mut fields = Fields::of(packed);
            let mut numbers = Vec::new();
            while !fields.rest.is_empty() {
                numbers.push(fields.number()?);
            }
            Some(numbers)
        }
        Field::Fixed(_) => None,
    }
}
