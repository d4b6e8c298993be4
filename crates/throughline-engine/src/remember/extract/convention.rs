//! How things are done in a project: "we never …", "every X must …", "always run Y", "our convention is …".

use throughline_store::memory::Kind;

use super::sentence::{Sentence, Word, find};
use super::{Family, Found, Reason, correction, doubt, nouns, order};
use crate::words::is_in;

pub(super) fn says(sentence: &Sentence<'_>) -> Result<Option<Found>, Reason> {
    let shape = [titled, we, order::lasting, each, subject, none].iter().find_map(|shape| shape(sentence));
    let Some((content, confidence)) = shape else { return Ok(None) };
    if let Some(reason) = doubt::of_statement(sentence) {
        return Err(reason);
    }
    match () {
        () if doubt::is_symptom(sentence) => Err(Reason::Symptom),
        () if doubt::is_local(sentence) || doubt::is_ordered(sentence) => Err(Reason::Task),
        () if doubt::is_unresolved(&sentence.words) => Err(Reason::Unresolved),
        () => Ok(Some(Found::new(Family::Convention, Kind::Rule, confidence, content))),
    }
}

/// The statement, and how sure it is.
pub(super) type Shape<'a> = Option<(&'a str, f64)>;

const TITLES: &[&str] = &[
    "our convention",
    "the convention",
    "convention",
    "naming convention",
    "by convention",
    "as a convention",
    "rule of thumb",
    "house rule",
    "coding rule",
    "style rule",
    "project rule",
    "our rule",
    "the rule is",
    "our policy",
    "house style",
    "our style",
    "naming:",
    "style:",
];

/// Called a convention by who says it.
fn titled<'a>(sentence: &Sentence<'a>) -> Shape<'a> {
    let title = TITLES.iter().find(|title| match title.strip_suffix(':') {
        Some(word) => sentence.starts(word) && sentence.words[0].then == Some(':'),
        None => sentence.starts(title),
    })?;
    let rest = match sentence.text.split_once(':') {
        Some((head, rest)) if head.split_whitespace().count() < 8 => rest,
        _ => sentence.text,
    };
    (sentence.words.len() > title.split(' ').count() + 2).then_some((rest, 0.75))
}

/// What "we" do as a rule. A verb that is not here may be what "we" did once.
const CUSTOMS: &[&str] = &[
    "use", "avoid", "follow", "require", "prefer", "rebase", "squash", "write", "build", "format", "name",
    "keep", "put", "store", "wrap", "deploy", "treat", "log", "call", "test", "run", "commit", "merge",
    "sign", "document", "version", "pin", "validate", "return", "throw", "import", "export", "ship",
    "review", "lint", "sort", "indent", "target", "support", "enforce", "mock", "generate", "tag", "cut",
    "do", "allow", "forbid", "ban", "stick", "strip", "do", "practice",
];
const OFTEN: &[&str] = &[
    "never",
    "always",
    "don't",
    "only",
    "generally",
    "strictly",
    "do not",
    "no longer",
    "can't",
    "cannot",
    "exclusively",
    "normally",
];

fn we<'a>(sentence: &Sentence<'a>) -> Shape<'a> {
    let at = find(&sentence.words, "we").filter(|at| *at < 12)?;
    let is_clause = at == 0 || starts_clause(&sentence.words, at);
    let rest = &sentence.words[at + 1..];
    let often = OFTEN.iter().find(|word| super::sentence::starts(rest, word));
    let verb = rest.get(often.map_or(0, |word| word.split(' ').count()))?;
    let object = rest.get(often.map_or(1, |word| word.split(' ').count() + 1)..).unwrap_or_default();
    let custom = CUSTOMS.contains(&verb.text.as_str());
    let telling = custom || says_which(object);
    let is_said = match often {
        Some(word) if *word == "never" => !is_experience(verb),
        Some(word) if word.starts_with("can") => custom && says_which(object),
        Some(_) => telling && !is_experience(verb),
        None if correction::contrast(rest) && !verb.text.ends_with("ed") && says_which(object) => true,
        None => {
            custom
                && verb.text != "do"
                && verb.text != "test"
                && (says_which(object) || sentence.leads.corrects)
        }
    };
    let resolved = !doubt::points(object) && (!doubt::is_unresolved(object) || is_whole_act(verb, object));
    let only_we = is_clause || often.is_some();
    (is_said && only_we && resolved)
        .then_some((from_clause(sentence, at), if often.is_some() { 0.75 } else { 0.65 }))
}

/// What happens to people is no custom of theirs.
fn is_experience(verb: &Word) -> bool {
    const EXPERIENCES: [&str; 19] = [
        "know", "have", "had", "got", "get", "need", "see", "want", "end", "lose", "forget", "struggle",
        "hit", "wonder", "hear", "hope", "thought", "found", "worked",
    ];
    EXPERIENCES.contains(&verb.text.as_str())
}

/// "we always squash merge", "we rebase": the verb says it all.
fn is_whole_act(verb: &Word, object: &[Word]) -> bool {
    object.is_empty() && matches!(verb.text.as_str(), "rebase" | "squash" | "lint" | "merge")
        || object.first().is_some_and(|word| matches!(word.text.as_str(), "merge" | "before"))
}

/// An object that says which: something named, or an artefact of the project.
fn says_which(object: &[Word]) -> bool {
    object.iter().take(10).any(|word| nouns::is_specific(word) || word.is_capital || nouns::is_artefact(word))
}

fn starts_clause(words: &[Word], at: usize) -> bool {
    let before = &words[at - 1];
    before.then.is_some()
        || matches!(
            before.text.as_str(),
            "and" | "but" | "so" | "that" | "repo" | "project" | "codebase" | "team"
        )
}

