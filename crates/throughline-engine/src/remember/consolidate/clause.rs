//! Parts of a statement that say which thing it is about, and why it is so.

use std::collections::BTreeSet;

use crate::words::is_in;

/// What begins the reason.
const REASONS: [&str; 6] =
    [" because ", " due to ", " so that ", " in order to ", " on account of ", " thanks to "];
/// After these stands what something belongs to.
const BELONGING: [&str; 3] = ["of", "for", "inside"];

/// What tells that a reason is the news: "delete the adapter, because RabbitMQ is our broker now".
const NEWS: [&str; 5] = ["now", "again", "anymore", "longer", "instead"];

/// What is said, without why; nothing where no reason is given.
pub(super) fn without_reason(text: &str) -> Option<&str> {
    let small = text.to_ascii_lowercase();
    let at = REASONS.iter().filter_map(|reason| small.find(reason)).min()?;
    let is_news = |word: &str| NEWS.contains(&word.trim_matches(|c: char| !c.is_alphanumeric()));
    if small[at..].split_whitespace().any(is_news) {
        return None;
    }
    let said = text[..at].trim_end_matches([',', ';', ' ', '-', '–', '—']);
    (said.split_whitespace().count() > 2).then_some(said)
}

/// What follows from what is said first: "Oskar is on leave, so Lena reviews our PRs and …"; nothing where nothing does, or only
/// what is to be done.
pub(super) fn conclusion(text: &str) -> Option<&str> {
    const THEREFORE: [&str; 5] = [", so ", " and so ", "; so ", ", therefore ", ", that's why "];
    const FEW: usize = 4;
    /// What begins with one of these is done, wished or left open.
    const NO_STATEMENT: &str =
        "that this it don't do not you i please let let's maybe perhaps please far just make add fix change";
    let after = |sign: &&str| text.rfind(sign).map(|at| at + sign.len());
    let said = text[THEREFORE.iter().filter_map(after).max()?..].trim();
    let first = said.split_whitespace().next()?.to_lowercase();
    let is_statement = !NO_STATEMENT.split(' ').any(|word| word == first);
    (is_statement && said.split_whitespace().count() >= FEW).then_some(said)
}

/// Both are about parts of a project by their names, and neither mentions the other's.
pub(super) fn are_about_other_parts(a: &str, b: &str) -> bool {
    let (of_a, of_b) = (parts(a), parts(b));
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let is_apart = |parts: &BTreeSet<String>, other: &str| {
        !parts.is_empty() && parts.iter().all(|part| !other.contains(part.as_str()))
    };
    is_apart(&of_a, &b) && is_apart(&of_b, &a)
}

/// "Public API keys start with pk_" and "secret API keys start with sk_": the same is said of two things of a sort.
pub(super) fn are_about_two_of_a_sort(a: &str, b: &str) -> bool {
    const VERBS: &str = "is are was has have uses use runs run start starts begin begins go goes live lives take takes end ends expire expires         last lasts need needs stay stays must may listen listens get gets";
    /// Said before a thing without making it another.
    const PLAIN: &str = "the our a an this that my your main default new old current whole first last next all every each no any prod production";
    let (a, b) = (words(a), words(b));
    let differ: Vec<usize> = (0..a.len().min(b.len())).filter(|at| a[*at] != b[*at]).collect();
    let (true, [which, value]) = (a.len() == b.len(), &differ[..]) else { return false };
    let Some(verb) = a.iter().position(|word| is_in(VERBS, word)) else { return false };
    let says_which =
        |word: &String| word.chars().all(char::is_alphabetic) && word.len() > 2 && !is_in(PLAIN, word);
    let named = &a[which + 1..verb.max(which + 1)];
    // "Opsgenie ended, on-call is in PagerDuty", "PagerDuty ended, on-call is in Zenduty": what it became is what it was.
    let is_chain = a[*value] == b[*which] || b[*value] == a[*which];
    *value > verb
        && !is_chain
        && named.iter().any(|word| !is_in(PLAIN, word) && word.len() > 2)
        && says_which(&a[*which])
        && says_which(&b[*which])
}

