//! What a project's people and agents write, made up by a generator that always makes the same.

use std::sync::OnceLock;

use super::dice::Dice;

/// What somebody noted about a part of the project: a sentence or two, some twenty words.
pub(super) fn statement(dice: &mut Dice, number: usize) -> String {
    let what = filled(dice, STATEMENTS[number % STATEMENTS.len()]);
    let why = reason(dice);
    match dice.below(4) {
        0 => format!("{what}, because {why}. See issue {number}."),
        1 => format!("{what}: {why} (decided in issue {number})."),
        2 => format!("{what}. Reason: {why}. Noted with commit {number:07x}."),
        _ => format!("{what} since issue {number}, as {why}."),
    }
}

/// A question in some of the words of a statement.
pub(super) fn question(dice: &mut Dice, statement: &str) -> String {
    let words: Vec<&str> = statement.split_whitespace().filter(|word| word.len() > 3).collect();
    let asked: Vec<&str> = (0..3 + dice.below(4)).map(|_| words[dice.below(words.len())]).collect();
    format!("{} {}", ASKED[dice.below(ASKED.len())], asked.join(" "))
}

/// A few lines, as people and models say them to each other.
pub(super) fn message(dice: &mut Dice, number: usize) -> String {
    let sentences: Vec<String> = (0..2 + dice.below(4)).map(|more| statement(dice, number + more)).collect();
    sentences.join("\n")
}

/// A file of source, some functions long.
pub(super) fn source(dice: &mut Dice, number: usize) -> String {
    let mut text = format!("//! {}\n\n", statement(dice, number));
    for _ in 0..2 + dice.below(6) {
        let (one, other, why) = (word(dice), word(dice), reason(dice));
        let name = format!("{one}_{other}_{}", dice.below(1000));
        text.push_str(&format!("/// {why}\npub fn {name}({one}: &str, limit: usize) -> Option<String> {{\n"));
        for _ in 0..3 + dice.below(12) {
            let (name, from) = (word(dice), word(dice));
            text.push_str(&format!("    let {name} = {from}.get(limit + {})?;\n", dice.below(100)));
        }
        text.push_str(&format!("    Some({one}.to_owned())\n}}\n\n"));
    }
    text
}

/// A name such as `orders_cache.rs`, `SessionRouter42` or `src/queue/retry`.
pub(super) fn part(dice: &mut Dice) -> String {
    let (one, other) = (word(dice), word(dice));
    match dice.below(3) {
        0 => format!("{one}_{other}.rs"),
        1 => format!("{}{}{}", capital(one), capital(other), dice.below(500)),
        _ => format!("src/{one}/{other}"),
    }
}

fn reason(dice: &mut Dice) -> String {
    let pattern = REASONS[dice.below(REASONS.len())];
    filled(dice, pattern)
}

/// Fills `{part}`, `{n}`, `{rare}` and `{word}`; of the last some come far more often than others, as words do.
fn filled(dice: &mut Dice, pattern: &str) -> String {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        let (slot, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        text.push_str(&match slot {
            "part" => part(dice),
            "n" => (2 + dice.below(90)).to_string(),
            "rare" => word(dice).to_owned(),
            _ => common(dice).to_owned(),
        });
        rest = after;
    }
    text + rest
}

fn word(dice: &mut Dice) -> &'static str {
    words()[dice.below(words().len())]
}

fn common(dice: &mut Dice) -> &'static str {
    let count = words().len();
    words()[dice.below(count).min(dice.below(count)).min(dice.below(count))]
}

fn words() -> &'static [&'static str] {
    static LIST: OnceLock<Vec<&'static str>> = OnceLock::new();
    LIST.get_or_init(|| WORDS.split_whitespace().collect())
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

const ASKED: &[&str] = &["how do we", "why does", "where is", "what about", "when did we change", "who owns"];

const STATEMENTS: &[&str] = &[
    "{part} retries a failed {word} {n} times and then gives up",
    "The {word} limits of {part} are read from the {word} file and not from the environment",
    "{part} must not be called while a {word} transaction is open",
    "We moved the {rare} {word} out of {part} into {part}",
    "Never log the {word} in {part}, only its length",
    "{part} keeps the last {n} entries of the {rare} in memory and writes them with the next {word}",
    "Use the {word} of {part} for every {rare}; a second one leads to {word} conflicts",
    "The {rare} test of {part} needs a running {word} and takes {n} seconds",
    "A {word} without {rare} is answered with status 4{n} by {part}",
    "{part} was slow: {n} ms for a {word}, most of it in the {rare}",
    "The {word} in {part} holds the lock on the {rare} for too long",
    "Before a release the {word} of {part} has to be built again with {part}",
    "{part} and {part} disagree about the {rare} of a {word}",
    "We chose {part} for the {word} instead of {part}",
    "The default {rare} of {part} is {n}, and {word} builds raise it",
    "Whoever changes {part} also updates the {word} table in {part}",
];

const REASONS: &[&str] = &[
    "the {word} provider answers slowly under load",
    "customers saw a {rare} twice when the {word} was restarted",
    "the old {word} could not be migrated without a {rare}",
    "two processes write the same {word} at once",
    "the review of {part} found a leak in the {rare}",
    "a {word} of more than {n} megabytes fills the {rare}",
    "nobody could tell which {word} the {rare} belonged to",
    "the {rare} team asked for fewer {word} calls",
    "it broke the {word} on machines with {n} cores",
    "the {word} is rebuilt from the {rare} anyway",
    "tests of {part} became flaky",
    "its {rare} is not part of the public {word}",
];

const WORDS: &str = "service request error test build config database user session cache token query index file log \
    deploy server client schema migration queue worker retry timeout endpoint branch commit release \
    version review module function thread lock memory budget search vector document event backup \
    restore cluster replica shard stream batch cursor page limit latency throughput metric trace \
    alert dashboard login password permission role invoice payment order cart checkout refund \
    customer account profile email template webhook signature certificate proxy router gateway \
    container image registry pipeline runner artifact package dependency compiler linter formatter \
    parser lexer grammar symbol scope closure iterator generator buffer socket packet header payload \
    encoder decoder compression encryption hash checksum snapshot journal transaction isolation \
    deadlock consistency partition quorum election leader follower heartbeat lease clock calendar \
    timezone locale currency rounding precision overflow underflow boundary fixture mock coverage \
    benchmark profiler flamegraph allocation garbage reference pointer lifetime ownership trait \
    interface adapter factory observer singleton strategy visitor decorator facade bridge composite \
    flyweight mediator memento prototype state command chain interpreter";
