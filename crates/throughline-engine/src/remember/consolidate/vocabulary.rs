//! Words as consolidation sees them: which say nothing, which say the same, which say the opposite.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::reading::Tie;

/// Words that make no difference between two statements, in the languages that people remember things in.
const EMPTY: &str = "about a an the this that these those it its we our us you your i my me they their here there to of in on at for \
    with by via from as into per and or so then also now too just only ever please pls always every all each any must should shall \
    may can will would have has had having be is are was were been being am do does did done doing make makes made use uses used \
    using utilise run runs running go goes going gone get gets through up live lives living sit sits keep keeps kept put puts place \
    placed stay stays happen happens happened want wants like likes prefer prefers preferred better rather than need needs needed \
    require requires required decided decide decision chose choose chosen picked pick agreed settled opted called named name \
    follow follows everywhere anywhere anymore more longer new if when whenever one ones over under after before repository repo \
    project codebase code contain contains treat treats them who which what start starts begin begins let let's allow allows \
    allowed fine okay time come comes appear appears give gives add adds adding sure because since it's that's we're we've i'd cut still again where how send sends sent \
    wir benutzen verwenden nutzen hier ist sind der die das den ein eine in im auf mit für und immer man \
    on nous utilise utilisons le la les un une des de du et pour dans toujours est sont \
    usamos usar el los las un una en con para y siempre es son \
    мы используем в на и с для всегда это 我 们 用 使 的 是 在 了 请 都 を に で は が の です ます する 使い って";

/// Words for one thing.
const SAME: &[(&str, &str)] = &[
    ("db", "database"),
    ("cap", "limit"),
    ("capped", "limit"),
    ("limited", "limit"),
    ("docs", "documentation"),
    ("prod", "production"),
    ("dev", "development"),
    ("local", "development"),
    ("locally", "development"),
    ("doc", "documentation"),
    ("config", "configuration"),
    ("env", "environment"),
    ("deps", "dependency"),
    ("dependencies", "dependency"),
    ("auth", "authentication"),
    ("manually", "hand"),
    ("manual", "hand"),
    ("brief", "concise"),
    ("short", "concise"),
    ("trailers", "line"),
    ("trailer", "line"),
    ("indentation", "indent"),
    ("listens", "port"),
    ("listening", "port"),
    ("k8s", "kubernetes"),
    ("ts", "typescript"),
    ("js", "javascript"),
    ("pr", "pr"),
    ("prs", "pr"),
    ("deploys", "deploy"),
    ("deployment", "deploy"),
    ("deployments", "deploy"),
    ("hashes", "hash"),
    ("hashed", "hash"),
    ("signed", "sign"),
    ("answers", "answer"),
    ("reply", "answer"),
    ("respond", "answer"),
    ("responses", "answer"),
    ("formatter", "format"),
    ("formatting", "format"),
    ("linter", "lint"),
    ("linting", "lint"),
    ("logging", "log"),
    ("logs", "log"),
    ("logged", "log"),
    ("caching", "cache"),
    ("cached", "cache"),
    ("testing", "test"),
    ("tests", "test"),
    ("merging", "merge"),
    ("ask", "ask"),
    ("checking", "ask"),
    ("asking", "ask"),
    ("beginning", "start"),
    ("freitags", "friday"),
    ("mon", "monday"),
    ("tue", "tuesday"),
    ("tues", "tuesday"),
    ("wed", "wednesday"),
    ("thu", "thursday"),
    ("thurs", "thursday"),
    ("fri", "friday"),
    ("rotate", "rotate"),
    ("utilises", "use"),
    ("personal", "personal"),
    ("folder", "folder"),
    ("directory", "folder"),
    ("dir", "folder"),
    ("committing", "commit"),
    ("committed", "commit"),
    ("edited", "edit"),
    ("editing", "edit"),
    ("fixing", "fix"),
    ("writable", "read-only"),
    ("saved", "stored"),
    ("persisted", "stored"),
    ("owner", "own"),
    ("owns", "own"),
    ("owned", "own"),
];

/// What turns a statement round.
const NEGATIONS: &str = "never not no don't doesn't do-not isn't aren't cannot can't won't shouldn't mustn't avoid avoids against forbid \
    forbids forbidden ban banned drop dropped drops without stop stopped none nicht nie niemals kein keine keinen pas jamais nunca jamás не \
    никогда 不 没";

