//! What somebody complains of: "you keep putting helpers in utils.ts". That is no custom of the project, but the contrary of
//! one, perhaps.

use throughline_store::memory::Kind;

use super::sentence::Sentence;
use super::{Family, Found, Reason};
use crate::words::is_in;

const CONFIDENCE: f64 = 0.6;
/// What may be left for good. Nobody makes a rule of not forgetting.
const DONE: &str = "using putting adding writing importing calling running naming committing creating mocking placing storing returning \
    logging throwing catching hardcoding editing pushing deploying installing inlining wrapping nesting disabling";
const FAILING: &str = "forget forgets miss skip ignore break overlook mess confuse leave overwrite";

/// Nothing where it complains of nothing.
pub(super) fn says(sentence: &Sentence<'_>) -> Option<Result<Found, Reason>> {
    let doing = doing(sentence)?;
    let is_left = is_in(DONE, sentence.word(doing)) && sentence.words.len() > doing + 1;
    // Only once it is about something that is known, unless a custom is named.
    let tentative = !["we don't", "we never", "not how we"].iter().any(|custom| sentence.has(custom));
    let avoided = format!("Avoid {}", sentence.text_after(doing));
    let found = Found { tentative, ..Found::new(Family::Correction, Kind::Rule, CONFIDENCE, &avoided) };
    Some(if is_left && !sentence.asks() { Ok(found) } else { Err(Reason::Symptom) })
}

/// Where it says what is done again and again.
fn doing(sentence: &Sentence<'_>) -> Option<usize> {
    const AGAIN: [&str; 6] =
        ["you keep on", "you keep", "you're always", "you are always", "you're constantly", "you constantly"];
    let lead = AGAIN.iter().find(|lead| sentence.starts(lead)).map(|lead| lead.split(' ').count());
    let is_doing = |word: &str| word.ends_with("ing") && word.len() > 4;
    lead.filter(|lead| is_doing(sentence.word(*lead))).or_else(|| fails(sentence))
}

/// "you always forget the migrations"
fn fails(sentence: &Sentence<'_>) -> Option<usize> {
    let is_always = sentence.starts("you always") || sentence.starts("you constantly");
    (is_always && is_in(FAILING, sentence.word(2))).then_some(2)
}

#[cfg(test)]
mod tests {
    use super::{Sentence, says};

    #[test]
    fn what_is_complained_of_is_no_custom() {
        for (complaint, rule) in [
            ("You keep putting helpers in utils.ts", Some("Avoid putting helpers in utils.ts")),
            ("you keep using npm", Some("Avoid using npm")),
            ("you always forget the migrations", None),
            ("You keep ignoring half of my message.", None),
        ] {
            let said = says(&Sentence::new(1, complaint, None)).unwrap();
            assert_eq!(said.ok().map(|found| found.content).as_deref(), rule, "{complaint}");
        }
        for told in ["You keep the tests next to the code", "you always need the VPN for staging"] {
            assert!(says(&Sentence::new(1, told, None)).is_none(), "{told}");
        }
    }
}
