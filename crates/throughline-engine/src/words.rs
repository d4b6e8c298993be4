//! Lists of words that are written as one text.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// To read a shorter list takes no longer than to look it up.
const SHORT: usize = 64;
/// A list that is asked so often is put in order: few are, in a process that looks at one short text.
const OFTEN: u32 = 24;

/// A list, by how often it was asked, and its words once that is often.
enum List {
    Asked(u32),
    Ordered(HashSet<&'static str>),
}

thread_local! {
    /// By where a list lies and how long it is.
    static LISTS: RefCell<HashMap<(usize, usize), List>> = RefCell::default();
}

/// Whether a list, whose words have spaces between them, has a word.
pub(crate) fn is_in(list: &'static str, word: &str) -> bool {
    if list.len() <= SHORT {
        return is_read_in(list, word);
    }
    LISTS.with_borrow_mut(|lists| {
        let known = lists.entry((list.as_ptr().addr(), list.len())).or_insert(List::Asked(0));
        if let List::Asked(times) = known {
            *times += 1;
            if *times < OFTEN {
                return is_read_in(list, word);
            }
            *known = List::Ordered(list.split_ascii_whitespace().collect());
        }
        matches!(known, List::Ordered(words) if words.contains(word))
    })
}

fn is_read_in(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::{OFTEN, is_in};

    #[test]
    fn a_list_has_its_words_however_often_it_is_asked() {
        const LIST: &str =
            "deploy deploys deployment push pushes merge merges commit commits release releases rollback";
        for _ in 0..3 * OFTEN {
            assert!(is_in(LIST, "deploy") && is_in(LIST, "rollback"));
            assert!(!is_in(LIST, "") && !is_in(LIST, "deploy deploys") && !is_in(LIST, "roll"));
        }
    }
}