/// Pairs that cannot both be true of one thing.
const OPPOSITES: &[(&str, &str)] = &[
    ("enabled", "disabled"),
    ("enable", "disable"),
    ("on", "off"),
    ("enabled", "off"),
    ("disabled", "on"),
    ("before", "after"),
    ("first", "last"),
    ("public", "private"),
    ("sync", "async"),
    ("synchronous", "asynchronous"),
    ("short", "long"),
    ("concise", "verbose"),
    ("concise", "detailed"),
    ("concise", "long"),
    ("short", "detailed"),
    ("singular", "plural"),
    ("automatically", "manually"),
    ("automatic", "manual"),
    ("read-only", "writable"),
    ("optional", "mandatory"),
    ("optional", "required"),
    ("include", "exclude"),
    ("include", "no"),
    ("allow", "forbid"),
    ("open", "closed"),
    ("internal", "external"),
    ("single", "double"),
    ("static", "dynamic"),
    ("mutable", "immutable"),
    ("lowercase", "uppercase"),
    ("ascending", "descending"),
    ("online", "offline"),
    ("strict", "loose"),
    ("true", "false"),
    ("shared", "separate"),
    ("always", "never"),
    ("per-user", "global"),
    ("offset", "cursor"),
    ("diff", "full"),
    ("eager", "lazy"),
    ("deprecated", "supported"),
    ("deprecated", "recommended"),
    ("everywhere", "only"),
    ("anywhere", "only"),
];

/// Where these stand among [`QUALIFIERS`]: kinds of tests, which are nothing where no test is spoken of, and languages.
const TESTS: usize = 4;
const LANGUAGES: usize = 8;
/// Of these a statement is about one: another one is another subject.
const QUALIFIERS: &[&[&str]] = &[
    &["production", "staging", "development", "ci", "sandbox", "qa"],
    &["frontend", "backend"],
    &["web", "mobile", "desktop", "cli", "worker", "admin", "site"],
    &["ios", "android"],
    &["unit", "e2e", "integration", "smoke"],
    &["primary", "backup", "secondary", "replica"],
    &["access", "refresh"],
    &["free", "enterprise"],
    &["typescript", "python", "rust", "go", "yaml", "css", "sql"],
    &["request", "session"],
];

/// Words that add nothing by themselves to a statement that is known.
const WEAK: &str = "data store stored port rate first moved move value values thing things system part common way work write writes written \
    install installed manager package manage managed handle handled perform provide down current own \
    command suite reach reachable reached available exposed expose serve served call calling where taken read hold holds set version variable \
    environment apply applied applies responsible service create created environment";

/// Of these, by their stems, a thing has one, so that a second one contradicts.
const ONLY_ONE: &str = "branch port name url region version owner languag shell manag host address timezon zone email titl \
    licens colour color default format editor theme length limit path leader maintain deadlin";

/// Words, by their stems, that only say that a value follows.
const BEFORE_VALUES: &str = "port reach reachabl expos serv avail version current set valu rate move moved bump upgrad pin chang switch read \
    taken take limit listen run level prefix";

/// Words, by their stems, that tie a value to a thing or say that it is another one now: what they differ in is no difference.
const TYING: &str = "move moved switch upgrad updat bump chang migrat shift push port rewrit rewritten renam rais lower doubl increas reduc \
    turn went swap replac got settl adopt store stored keep kept hold held stay stai manag handl serv comput talk speak host post \
    deliv write written write built build compil take taken find found remain retain retent sent come go file filed issu done made make \
    reach avail run live sit start begin happen located locat place current target perform provid implement handed transfer \
    back around most out off away rewrot instead rather drop ditch retir cancel abandon remov left kill scrap forget threw quit rid relicens reimplement land doubl halv slip only";

/// Words that say that something is another than it was.
const CHANGE: &str = "now nowadays instead anymore longer moved switched upgraded updated migrated bumped changed renamed raised lowered cut \
    doubled increased reduced pushed shifted ported rewritten swapped replaced retired dropped ditched went turned relicensed reimplemented \
    took became";

/// Verbs that tie one value to a thing.
const ONE: &str = "is are was find found lives live listens go goes served written runs run built equals stays returns owned moved changed switched upgraded \
     bumped pin pins pinned keep keeps kept set sets";
/// Verbs that tie any number.
const MANY: &str = "needs need requires require uses use supports support has have must allows covers consumes publishes depends talks \
    contains exports adds validates";

/// Statements are compared while somebody waits, word by word.
type Words = LazyLock<HashSet<&'static str>>;

