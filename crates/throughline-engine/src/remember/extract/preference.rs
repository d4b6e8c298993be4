//! How somebody likes to work: "I prefer X", "I'd rather have X", "always answer in German".

use throughline_store::memory::Kind;

use super::sentence::{Sentence, Word, find};
use super::{Family, Found, Reason, doubt};

/// Somebody likes something in general.
const PREFERRING: &[&str] = &[
    "i prefer",
    "i'd prefer",
    "i would prefer",
    "i strongly prefer",
    "i generally prefer",
    "i much prefer",
    "i always prefer",
    "my preference is",
    "i hate",
    "i dislike",
    "i don't like",
    "i do not like",
    "i'm not a fan of",
    "i am not a fan of",
    "i'm a fan of",
    "i'd rather have",
    "i'd rather see",
    "i'd rather you",
    "i would rather have",
    "i don't want",
    "i do not want",
    "i can't stand",
    "i never want",
    "i always want",
    "i only want",
    "i want you to always",
    "i want you to never",
    "i like to",
    "i like my",
    "i like your",
];
/// These need to say that they hold in general.
const WANTING: &[&str] = &["i want", "i like", "i expect", "i need", "i'd like", "i love", "i use", "i'm on"];
const IN_GENERAL: &[&str] = &[
    "always",
    "never",
    "every",
    "each",
    "all",
    "whenever",
    "better than",
    "over",
    "more than",
    "before larger",
    "before any",
    "before big",
    "first",
    "only",
    "in docs",
    "in comments",
    "in code",
    "in general",
    "when you",
    "before you",
    "so don't",
    "so do not",
    "so give",
    "so please",
    "so use",
    "rather than",
    "spelling",
    "in commit messages",
    "by default",
];

/// What an agent gives again and again: who would like it so would like it so each time.
const EACH_TIME: [&str; 8] =
    ["answers", "responses", "replies", "explanations", "diffs", "commits", "plans", "summaries"];

/// What the way of working together is about.
const MANNERS: &[&str] = &[
    "answer",
    "answers",
    "respond",
    "response",
    "responses",
    "reply",
    "replies",
    "explain",
    "apologise",
    "apologize",
    "summarise",
    "summarize",
    "summary",
    "tone",
    "explanations",
    "explanation",
    "commit for me",
    "push for me",
    "options",
    "option",
    "ask me",
    "show me",
    "tell me",
    "telling me",
    "bullet lists",
    "bullet points",
    "bullets",
    "emojis",
    "emoji",
    "verbose",
    "concise",
    "brief",
    "short answers",
    "plan first",
];
/// Orders to the agent about its manners are general by these.
const ORDERING: &[&str] = &[
    "always",
    "never",
    "please always",
    "please never",
    "keep your",
    "don't ever",
    "stop",
    "whenever",
    "please keep your",
    "keep answers",
    "keep responses",
    "when you answer",
    "when you reply",
    "when you explain",
    "when i ask",
    "before you",
    "no more",
    "don't explain",
    "don't apologise",
    "don't apologize",
    "don't summarise",
    "don't summarize",
    "give me only",
    "only give me",
];

pub(super) fn says(sentence: &Sentence<'_>) -> Result<Option<Found>, Reason> {
    if let Some(asked) = asked_for_good(sentence) {
        return Ok(Some(Found::new(Family::Preference, Kind::Preference, 0.7, asked)));
    }
    let likes = PREFERRING.iter().find(|cue| sentence.starts(cue)).map(|cue| (*cue, sentence.after(cue)));
    let clause = || {
        PREFERRING
            .iter()
            .find_map(|cue| in_later_clause(&sentence.words, cue).map(|at| (*cue, &sentence.words[at..])))
    };
    let wants = || WANTING.iter().find_map(|cue| general_wish(sentence, cue));
    let (cue, object) = match likes.or_else(clause).or_else(wants) {
        Some(found) => found,
        None if is_order(sentence) => ("", &sentence.words[..]),
        None => return Ok(None),
    };
    if let Some(reason) = doubt::of_statement(sentence).filter(|reason| !is_polite(*reason, cue)) {
        return Err(reason);
    }
    if doubt::is_unresolved(object)
        || (doubt::points(object) && cue != "i like your" && !super::sentence::starts(object, "that you"))
    {
        return Err(Reason::Unresolved);
    }
    let waits = sentence.has_any(&["leave that", "until we", "leave it"]);
    let silly = sentence.has_any(&[
        "on fire",
        "coffee",
        "beer",
        "tea",
        "wine",
        "pizza",
        "lunch",
        "cake",
        "chocolate",
        "breakfast",
    ]);
    match () {
        () if waits => return Err(Reason::Temporary),
        () if silly => return Err(Reason::Joke),
        () if doubt::is_local(sentence) => return Err(Reason::Task),
        () => {}
    }
    Ok(Some(Found::new(Family::Preference, Kind::Preference, 0.7, sentence.text)))
}

/// "Could you write your answers to me in German from today on?": an order for all that follows.
fn asked_for_good<'a>(sentence: &Sentence<'a>) -> Option<&'a str> {
    const ASKING: [&str; 6] = ["could you", "can you", "would you", "will you", "could we", "can we"];
    const FROM_NOW: [&str; 6] =
        ["from today on", "from now on", "from here on", "from tomorrow on", "going forward", "in future"];
    let lead = ASKING.iter().find(|lead| sentence.starts(lead))?;
    let asked = sentence.text_after(lead.split(' ').count() + usize::from(sentence.word(2) == "please"));
    let is_for_you = sentence.has_any(&["me", "your", "you"]);
    (is_for_you && sentence.has_any(&FROM_NOW)).then(|| asked.trim_end_matches(['?', ' ']))
}

/// "I'd prefer" supposes nothing.
fn is_polite(reason: Reason, cue: &str) -> bool {
    reason == Reason::Hypothetical && (cue.starts_with("i'd") || cue.starts_with("i would"))
}

/// "before larger changes I want to see a plan", "when you show changes I only want the diff": after the condition.
fn in_later_clause(words: &[Word], cue: &str) -> Option<usize> {
    let begins =
        ["when", "whenever", "before", "in", "for"].iter().any(|word| super::sentence::starts(words, word));
    let at = find(words, cue).filter(|at| begins && *at > 1 && *at < 8)?;
    Some(at + cue.split(' ').count())
}

fn general_wish<'a>(sentence: &'a Sentence<'_>, cue: &'static str) -> Option<(&'static str, &'a [Word])> {
    let at = if sentence.starts(cue) {
        0
    } else {
        in_later_clause(&sentence.words, cue)? - cue.split(' ').count()
    };
    let object = &sentence.words[at + cue.split(' ').count()..];
    let general = IN_GENERAL.iter().any(|phrase| find(&sentence.words, phrase).is_some());
    // One function, one button: something to be made.
    let is_thing =
        matches!(object.first().map_or("", |word| word.text.as_str()), "the" | "a" | "an" | "this" | "that");
    let is_made = is_thing && matches!(cue, "i want" | "i need" | "i'd like" | "i expect");
    let is_manner = object.iter().take(3).any(|word| EACH_TIME.contains(&word.text.as_str()));
    ((general || is_manner) && !is_made && object.len() > 1).then_some((cue, object))
}

fn is_order(sentence: &Sentence<'_>) -> bool {
    sentence.starts_any(ORDERING) && sentence.has_any(MANNERS) && !sentence.starts("stop the")
}
