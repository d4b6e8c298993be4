//! What is left of a memory of several statements when one of them is not true any more: the others still hold, and are kept.

use throughline_store::Connection;
use throughline_store::link::{self, Kind as LinkKind, Node, Origin as LinkOrigin};
use throughline_store::memory::{self, Memory, Origin};

use super::consolidate::{New, Relation, Stated};
use super::statement::{Draft, Statement};
use super::{Action, extract};
use crate::words::is_in;
use crate::{Caller, Engine, Result, index};

/// Fewer words say nothing by themselves.
const FEW: usize = 3;
/// A clause behind one of these may say something of its own.
const JOINING: [&str; 5] = [", and ", "; ", " and ", ", ", " but "];
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
        let Some(rest) = rest_of(&old.content, &draft.memory.content) else { return Ok(()) };
        let by = Caller { actor: old.actor.clone(), ..caller.clone() };
        let said = Statement {
            kind: old.kind,
            scope: old.scope,
            tags: old.tags.clone(),
            importance: Some(old.importance),
            confidence: Some(old.confidence),
            source: old.source,
            expires_at: old.expires_at,
            from: Some(format!("{}, of which {} leaves this", old.id, new.id)),
            ..Statement::of(rest)
        };
        let mut rest = self.draft(&by, said, draft.memory.created_at)?;
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

/// The statements of a known text that a new one does not touch; nothing where it is one statement, or all are touched.
pub(super) fn rest_of(known: &str, new: &str) -> Option<String> {
    let lines: Vec<Vec<&str>> =
        known.lines().map(extract::sentences).filter(|line| !line.is_empty()).collect();
    let lines =
        if lines.iter().map(Vec::len).sum::<usize>() == 1 { vec![clauses(lines[0][0])?] } else { lines };
    let parts: Vec<&str> = lines.concat();
    let left = |(part, is): (&&str, bool)| is && !tells_a_change(part);
    let mut untouched = parts.iter().zip(untouched(&parts, new)).map(left);
    let left = lines.iter().map(|line| {
        let kept: Vec<&str> = line.iter().copied().filter(|_| untouched.next().unwrap_or(false)).collect();
        kept.join(" ")
    });
    let rest: Vec<String> = left.filter(|line| !line.is_empty()).collect();
    let rest = extract::tidy(&rest.join("\n"));
    (rest.split_whitespace().count() >= FEW).then_some(rest)
}

/// Which parts of a text have nothing to do with a statement that made it untrue.
fn untouched(parts: &[&str], new: &str) -> Vec<bool> {
    let stated: Vec<Stated<'_>> =
        parts.iter().map(|text| Stated { text, wordings: &[], before: &[] }).collect();
    let related = New::of(new).relations_to(&stated);
    let mut untouched: Vec<bool> =
        related.iter().map(|related| related.relation == Relation::Unrelated && !related.perhaps).collect();
    if untouched.iter().all(|is| *is)
        && let Some(likeliest) =
            (0..parts.len()).min_by(|a, b| related[*a].score.total_cmp(&related[*b].score))
    {
        untouched[likeliest] = false;
    }
    for at in 1..parts.len() {
        untouched[at] &= untouched[at - 1] || !leans(parts[at]);
    }
    untouched
}

fn leans(part: &str) -> bool {
    let first = first_word(part);
    is_in(LEANING, &first) || first.starts_with("it'") || first.starts_with("that'")
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

/// Two halves of a sentence, where each says what something is: "the API listens on 8080 and the admin port is 9090".
fn clauses(sentence: &str) -> Option<Vec<&str>> {
    let stands = |half: &str| half.split_whitespace().count() >= FEW && !leans(half) && !points(half);
    JOINING.iter().flat_map(|sign| sentence.match_indices(sign)).find_map(|(at, sign)| {
        let halves = [&sentence[..at], &sentence[at + sign.len()..]];
        halves.iter().all(|half| stands(half) && says_what_is(half)).then(|| halves.to_vec())
    })
}

/// A thing, and what it is: "time limit per ward is 30 seconds". Who does what, or does not, goes on with the sentence.
fn says_what_is(half: &str) -> bool {
    const BEING: [&str; 5] = ["is", "are", "listens", "lives", "runs"];
    const OTHERS: &str = "we i you nobody everybody please never what not no now new was were more old nothing former history void over";
    let words: Vec<String> = half.split_whitespace().map(bare).collect();
    let verb = words.iter().take(6).position(|word| BEING.contains(&word.as_str()));
    verb.is_some_and(|verb| verb > 0) && !words.iter().any(|word| is_in(OTHERS, word))
}

/// What is over says nothing of what is left.
fn tells_a_change(part: &str) -> bool {
    const CHANGING: &str = "longer anymore gone dropped stopped replaced moved migrated switched retired";
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
        ] {
            assert_eq!(rest_of(known, new).as_deref(), Some(left));
        }
    }

    #[test]
    fn of_one_statement_nothing_is_left() {
        for (known, new) in [
            ("We deploy on Tuesdays", "Deployments moved to Thursdays"),
            ("CI runs on Jenkins and it needs the VPN", "CI runs on Buildkite now"),
            ("We deploy on Tuesdays. It takes an hour.", "Deployments moved to Thursdays"),
        ] {
            assert_eq!(rest_of(known, new), None, "{known}");
        }
    }
}