/// A question or a remark before the clause is not part of the statement: "I see you added X; we don't do X here".
fn from_clause<'a>(sentence: &Sentence<'a>, at: usize) -> &'a str {
    let before = &sentence.words[..at];
    let addressed = before.iter().any(|word| matches!(word.text.as_str(), "you" | "i" | "why"));
    let parted = before.last().is_some_and(|word| word.then.is_some());
    match sentence.text.split_once([';', ':', ',']) {
        Some((_, rest)) if addressed && parted => rest,
        _ => sentence.text,
    }
}

/// "every X must …", "all X are …", "nothing gets merged without …"
fn each<'a>(sentence: &Sentence<'a>) -> Shape<'a> {
    let words = &sentence.words;
    let at = words.iter().take(5).position(|word| {
        matches!(word.text.as_str(), "every" | "all" | "each" | "any" | "nothing" | "nobody" | "only")
    })?;
    let led = at == 0 || words[at - 1].then.is_some() || matches!(words[0].text.as_str(), "in" | "for");
    let alone = matches!(words[at].text.as_str(), "nothing" | "nobody");
    let verb = verb_at(words, if alone { at } else { at + 1 })?;
    let about = &words[at + 1..verb];
    let states = words[verb + 1..].iter().any(|word| !word.text.is_empty());
    let artefact = about.iter().any(nouns::is_artefact) || alone;
    let wish = sentence.has_any(&["should", "be able to"]);
    (led && states && artefact && !wish).then_some((sentence.text, 0.7))
}

const RULING: &[&str] = &[
    "must",
    "must not",
    "always",
    "never",
    "needs",
    "need",
    "require",
    "requires",
    "has to",
    "have to",
    "may not",
    "may only",
    "are always",
    "is always",
    "are never",
    "is never",
    "go",
    "goes",
    "end",
    "start",
    "belong",
    "belongs",
    "live",
    "lives",
    "sit",
    "sits",
    "stay",
    "stays",
    "don't pass",
    "doesn't pass",
    "return",
    "returns",
    "are sorted",
    "are written",
    "are cut",
    "are named",
    "is done",
    "are done",
    "are errors",
    "get",
    "gets",
    "needs to be",
    "need to be",
    "lowercase",
    "uppercase",
];

/// "migrations must …", "user-facing strings always go through i18n": bare artefacts in general, not "the X must".
fn subject<'a>(sentence: &Sentence<'a>) -> Shape<'a> {
    let words = &sentence.words;
    let led_in = usize::from(matches!(sentence.word(0), "in" | "for"))
        * words.iter().position(|word| word.then == Some(',')).map_or(0, |at| at + 1);
    let definite = matches!(
        sentence.word(led_in),
        "the"
            | "this"
            | "that"
            | "my"
            | "your"
            | "it"
            | "i"
            | "you"
            | "he"
            | "she"
            | "they"
            | "users"
            | "there"
            | "when"
            | "if"
            | "we"
            | "since"
    );
    let verb = verb_at(words, led_in)?;
    let is_order = nouns::is_order(&words[led_in]);
    let about = &words[led_in..verb];
    let artefact = about.iter().any(nouns::is_artefact)
        || about.first().is_some_and(|word| word.is_name && verb == led_in + 1);
    let rest = &words[verb..];
    let rules = RULING.iter().any(|phrase| super::sentence::starts(rest, phrase))
        || ["always", "never", "only"]
            .iter()
            .any(|often| find(&words[led_in..], often).is_some_and(|at| at + led_in <= verb + 4))
        || (is_plain(rest) && says_custom(rest))
        || (correction::contrast(words)
            && rest.iter().any(nouns::is_specific)
            && about.iter().any(nouns::is_artefact));
    let wishes = find(words, "should").is_some();
    (!definite && !is_order && !wishes && artefact && rules && about.len() < 9 && rest.len() > 1)
        .then_some((sentence.text, 0.65))
}

fn is_plain(rest: &[Word]) -> bool {
    rest.first().is_some_and(|word| matches!(word.text.as_str(), "is" | "are"))
}

/// "columns are snake_case", "formatting is done by ruff"
fn says_custom(rest: &[Word]) -> bool {
    const CUSTOMARY: &str = "snake_case camelcase kebab-case pascalcase lowercase uppercase singular plural deprecated forbidden \
        banned required mandatory optional sorted written named prefixed suffixed formatted errors english german fixed signed";
    rest.iter().skip(1).take(4).any(|word| is_in(CUSTOMARY, &word.text))
}

/// The first verb that makes a statement of what stands before it.
fn verb_at(words: &[Word], from: usize) -> Option<usize> {
    const VERBS: &str = "is are must always never needs need require requires has have may go goes end ends start starts belong belongs \
        live lives sit sits stay stays don't doesn't return returns gets get use uses come comes should can cannot can't will fail fails \
        follow follows run runs carry carries lowercase uppercase";
    let is_verb = |word: &Word| is_in(VERBS, &word.text);
    (from + 1..words.len()).find(|at| is_verb(&words[*at]))
}

/// "no barrel files in this project", "no force unwraps in Swift code"
fn none<'a>(sentence: &Sentence<'a>) -> Shape<'a> {
    let words = &sentence.words;
    let placed = sentence.has_any(&["in", "please", "that"]);
    let chat = matches!(
        sentence.word(1),
        "problem"
            | "worries"
            | "idea"
            | "need"
            | "rush"
            | "thanks"
            | "way"
            | "one"
            | "clue"
            | "hurry"
            | "more"
    );
    let about = words.iter().skip(1).take(4).any(nouns::is_artefact);
    (sentence.word(0) == "no"
        && words.first().is_some_and(|word| word.then.is_none())
        && words.len() > 3
        && placed
        && about
        && !chat)
        .then_some((sentence.text, 0.65))
}