/// "The partner API allows …", "… of the public API is …": one noun, and what says which.
pub(super) fn are_of_two_modifiers(a: &str, b: &str) -> bool {
    const WHICH: &str =
        "public partner internal external private admin merchant customer courier vendor sandbox";
    let (a, b) = (words(a), words(b));
    let named = |words: &[String]| -> Vec<(String, String)> {
        let pairs = words.windows(2).filter(|pair| is_in(WHICH, &pair[0]) && pair[1].len() > 2);
        pairs.map(|pair| (pair[0].clone(), pair[1].clone())).collect()
    };
    let of_b = named(&b);
    named(&a).iter().any(|(which, noun)| {
        of_b.iter()
            .any(|(other, its)| noun == its && which != other && !b.contains(which) && !a.contains(other))
    })
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(|word| bare(word).to_lowercase()).collect()
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Both are about a part of a project that has a name.
pub(super) fn share_a_part(a: &str, b: &str) -> bool {
    !parts(a).is_disjoint(&parts(b))
}

/// What each of these tells of a statement: when or where, from where, where to, by what, as what, what for.
const ADDING: [&str; 6] =
    ["at on in before after until during", "from", "to into", "with using via through by", "as", "for"];
const DENYING: [&str; 6] = ["not", "no", "never", "instead", "longer", "anymore"];

/// "Backups run at night to disk" and "backups run at night from the replica": each adds something else to a statement that both
/// make.
pub(super) fn add_to_one_statement(a: &str, b: &str) -> bool {
    const WHOLE: usize = 4;
    let tells = |word: &String| ADDING.iter().position(|group| group.split(' ').any(|one| one == word));
    let (a, b) = (words(a), words(b));
    let shared = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let added = a.get(shared).and_then(tells).zip(b.get(shared).and_then(tells));
    let is_whole = shared >= WHOLE && a[1..shared].iter().any(|word| tells(word).is_some());
    let denies = |words: &[String]| words.iter().any(|word| DENYING.contains(&word.as_str()));
    is_whole && added.is_some_and(|(a, b)| a != b) && !denies(&a) && !denies(&b)
}

/// The names that stand where the subject does, or what it belongs to: `orders-api …`, `… of orders_api …`.
fn parts(text: &str) -> BTreeSet<String> {
    let mut before = "";
    let mut found = BTreeSet::new();
    for (place, word) in text.split_whitespace().enumerate() {
        let name = word.trim_matches(|c: char| !c.is_alphanumeric());
        if (place == 0 || BELONGING.iter().any(|word| before.eq_ignore_ascii_case(word))) && is_name(name) {
            found.insert(name.to_lowercase());
        }
        before = word;
    }
    found
}

/// Words joined by a hyphen or an underscore, as no word of a text is written.
fn is_name(word: &str) -> bool {
    let pieces: Vec<&str> = word.split(['-', '_']).collect();
    pieces.len() > 1 && pieces.iter().all(|piece| piece.len() > 1 && piece.chars().all(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::{add_to_one_statement, are_about_other_parts, conclusion, without_reason};

    #[test]
    fn what_follows_is_told_from_why() {
        for (text, follows) in [
            ("Oskar is on leave, so Lena reviews our PRs", Some("Lena reviews our PRs")),
            ("It was noisy, and so since Friday we use 8040", Some("since Friday we use 8040")),
            ("It is delicate, so do not make it slower", None),
            ("We deploy on Tuesdays, so recount", None),
            ("We deploy on Tuesdays", None),
        ] {
            assert_eq!(conclusion(text), follows, "{text}");
        }
    }

    #[test]
    fn why_something_is_so_is_not_what_it_is() {
        assert_eq!(
            without_reason("The timeout of orders-api is 30 seconds, because legal wants it"),
            Some("The timeout of orders-api is 30 seconds")
        );
        assert_eq!(without_reason("The timeout is 30 seconds"), None);
        assert_eq!(without_reason("Because of X"), None);
        assert_eq!(without_reason("Delete the old adapter, because RabbitMQ is our broker now"), None);
    }

    #[test]
    fn two_additions_to_one_statement_go_together() {
        let deploys = "Deploys happen on Fridays at 10:00 UTC";
        assert!(add_to_one_statement(deploys, "deploys happen on Fridays from the release branch"));
        assert!(!add_to_one_statement(deploys, "Deploys happen on Fridays at noon"));
        assert!(!add_to_one_statement(deploys, "Deploys happen from the release branch"));
        assert!(!add_to_one_statement("Deploys happen by hand", "Deploys happen from CI"));
        assert!(!add_to_one_statement(
            deploys,
            "Deploys happen on Fridays to staging, no longer to production"
        ));
    }

    #[test]
    fn parts_are_told_apart_by_their_names() {
        let (public, secret) = ("public API keys start with pk_", "secret API keys start with sk_");
        assert!(super::are_about_two_of_a_sort(public, secret));
        assert!(!super::are_about_two_of_a_sort(public, "public API keys start with pub_"));
        assert!(!super::are_about_two_of_a_sort("Our main branch is main", "Our new branch is trunk"));
        assert!(!super::are_about_two_of_a_sort("Deploys run on Jenkins", "Builds run on GitLab"));
        assert!(!super::are_about_two_of_a_sort(
            "Our contract with Opsgenie ended, on-call is in PagerDuty",
            "our contract with PagerDuty ended, on-call is in Zenduty"
        ));
        let partner = "The partner API allows 1000 requests per minute";
        assert!(super::are_of_two_modifiers(partner, "The rate limit of the public API is 300 now"));
        assert!(!super::are_of_two_modifiers(partner, "The partner API allows 500 requests per minute"));
        assert!(!super::are_of_two_modifiers("The repo is private", "The repo is public"));
        assert!(are_about_other_parts("Tests of tax-sync are quick", "Tests of pricing-api are quick"));
        assert!(are_about_other_parts("orders-api is in Go", "billing_api is in Go"));
        assert!(!are_about_other_parts("orders-api is in Go", "orders-api is in Rust"));
        assert!(!are_about_other_parts("We lint with ruff-lsp", "We lint with eslint-plus"));
    }
}
