//! How something is written that is no plain word: as a number, a version, a path, a flag.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Shape {
    Channel,
    Flag,
    Code,
    Variable,
    Time,
    Version,
    Number,
    Path,
    Identifier,
    Address,
    Mixed,
}

impl Shape {
    /// Nothing for plain words, and for names that only a capital tells.
    pub(super) fn of(bare: &str) -> Option<Shape> {
        let is_number =
            bare.trim_start_matches(['$', '€', '£', '~', '<', '>']).starts_with(|c: char| c.is_ascii_digit());
        match () {
            () if bare.starts_with('#') && bare.len() > 1 => Some(Shape::Channel),
            () if bare.starts_with('-') && bare.contains(char::is_alphabetic) => Some(Shape::Flag),
            () if bare.contains('`') => Some(Shape::Code),
            () if is_variable(bare) => Some(Shape::Variable),
            () if is_number && bare.contains(':') => Some(Shape::Time),
            () if is_number && bare.contains('.') => Some(Shape::Version),
            () if is_number => Some(Shape::Number),
            () if bare.contains('/') && bare.len() > 2 => Some(Shape::Path),
            () if bare.contains('_') || has_hump(bare) => Some(Shape::Identifier),
            () if bare.contains(['.', '@', ':']) => Some(Shape::Address),
            () if bare.bytes().any(|byte| byte.is_ascii_digit()) => Some(Shape::Mixed),
            () => None,
        }
    }
}

fn is_variable(bare: &str) -> bool {
    bare.contains('_') && bare.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

fn has_hump(bare: &str) -> bool {
    bare.chars().zip(bare.chars().skip(1)).any(|(one, next)| one.is_lowercase() && next.is_uppercase())
}

/// A word without the signs around it.
pub(super) fn bare(raw: &str) -> &str {
    raw.trim_matches(|c: char| ".,;:!?()\"'“”".contains(c))
}

/// Written with a capital where a plain word is not.
pub(super) fn is_capital(bare: &str) -> bool {
    bare.starts_with(char::is_uppercase) && bare != "I" && !bare.starts_with("I'")
}
