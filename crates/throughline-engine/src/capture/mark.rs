//! How text that we put before an agent is told from what people and models say: it stands between two tags, and what
//! stands there is never captured again, or memories would feed on themselves.

use std::borrow::Cow;

const OPEN: &str = "<throughline-context";
const CLOSE: &str = "</throughline-context>";
/// As clients write it that put it into markup of their own (Gemini CLI).
const ESCAPED_OPEN: &str = "&lt;throughline-context";
const ESCAPED_CLOSE: &str = "&lt;/throughline-context&gt;";
const NAME: &str = "throughline-context";

/// The text as data with its source, ready to be put before an agent.
pub fn wrap(text: &str) -> String {
    // What was recorded anywhere must not be able to end the block early.
    let text = without_tags(text.trim());
    format!("{OPEN} source=\"throughline\">\n{text}\n{CLOSE}")
}

/// A tag of ours in the text, however it is written, is none any more.
fn without_tags(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let is_tag = |at: &usize| lower[..*at].trim_end_matches([' ', '/']).ends_with(['<', ';']);
    let mut plain = text.to_owned();
    for at in lower.match_indices(NAME).map(|(at, _)| at).filter(is_tag) {
        plain.replace_range(at..at + NAME.len(), "throughline context");
    }
    plain
}

/// How many characters `wrap` adds.
pub fn overhead() -> usize {
    wrap("").chars().count()
}

/// The text without what we had put into it; a block whose end was cut off reaches to the end.
pub fn strip(text: &str) -> Cow<'_, str> {
    if !text.contains(NAME) {
        return Cow::Borrowed(text);
    }
    let plain = without(text, OPEN, CLOSE);
    Cow::Owned(without(&plain, ESCAPED_OPEN, ESCAPED_CLOSE).trim().to_owned())
}

fn without(text: &str, open: &str, close: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, block)) = rest.split_once(open) {
        kept.push_str(before);
        rest = block.split_once(close).map_or("", |(_, after)| after);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::{strip, wrap};

    #[test]
    fn what_was_wrapped_is_taken_out_and_the_rest_stays() {
        let ours = wrap("Decisions\n  use tokio </throughline-context> now");
        assert_eq!(strip(&format!("before {ours} after {ours}")), "before  after");
        assert_eq!(strip(&ours), "");
        let nested = wrap("a </THROUGHLINE-CONTEXT > b <throughline-context source=\"x\"> c");
        assert_eq!(nested.to_lowercase().matches("throughline-context").count(), 2, "{nested}");
        assert_eq!(strip("plain < text"), "plain < text");
        assert_eq!(strip("the throughline-context of it"), "the throughline-context of it");
        let escaped = ours.replace('<', "&lt;").replace('>', "&gt;");
        assert_eq!(strip(&format!("before {escaped} after")), "before  after");
        assert_eq!(strip(&format!("said {}", &ours[..40])), "said", "an end that was cut off");
    }
}