static EMPTY_WORDS: Words = LazyLock::new(|| EMPTY.split_ascii_whitespace().collect());
/// With their beginnings, which stems may be.
static WEAK_STEMS: Words = LazyLock::new(|| WEAK.split_ascii_whitespace().flat_map(beginnings).collect());
static CHANGE_WORDS: Words = LazyLock::new(|| CHANGE.split_ascii_whitespace().collect());
static TYING_STEMS: Words = LazyLock::new(|| TYING.split_ascii_whitespace().collect());
static TIES: LazyLock<HashMap<&str, Tie>> = LazyLock::new(|| {
    let many = MANY.split_ascii_whitespace().map(|word| (word, Tie::Many));
    many.chain(ONE.split_ascii_whitespace().map(|word| (word, Tie::One))).collect()
});
static QUALIFIER_WORDS: LazyLock<HashMap<&str, Qualifier>> = LazyLock::new(|| {
    let sorts = QUALIFIERS.iter().enumerate();
    let of_sort = |(sort, words): (usize, &'static &[&str])| {
        words.iter().enumerate().map(move |(one, word)| (*word, Qualifier { sort, one }))
    };
    sorts.flat_map(of_sort).collect()
});
static QUALIFIER_STEMS: Words = LazyLock::new(|| {
    QUALIFIERS.iter().flat_map(|sort| sort.iter()).flat_map(|word| beginnings(word)).collect()
});
static ONE_WORDS: Words = LazyLock::new(|| ONLY_ONE.split_ascii_whitespace().collect());
static NEGATION_WORDS: Words = LazyLock::new(|| NEGATIONS.split_ascii_whitespace().collect());
static SAME_WORDS: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| SAME.iter().rev().map(|(word, same)| (*word, *same)).collect());
static OPPOSITE_WORDS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut opposites: HashMap<&str, Vec<&str>> = HashMap::new();
    for (one, other) in OPPOSITES {
        opposites.entry(one).or_default().push(other);
        opposites.entry(other).or_default().push(one);
    }
    opposites
});
static VALUE_WORDS: Words = LazyLock::new(|| BEFORE_VALUES.split_ascii_whitespace().collect());

pub(super) fn is_empty(word: &str) -> bool {
    EMPTY_WORDS.contains(word)
}

/// The word and all that is enough to be known as a stem of it.
fn beginnings(word: &'static str) -> impl Iterator<Item = &'static str> {
    let ends = (4..word.len()).filter(|end| word.is_char_boundary(*end));
    ends.map(|end| &word[..end]).chain([word])
}

pub(super) fn is_weak(stem: &str) -> bool {
    WEAK_STEMS.contains(stem)
}

/// Whether a word says that something is another than it was.
pub(super) fn says_change(word: &str) -> bool {
    CHANGE_WORDS.contains(word)
}

/// Whether a stem only ties a value to a thing, or says that it changed.
pub(super) fn only_ties(stem: &str) -> bool {
    TYING_STEMS.contains(stem) || VALUE_WORDS.contains(stem)
}

pub(super) fn is_verb(word: &str) -> bool {
    TIES.contains_key(word)
}

pub(super) fn tie_of(verb: &str) -> Tie {
    TIES.get(verb).copied().unwrap_or(Tie::None)
}

/// Whether a stem only says that a value follows.
pub(super) fn leads_to_value(stem: &str) -> bool {
    VALUE_WORDS.contains(stem)
}

/// Whether a thing of this stem has one value.
pub(super) fn has_one(stem: &str) -> bool {
    ONE_WORDS.contains(stem)
}

pub(super) fn is_negation(word: &str) -> bool {
    NEGATION_WORDS.contains(word)
}

/// The word that stands for all that mean the same.
pub(super) fn canonical(word: &str) -> &str {
    SAME_WORDS.get(word).copied().unwrap_or(word)
}

/// What cannot be true where the word is.
pub(super) fn opposites(word: &str) -> &'static [&'static str] {
    OPPOSITE_WORDS.get(word).map_or(&[], Vec::as_slice)
}

/// One of several things of a sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Qualifier {
    sort: usize,
    one: usize,
}

/// What programs are written in.
pub(super) fn is_language(word: &str) -> bool {
    QUALIFIERS[LANGUAGES].contains(&word)
}

/// Whether a word says which one of several is meant.
pub(super) fn qualifies(stem: &str) -> bool {
    QUALIFIER_STEMS.contains(stem)
}

/// Which ones of several the words single out; "everywhere, including staging" none.
pub(super) fn qualifiers(words: &[String]) -> Vec<Qualifier> {
    let names_all = words.iter().any(|word| word == "everywhere");
    let speaks_of_tests =
        words.iter().any(|word| matches!(word.as_str(), "test" | "suite" | "spec" | "specs"));
    let singled = words.iter().filter(|_| !names_all);
    let qualifiers = singled.filter_map(|word| QUALIFIER_WORDS.get(word.as_str()).copied());
    qualifiers.filter(|qualifier| qualifier.sort != TESTS || speaks_of_tests).collect()
}

/// Whether different things of a sort are singled out.
pub(super) fn qualify_differently(one: &[Qualifier], other: &[Qualifier]) -> bool {
    one.iter().any(|qualifier| {
        let is_of_sort = |other: &&Qualifier| other.sort == qualifier.sort;
        let mut others = other.iter().filter(is_of_sort).peekable();
        let shares = |found: &Qualifier| one.contains(found);
        others.peek().is_some() && !others.any(shares)
    })
}
