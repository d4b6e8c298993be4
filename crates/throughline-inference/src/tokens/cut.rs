//! The beginning of a text that fits into a budget.

use super::merge::{self, Merge};
use super::pieces::Pieces;
use super::{count, fits, vocabulary};

/// A longer piece is no word: cutting before it could lose most of the text.
const WORD: usize = 64;

/// The longest beginning that has at most `budget` tokens and ends after a word or a mark; inside a word only if it
/// is a very long one. The work grows with the budget, not with the text.
pub fn cut(text: &str, budget: u64) -> &str {
    if fits(text, budget) {
        return text;
    }
    let mut merge = Merge::default();
    let (mut left, mut at, mut end) = (budget, 0, 0);
    for piece in Pieces::of(reachable(text, budget)) {
        let long = piece.len() > WORD;
        let within = if long { inside(piece, left) } else { piece };
        let cost = merge.count(within.as_bytes());
        if cost > left {
            break;
        }
        left -= cost;
        at += within.len();
        // White space alone may be split elsewhere when nothing follows it.
        if long || !piece.trim().is_empty() {
            end = at;
        }
        if within.len() < piece.len() {
            break;
        }
    }
    &text[..end]
}

/// As much of a text as could possibly be used, and one piece's worth more.
fn reachable(text: &str, budget: u64) -> &str {
    let most = budget.saturating_add(1).saturating_mul(vocabulary::LONGEST as u64);
    &text[..text.floor_char_boundary(usize::try_from(most).unwrap_or(usize::MAX))]
}

/// The beginning of a long piece.
fn inside(piece: &str, budget: u64) -> &str {
    let Ok(budget) = usize::try_from(budget) else { return piece };
    let mut window = budget.saturating_mul(4).max(WORD);
    loop {
        let looked_at = &piece[..piece.floor_char_boundary(window)];
        let starts = merge::long(looked_at.as_bytes());
        match starts.get(budget) {
            Some(end) => return shrunk(&looked_at[..looked_at.floor_char_boundary(*end)], budget as u64),
            None if looked_at.len() == piece.len() => return piece,
            None => window = window.saturating_mul(2),
        }
    }
}

/// A character cut off may leave more tokens than it had.
fn shrunk(mut piece: &str, budget: u64) -> &str {
    while count(piece) > budget {
        piece = &piece[..piece.floor_char_boundary(piece.len() - 1)];
    }
    piece
}
