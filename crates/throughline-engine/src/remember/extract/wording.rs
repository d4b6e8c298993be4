//! Sentences of a text, and a statement made presentable: without courtesies, with a capital letter.

/// What ends with a dot and no sentence.
const ABBREVIATIONS: [&str; 19] = [
    "e.g", "i.e", "etc", "vs", "approx", "no", "fig", "z.b", "d.h", "bzw", "ca", "resp", "dr", "mr", "mrs",
    "prof", "inc", "ltd", "jr",
];

/// The sentences of a line. Dots inside of names, versions and abbreviations end none.
pub(super) fn sentences(line: &str) -> Vec<&str> {
    let mut sentences = vec![];
    let mut start = 0;
    let mut in_code = false;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        in_code ^= c == '`';
        let next = chars.peek().map(|(_, next)| *next);
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' => next.is_none_or(char::is_whitespace) && !goes_on(&line[start..at], &line[at + 1..]),
            '!' | '?' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends && !in_code {
            let end = at + c.len_utf8();
            sentences.push(line[start..end].trim());
            start = end;
        }
    }
    sentences.push(line[start..].trim());
    sentences.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    sentences
}

/// An abbreviation ends no sentence, and neither do dots after which it goes on in small letters: "not yarn... it's pnpm".
fn goes_on(before: &str, after: &str) -> bool {
    let is_pause = before.ends_with("..") && after.trim_start().starts_with(char::is_lowercase);
    is_pause || is_abbreviation(before)
}

fn is_abbreviation(before: &str) -> bool {
    let last = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let last = last.to_lowercase();
    // An ordinal, as in "2. second".
    let is_ordinal = before.trim().len() <= 2 && before.trim().bytes().all(|byte| byte.is_ascii_digit());
    is_ordinal || (last.len() > 1 && ABBREVIATIONS.contains(&last.as_str()))
}

/// Said at the end out of habit.
const COURTESIES: [&str; 22] = [
    "please",
    "pls",
    "plz",
    "thanks",
    "thank you",
    "thx",
    "ok",
    "okay",
    "btw",
    "by the way",
    "lol",
    "always have",
    "i told you",
    "i told you already",
    "i already told you",
    "as i said",
    "bitte",
    "danke",
    "s'il te plaît",
    "por favor",
    "пожалуйста",
    "that's all",
];

/// Without courtesies, list marks and emphasis; with a capital letter and no full stop.
pub(super) fn tidy(text: &str) -> String {
    let mut text = text.trim().trim_matches(['*', '_']).trim();
    loop {
        let cut = without_end(text);
        let lower = cut.to_lowercase();
        let habit = COURTESIES.iter().find(|habit| {
            // Folding may change lengths, and a cut must fall on a letter's edge.
            lower.len() == cut.len() && lower.strip_suffix(**habit).is_some_and(ends_clause)
        });
        match habit {
            Some(habit) => text = &cut[..cut.len() - habit.len()],
            None => {
                text = cut;
                break;
            }
        }
    }
    capitalised(
        text.trim_start_matches(|c: char| {
            matches!(c, ',' | ':' | '-' | '–' | '—' | ';') || c.is_whitespace()
        }),
    )
}

/// A dash that belongs to a word says something: "the prefix is TUCK-".
fn without_end(text: &str) -> &str {
    let is_end = |c: char| matches!(c, '.' | '!' | ',' | ';' | ':' | '。' | '！') || c.is_whitespace();
    let cut = text.trim_end_matches(is_end);
    let without_dash = cut.trim_end_matches(['-', '–', '—']);
    match without_dash.chars().next_back() {
        Some(last) if !last.is_whitespace() => cut,
        Some(_) => without_end(without_dash),
        None => "",
    }
}

/// A courtesy stands after a comma or a space, and is not all there is.
fn ends_clause(before: &str) -> bool {
    before.ends_with([' ', ',']) && before.trim().len() > 3
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        // A name that is written small stays so: `npm ci`, src/lib, snake_case.
        Some(first)
            if first.is_lowercase() && is_word(text.split_whitespace().next().unwrap_or_default()) =>
        {
            first.to_uppercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

fn is_word(first: &str) -> bool {
    first.trim_end_matches([',', ':']).chars().all(|c| c.is_lowercase() || c == '\'' || c == '’')
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn a_dash_that_belongs_to_a_word_stays() {
        assert_eq!(tidy("every coupon has the prefix TUCK-."), "Every coupon has the prefix TUCK-");
        assert_eq!(tidy("we deploy on Mondays - "), "We deploy on Mondays");
        assert_eq!(tidy("--"), "");
    }
}
