//! How many tokens a text costs.

/// An estimate from the shape of the text alone, fast enough for every append: runs of letters cost a token
/// for each four, everything that is not ASCII a token for each character.
pub fn estimate(text: &str) -> u64 {
    let mut tokens = 0;
    let mut run = 0;
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() {
            run += 1;
            continue;
        }
        tokens += run_cost(run) + mark_cost(byte);
        run = 0;
    }
    tokens + run_cost(run)
}

fn run_cost(letters: u64) -> u64 {
    letters.div_ceil(4)
}

fn mark_cost(byte: u8) -> u64 {
    // A space belongs to the word after it; the later bytes of a character belong to its first.
    let free = byte == b' ' || (0x80..0xC0).contains(&byte);
    u64::from(!free)
}

#[cfg(test)]
mod tests {
    use super::estimate;

    #[test]
    fn words_marks_and_scripts_are_counted() {
        let cases =
            [("", 0), ("ok", 1), ("remember this", 3), ("a.b", 3), ("记住这个", 4), ("fn main() {}", 6)];
        for (text, tokens) in cases {
            assert_eq!(estimate(text), tokens, "{text}");
        }
    }
}
