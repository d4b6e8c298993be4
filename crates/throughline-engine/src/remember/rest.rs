//! What is left of a memory of several statements when one of them is not true any more: the others still hold, and are kept.

use throughline_store::Connection;
use throughline_store::link::{self, Kind as LinkKind, Node, Origin as LinkOrigin};
use throughline_store::memory::{self, Memory, Origin, Source};

use super::consolidate::{New, Related, Relation, Stated, added, has};
use super::decide::chosen;
use super::statement::{Draft, Statement};
use super::{Action, extract};
use crate::words::is_in;
use crate::{Caller, Engine, Result, index};

/// Fewer words say nothing by themselves.
const FEW: usize = 3;
/// A clause behind one of these may say something of its own.
const JOINING: [&str; 5] = [", and ", "; ", " and ", ", ", " but "];
/// These part two statements, where what stands behind is one.
const PARTING: [&str; 2] = [", and ", "; "];
/// Words that lean on the sentence before.
const LEANING: &str = "it its they their them this that these those he she his her then so and but also otherwise both which who like as \
    because since while for with instead too";
/// Words that stand for something that is named elsewhere.
const POINTING: [&str; 12] =
    ["it", "its", "they", "them", "their", "there", "her", "him", "his", "this", "that", "those"];

impl Engine {
    /// Keeps what the new memory leaves of an old one, as a memory of its own.
    pub(super) fn keep_rest(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        (old, new): (&Memory, &Memory),
        additions: &mut Vec<index::Document>,
    ) -> Result<()> {
        let Some(rest) = left_of(old, &draft.memory.content) else { return Ok(()) };
        let by = Caller { actor: old.actor.clone(), ..caller.clone() };
        let from = Some(format!("{}, of which {} leaves this", old.id, new.id));
        let mut rest = self.draft(&by, Statement { from, ..rest }, draft.memory.created_at)?;
        rest.cause = draft.cause.clone();
        if memory::same(tx, &caller.project, &rest.memory)?.is_some() {
            return Ok(());
        }
        let memory = Memory {
            number: memory::next_number(tx, &caller.project)?,
            document: memory::next_document(tx, &caller.project)?,
            // It is as old as what it was said in.
            created_at: old.created_at,
            last_verified_at: old.last_verified_at,
            cites: old.cites.clone(),
            ..rest.memory.clone()
        };
        memory::insert(tx, &caller.project, &memory)?;
        additions.push(rest.document(&memory));
        self.note_memory(tx, caller, &rest, &memory, Action::Created)?;
        for origin in memory::origins(tx, &caller.project, &old.id)? {
            memory::add_origin(tx, &caller.project, &memory.id, &Origin { said: None, ..origin })?;
        }
        let node = Node::memory(&memory.id);
        let origin = LinkOrigin { node: &node, number: memory.number };
        Ok(link::add(tx, &caller.project, origin, LinkKind::DerivedFrom, &Node::memory(&old.id))?)
    }
}

/// What a statement leaves of a memory that it ends.
pub(super) fn left_of(old: &Memory, new: &str) -> Option<Statement> {
    let rest = rest_of(&old.content, new).and_then(|rest| lasting(old, rest))?;
    Some(Statement {
        kind: old.kind,
        scope: old.scope,
        tags: old.tags.clone(),
        importance: Some(old.importance),
        confidence: Some(old.confidence),
        source: old.source,
        expires_at: old.expires_at,
        ..Statement::of(rest)
    })
}

/// Part of what somebody was heard to say may have been said in passing: what does not last by itself goes with the rest. What was
/// written down to be kept is kept.
fn lasting(old: &Memory, rest: String) -> Option<String> {
    if old.source != Source::Implicit {
        return Some(rest);
    }
    let lines = rest.lines().map(|line| {
        let kept: Vec<&str> =
            extract::sentences(line).into_iter().filter(|part| extract::lasts(part)).collect();
        kept.join(" ")
    });
    let kept: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    (!kept.is_empty()).then(|| kept.join("\n"))
}

/// The statements of a known text that a new one does not touch; nothing where it is one statement, or all are touched.
pub(super) fn rest_of(known: &str, new: &str) -> Option<String> {
    let (known, new) = (chosen(known), chosen(new));
    let lines: Vec<Vec<&str>> = known.lines().map(said_in).filter(|line| !line.is_empty()).collect();
    let is_one_sentence = lines.iter().map(Vec::len).sum::<usize>() == 1;
    let lines = if is_one_sentence { vec![clauses(lines[0][0])?] } else { lines };
    let parts: Vec<&str> = lines.concat();
    let left = |(part, is): (&&str, bool)| is && !tells_a_change(part);
    let mut untouched = parts.iter().zip(untouched(&parts, new)).map(left);
    let left = lines.iter().map(|line| {
        let kept: Vec<&str> = line.iter().copied().filter(|_| untouched.next().unwrap_or(false)).collect();
        kept.join(if is_one_sentence { "; " } else { " " })
    });
    let rest: Vec<String> = left.filter(|line| !line.is_empty()).collect();
    let rest = extract::tidy(&rest.join("\n"));
    (rest.split_whitespace().count() >= FEW).then_some(rest)
}

