//! Whether what a model says is meant as it was said: with the "not" and the "maybe" of the sentence around its quotation, and
//! with nothing of its own added behind.

use super::Reason;
use crate::ask::{Mentioned, is_negative};

/// Who says "as far as I know" means it; who says one of these does not stand for it.
const HEDGES: [&str; 5] = ["maybe", "perhaps", "possibly", "might", "allegedly"];
const UNSURE: [&str; 5] = ["not sure", "not certain", "no idea", "don't know", "i guess"];
/// They deny what they stand with.
const DENYING: [&str; 9] =
    ["never", "nobody", "none", "nothing", "neither", "nor", "cannot", "without", "hardly"];
/// "Tabs not spaces" denies the spaces only; after one of these, "not" denies the clause.
const AUXILIARIES: [&str; 30] = [
    "is", "are", "was", "were", "be", "been", "am", "do", "does", "did", "can", "could", "should", "shall",
    "must", "may", "will", "would", "has", "have", "had", "ought", "need", "better", "if", "when", "please",
    "to", "or", "why",
];
/// Said in the place of a "not".
const INSTEAD: [&str; 11] = [
    "only", "except", "unless", "outside", "rather", "fails", "lacks", "missing", "disabled", "off", "until",
];
const CUTS: [&str; 10] =
    [", ", "; ", ": ", " — ", " – ", " but ", " and not ", " because ", " so ", " instead of "];
/// So much of a clause is in a statement that speaks of it.
const SHARED: f64 = 0.4;
/// So many words that nobody said, at the end of a statement, were put in.
const TAIL: usize = 2;

/// Of a statement and the sentences of the log around what it quotes.
pub(super) fn check(statement: &str, sentences: &[String]) -> Result<(), Reason> {
    let hedged = |text: &str| {
        let words = words(text);
        let is_unsure = |phrase: &str| format!(" {} ", words.join(" ")).contains(&format!(" {phrase} "));
        words.iter().any(|word| HEDGES.contains(&word.as_str()))
            || UNSURE.iter().any(|phrase| is_unsure(phrase))
    };
    if !hedged(statement) && sentences.iter().any(|sentence| hedged(sentence)) {
        return Err(Reason::Uncertain);
    }
    let said = Mentioned::of([statement]);
    let mut clauses = sentences.iter().flat_map(|sentence| clauses(sentence));
    let mut turned = || clauses.any(|clause| denies(&clause) && said.share(&clause) >= SHARED);
    let made_up = || denies(statement) && !sentences.iter().any(|sentence| is_restricted(sentence));
    if !is_restricted(statement) && turned() || made_up() {
        return Err(Reason::NotSaid);
    }
    Ok(())
}

/// Whether it has a name or a number that is in none of these texts.
pub(super) fn names_what_nobody_said<'a>(statement: &str, texts: impl Iterator<Item = &'a str>) -> bool {
    let mut numbers = numbers(statement);
    let texts: Vec<&str> = texts.collect();
    for text in &texts {
        let known = self::numbers(text);
        numbers.retain(|number| !known.contains(number));
    }
    !numbers.is_empty() || !Mentioned::of(texts).lacks(statement).is_empty()
}

/// Whether it ends with several words that are in none of these texts.
pub(super) fn has_a_tail<'a>(statement: &str, texts: impl Iterator<Item = &'a str>) -> bool {
    let said = Mentioned::of(texts);
    let long = words(statement).into_iter().rev().filter(|word| word.chars().count() >= 4);
    long.take_while(|word| said.share(word) == 0.0).count() >= TAIL
}

/// The sentence of a line that has these words.
pub(super) fn around(line: &str, quote: &str) -> String {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let (line, quote) = (plain(line), plain(quote));
    let Some(at) = line.find(&quote) else { return line };
    let ends = [". ", "! ", "? "];
    let start = ends.iter().filter_map(|end| line[..at].rfind(end)).max().map_or(0, |start| start + 2);
    let behind = at + quote.len();
    let end = ends.iter().filter_map(|end| line[behind..].find(end)).min();
    line[start..end.map_or(line.len(), |end| behind + end)].to_owned()
}

fn clauses(sentence: &str) -> Vec<String> {
    CUTS.iter().fold(vec![sentence.to_owned()], |parts, cut| {
        parts.iter().flat_map(|part| part.split(cut)).map(str::to_owned).collect()
    })
}

fn denies(clause: &str) -> bool {
    let words = words(clause);
    words.iter().enumerate().any(|(at, word)| match word.as_str() {
        "not" => at == 0 || AUXILIARIES.contains(&words[at - 1].as_str()),
        "no" => words.get(at + 1).is_some_and(|next| next.chars().count() >= 4),
        word => DENYING.contains(&word) || word.ends_with("n't"),
    })
}

/// Whether it denies or restricts something, in whatever words.
fn is_restricted(text: &str) -> bool {
    is_negative(text)
        || words(text).iter().any(|word| DENYING.contains(&word.as_str()) || INSTEAD.contains(&word.as_str()))
}

fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace('’', "'");
    lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn numbers(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{around, check, has_a_tail, names_what_nobody_said};

    fn holds(line: &str, quote: &str, statement: &str) -> bool {
        check(statement, &[around(line, quote)]).is_ok()
    }

    #[test]
    fn a_statement_keeps_the_not_and_the_maybe_of_its_sentence() {
        for (line, quote, statement) in [
            (
                "hm so the sorter can not be restarted while belt three is running",
                "the sorter can not be restarted while belt three is running",
                "The sorter can be restarted while belt three is running.",
            ),
            (
                "well nobody should deploy the billing service on a friday evening",
                "deploy the billing service on a friday evening",
                "Deploy the billing service on a friday evening.",
            ),
            (
                "maybe the gateway times out after 30 seconds, not sure",
                "the gateway times out after 30 seconds",
                "The gateway times out after 30 seconds.",
            ),
            (
                "The gateway retries four times by default.",
                "The gateway retries four times by default.",
                "The gateway never retries four times by default.",
            ),
        ] {
            assert!(!holds(line, quote, statement), "{statement}");
        }
        for (line, quote, statement) in [
            ("We use tabs, not spaces", "We use tabs, not spaces", "Use tabs for indentation"),
            ("Never deploy on a friday", "Never deploy on a friday", "Never deploy on a friday"),
            (
                "It is not done. The gateway times out late",
                "The gateway times out late",
                "The gateway times out late",
            ),
            ("No, we use pnpm here", "we use pnpm here", "We use pnpm here"),
        ] {
            assert!(holds(line, quote, statement), "{statement}");
        }
    }

    #[test]
    fn nothing_is_added_that_nobody_said() {
        let said = || ["so the gateway times out after 30 seconds"].into_iter();
        assert!(names_what_nobody_said("The gateway times out after 300 seconds", said()));
        assert!(names_what_nobody_said("The gateway times out because of `nginx`", said()));
        assert!(!names_what_nobody_said("The gateway times out after 30 seconds", said()));
        assert!(has_a_tail("The gateway times out after 30 seconds because of heavy load", said()));
        assert!(!has_a_tail("The gateway times out after 30 seconds", said()));
    }
}