/// The statements of a line. A line of reasons is one: it says nothing without what it is the reason for.
fn said_in(line: &str) -> Vec<&str> {
    if is_reason(line) { vec![line.trim()] } else { extract::sentences(line) }
}

/// Whether it says why, or when, what stands above it holds: as notes do that agents write for themselves.
pub fn is_reason(text: &str) -> bool {
    const LABELS: [&str; 2] = ["why:", "how to apply:"];
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    LABELS.iter().any(|label| text.starts_with(label))
}

/// Which parts of a text have nothing to do with a statement that made it untrue, and do not stand in it.
fn untouched(parts: &[&str], new: &str) -> Vec<bool> {
    let said_again: Vec<bool> = parts.iter().map(|part| has(new, part)).collect();
    let likeness = likeness(parts, new);
    let mut untouched: Vec<bool> =
        likeness.iter().zip(&said_again).map(|(apart, again)| apart.is_some() && !again).collect();
    if likeness.iter().all(Option::is_some)
        && let Some(likeliest) = (0..parts.len())
            .filter(|at| !said_again[*at])
            .min_by(|a, b| likeness[*a].unwrap_or(0.0).total_cmp(&likeness[*b].unwrap_or(0.0)))
    {
        untouched[likeliest] = false;
    }
    for at in 1..parts.len() {
        untouched[at] &= untouched[at - 1] || !leans(parts[at]);
    }
    untouched
}

/// How surely each part is about something else than the whole of a new text and each of its sentences; nothing where it is not.
fn likeness(parts: &[&str], new: &str) -> Vec<Option<f64>> {
    let stated: Vec<Stated<'_>> =
        parts.iter().map(|text| Stated { text, wordings: &[], before: &[] }).collect();
    let apart = |related: &Related| {
        (related.relation == Relation::Unrelated && !related.perhaps).then_some(related.score)
    };
    let sentences = added(&parts.join("\n"), new);
    let texts = if sentences.is_empty() { vec![new] } else { sentences };
    let of_each = texts.iter().map(|text| New::of(text).relations_to(&stated));
    let none = vec![Some(1.0); parts.len()];
    of_each.fold(none, |least, related| {
        let both = least.iter().zip(related.iter().map(apart));
        both.map(|(one, other)| one.zip(other).map(|(one, other): (f64, f64)| one.min(other))).collect()
    })
}

fn leans(part: &str) -> bool {
    let first = first_word(part);
    is_reason(part) || is_in(LEANING, &first) || first.starts_with("it'") || first.starts_with("that'")
}

/// "PRs go there", but "there are eleven hours between two shifts".
fn points(part: &str) -> bool {
    part.split_whitespace().skip(1).any(|word| POINTING.contains(&bare(word).as_str()))
}

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

fn first_word(text: &str) -> String {
    let word =
        text.trim_start_matches(|c: char| !c.is_alphanumeric()).split_whitespace().next().unwrap_or_default();
    word.replace('’', "'").to_lowercase()
}

/// The parts of a sentence that stand by themselves, where each behind the first says what something is: "the API listens on 8080
/// and the admin port is 9090", "we format with black, line length 100".
fn clauses(sentence: &str) -> Option<Vec<&str>> {
    let (first, rest) = halves(sentence)?;
    let mut parts = vec![first];
    parts.extend(clauses(rest).unwrap_or_else(|| vec![rest]));
    Some(parts)
}

fn halves(sentence: &str) -> Option<(&str, &str)> {
    let stands = |half: &str| half.split_whitespace().count() >= FEW && !leans(half) && !points(half);
    JOINING.iter().flat_map(|sign| sentence.match_indices(sign)).find_map(|(at, sign)| {
        let (first, rest) = (&sentence[..at], &sentence[at + sign.len()..]);
        let is_part = |rest: &str| {
            says_what_is(rest) || has_value(rest) || PARTING.contains(&sign) && extract::lasts(rest)
        };
        let is_whole = stands(first) && stands(rest) && states(first) && is_part(rest);
        is_whole.then_some((first, rest))
    })
}

/// What a sentence begins with says something without what follows, unless it is a condition or tells of what was.
fn states(half: &str) -> bool {
    const CONDITIONS: &str = "if when whenever while once unless after before until since because as where although though for in on with \
        what please nobody everybody nothing";
    const PAST: &str = "no not was were more old former history void over new now";
    let words: Vec<String> = half.split_whitespace().map(bare).collect();
    !words.first().is_some_and(|first| is_in(CONDITIONS, first))
        && !words.iter().any(|word| is_in(PAST, word))
}

/// A thing, and what it is: "time limit per ward is 30 seconds". Who does what, or does not, goes on with the sentence.
fn says_what_is(half: &str) -> bool {
    const BEING: [&str; 5] = ["is", "are", "listens", "lives", "runs"];
    const OTHERS: &str =
        "we i you nobody everybody please what no now new was were more old nothing former history void over";
    const DENYING: [&str; 2] = ["never", "not"];
    let words: Vec<String> = half.split_whitespace().map(bare).collect();
    let verb = words.iter().take(6).position(|word| BEING.contains(&word.as_str()));
    // "…, never npm" behind what it is belongs to that.
    let is_denied = |verb: usize| words.iter().take(verb + 2).any(|word| DENYING.contains(&word.as_str()));
    verb.is_some_and(|verb| verb > 0 && !is_denied(verb)) && !words.iter().any(|word| is_in(OTHERS, word))
}

/// "line length 100": a few words that name a value.
fn has_value(half: &str) -> bool {
    const WORDS: usize = 4;
    let words: Vec<&str> = half.split_whitespace().collect();
    let is_plain =
        |word: &&str| word.chars().all(char::is_alphabetic) && !is_in(NO_NAME, &word.to_lowercase());
    let is_number = |word: &&str| bare(word).starts_with(|c: char| c.is_ascii_digit());
    words.len() <= WORDS
        && words.last().is_some_and(is_number)
        && words[..words.len() - 1].iter().all(|word| is_plain(&word.trim_end_matches(':')))
}

/// What has one of these is no name of a value.
const NO_NAME: &str = "a an the and or not no never for from to at in on of by with than about every after before until version node we i \
    only just up";

/// What is over says nothing of what is left.
fn tells_a_change(part: &str) -> bool {
    const CHANGING: &str = "longer anymore gone dropped stopped replaced moved migrated switched retired left gave goodbye rid took out more already";
    part.split_whitespace().map(bare).any(|word| is_in(CHANGING, &word))
}

#[cfg(test)]
mod tests {
    use super::rest_of;

    #[test]
    fn what_is_not_touched_is_left() {
        for (known, new, left) in [
            (
                "The bakery opens at 6. Bread is baked at 3 and at 9. Leftovers go to the food bank. Gluten-free bread is baked on \
                 Wednesdays only.",
                "Gluten-free bread is baked on Thursdays now.",
                "The bakery opens at 6. Bread is baked at 3 and at 9. Leftovers go to the food bank",
            ),
            (
                "The API listens on port 8080 and the admin port is 9090",
                "The API moved to port 8181",
                "The admin port is 9090",
            ),
            (
                "Retries are capped at 5 and the timeout is 30 seconds",
                "The timeout is 10 seconds as of today",
                "Retries are capped at 5",
            ),
            (
                "we format with black and isort, line length 100",
                "formatting: black and isort are out, ruff format does it all",
                "Line length 100",
            ),
            (
                "We use conventional commits here, feat: or fix:, and my branches start with yk/ and a short name",
                "Commits begin with the ticket now, like FLT-2231",
                "My branches start with yk/ and a short name",
            ),
            (
                "Deploy with `make deploy`. You need to be on the VPN. Ask Ingrid for credentials.",
                "Deploy with `make deploy`. Ask Matteo for credentials.",
                "You need to be on the VPN",
            ),
        ] {
            assert_eq!(rest_of(known, new).as_deref(), Some(left));
        }
    }

    #[test]
    fn a_reason_goes_with_what_it_is_the_reason_for() {
        const NOTE: &str = "Integration tests must hit a real database.\n\n**Why:** mocks hid a broken migration. We lost a day \
            to it.\n\n**How to apply:** start the test database with make db-up.";
        let new = "Integration tests must hit a real Postgres database, version 16.";
        assert_eq!(rest_of(NOTE, new), None);
        let both = format!("Invoices are sent at night.\n**Why:** the mail server is slow by day.\n{NOTE}");
        let left = "Invoices are sent at night\n**Why:** the mail server is slow by day";
        assert_eq!(rest_of(&both, new).map(|rest| rest.replace(".\n", "\n")).as_deref(), Some(left));
    }

    #[test]
    fn of_one_statement_nothing_is_left() {
        for (known, new) in [
            ("We deploy on Tuesdays", "Deployments moved to Thursdays"),
            ("CI runs on Jenkins and it needs the VPN", "CI runs on Buildkite now"),
            (
                "Deploy with `make deploy`. Ask Ingrid for credentials.",
                "Deploy with `make deploy`. Ask Matteo for credentials.",
            ),
            ("Start Docker first. The branch is trunk.", "Start Docker first. The branch is main."),
            ("We deploy on Tuesdays. It takes an hour.", "Deployments moved to Thursdays"),
        ] {
            assert_eq!(rest_of(known, new), None, "{known}");
        }
    }
}
