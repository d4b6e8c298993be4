//! Facts of a made-up project, some of which change, and questions with the one fact that answers each.

use super::super::dice::Dice;

pub(super) struct Corpus {
    pub(super) facts: Vec<Fact>,
    pub(super) questions: Vec<Question>,
}

pub(super) struct Fact {
    /// What it is about; the same for the fact that takes its place.
    pub(super) title: String,
    pub(super) now: Claim,
    /// What was true before, and was said first.
    pub(super) before: Option<Claim>,
}

pub(super) struct Claim {
    /// The sentence that no other fact has.
    pub(super) core: String,
    /// With what goes along with it.
    pub(super) text: String,
}

pub(super) struct Question {
    /// Its place among all.
    pub(super) number: usize,
    pub(super) text: String,
    pub(super) wording: Wording,
    /// The number of the fact that answers it.
    pub(super) fact: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wording {
    /// As one types into a search box.
    Keywords,
    /// In the fact's own words.
    Same,
    /// In others.
    Other,
}

/// One of so many is said again with another value.
const REPLACED: usize = 10;
/// Has no divisor in common with the number of facts, so that neighbours differ in everything.
const STEP: usize = 1597;
pub(super) const MOST: usize = PARTS.len() * ROLES.len() * PROPERTIES.len();

impl Corpus {
    /// The same for the same numbers.
    pub(super) fn of(memories: usize, questions: usize) -> Corpus {
        let mut dice = Dice::new(11);
        let facts: Vec<Fact> = (0..memories).map(|number| fact(&mut dice, number)).collect();
        let asked = |number: usize| {
            // What was replaced is asked for first: whether the old value still comes up is told by few others.
            let replaced = facts.len().div_ceil(REPLACED);
            let fact = if number < replaced { number * REPLACED } else { dice.below(facts.len()) };
            let wording = [Wording::Keywords, Wording::Same, Wording::Other][number % 3];
            Question { number, text: question(fact, wording), wording, fact }
        };
        let questions = (0..questions).map(asked).collect();
        Corpus { facts, questions }
    }

    pub(super) fn replaced(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(|fact| fact.before.is_some())
    }
}

struct Property {
    name: &'static str,
    /// `{c}` is the component and `{v}` the value.
    claim: &'static str,
    values: [&'static str; 4],
    same: &'static str,
    other: &'static str,
}

/// The n-th fact's component and property.
fn about(number: usize) -> (String, &'static Property) {
    let place = number * STEP % MOST;
    let (component, property) = (place / PROPERTIES.len(), place % PROPERTIES.len());
    let name = format!("{}-{}", PARTS[component / ROLES.len()], ROLES[component % ROLES.len()]);
    (name, &PROPERTIES[property])
}

fn fact(dice: &mut Dice, number: usize) -> Fact {
    let (component, property) = about(number);
    let first = dice.below(property.values.len());
    let second = (first + 1 + dice.below(property.values.len() - 1)) % property.values.len();
    let mut claim = |value: usize| {
        let core = property.claim.replace("{c}", &component).replace("{v}", property.values[value]);
        let why = REASONS[dice.below(REASONS.len())];
        Claim { text: format!("{core}, because {why}."), core }
    };
    let before = number.is_multiple_of(REPLACED).then(|| claim(first));
    Fact { title: format!("{component} {}", property.name), now: claim(second), before }
}

fn question(number: usize, wording: Wording) -> String {
    let (component, property) = about(number);
    let pattern = match wording {
        Wording::Keywords => return format!("{component} {}", property.name),
        Wording::Same => property.same,
        Wording::Other => property.other,
    };
    pattern.replace("{c}", &component)
}

const PARTS: [&str; 24] = [
    "orders",
    "billing",
    "search",
    "inventory",
    "shipping",
    "accounts",
    "catalog",
    "payments",
    "reports",
    "media",
    "reviews",
    "pricing",
    "loyalty",
    "returns",
    "tax",
    "fraud",
    "geo",
    "mail",
    "chat",
    "audit",
    "export",
    "feeds",
    "coupons",
    "sessions",
];
const ROLES: [&str; 8] = ["api", "worker", "gateway", "importer", "scheduler", "cache", "sync", "store"];
const REASONS: [&str; 12] = [
    "the provider throttles us under load",
    "the audit in March asked for it",
    "two incidents in one week showed it",
    "customers in Japan complained",
    "the old value made nightly builds fail",
    "legal wants it that way",
    "the load test broke at anything higher",
    "the vendor dropped the other option",
    "the on-call rota could not keep up",
    "it halves the bill",
    "a migration depends on it",
    "mobile clients rely on it",
];

const PROPERTIES: [Property; 20] = [
    Property {
        name: "request timeout",
        claim: "The request timeout of {c} is {v} seconds",
        values: ["15", "30", "45", "90"],
        same: "What is the request timeout of {c}?",
        other: "How long does {c} wait for a reply before it gives up?",
    },
    Property {
        name: "retry limit",
        claim: "{c} retries a failed call {v} times",
        values: ["2", "3", "5", "8"],
        same: "How often does {c} retry a failed call?",
        other: "After how many attempts does {c} stop trying?",
    },
    Property {
        name: "database",
        claim: "{c} keeps its records in {v}",
        values: ["PostgreSQL", "SQLite", "DynamoDB", "MySQL"],
        same: "Where does {c} keep its records?",
        other: "Which database is behind {c}?",
    },
    Property {
        name: "owner",
        claim: "{c} is owned by the {v} team",
        values: ["Falcon", "Badger", "Heron", "Otter"],
        same: "Which team is {c} owned by?",
        other: "Who is responsible for {c} and should review changes?",
    },
    Property {
        name: "port",
        claim: "{c} listens on port {v}",
        values: ["7001", "7443", "8085", "9200"],
        same: "On which port does {c} listen?",
        other: "What number do I connect to locally for {c}?",
    },
    Property {
        name: "language",
        claim: "{c} is written in {v}",
        values: ["Rust", "Go", "Kotlin", "TypeScript"],
        same: "What is {c} written in?",
        other: "Which programming language do I need for {c}?",
    },
    Property {
        name: "deploy day",
        claim: "{c} is deployed on {v} only",
        values: ["Tuesdays", "Wednesdays", "Thursdays", "Mondays"],
        same: "When is {c} deployed?",
        other: "On what weekday may I ship a release of {c}?",
    },
    Property {
        name: "token lifetime",
        claim: "Access tokens of {c} expire after {v} minutes",
        values: ["10", "20", "60", "120"],
        same: "When do access tokens of {c} expire?",
        other: "How long does a login stay valid in {c}?",
    },
    Property {
        name: "queue",
        claim: "{c} takes its jobs from {v}",
        values: ["Kafka", "RabbitMQ", "SQS", "NATS"],
        same: "Where does {c} take its jobs from?",
        other: "What message broker feeds {c}?",
    },
    Property {
        name: "page size",
        claim: "Lists of {c} have {v} entries on a page",
        values: ["20", "50", "100", "250"],
        same: "How many entries on a page do lists of {c} have?",
        other: "What is the pagination limit for results from {c}?",
    },
    Property {
        name: "log retention",
        claim: "Logs of {c} are kept for {v} days",
        values: ["7", "14", "30", "400"],
        same: "For how many days are logs of {c} kept?",
        other: "How far back can I look at what {c} printed?",
    },
    Property {
        name: "date format",
        claim: "{c} writes dates as {v}",
        values: ["ISO 8601", "Unix seconds", "RFC 2822", "local time"],
        same: "How does {c} write dates?",
        other: "What timestamp representation comes out of {c}?",
    },
    Property {
        name: "cache ttl",
        claim: "Answers of {c} are cached for {v} minutes",
        values: ["1", "5", "25", "55"],
        same: "How long are answers of {c} cached?",
        other: "When will a stale response from {c} disappear?",
    },
    Property {
        name: "feature flag",
        claim: "The {v} flag switches the beta of {c} on",
        values: ["lantern", "compass", "anchor", "beacon"],
        same: "Which flag switches the beta of {c} on?",
        other: "How do I enable the preview features in {c}?",
    },
    Property {
        name: "test command",
        claim: "Tests of {c} are run with make {v}",
        values: ["check", "verify", "unit", "quick"],
        same: "How are tests of {c} run?",
        other: "Which target proves that my change to {c} works?",
    },
    Property {
        name: "rate limit",
        claim: "{c} allows {v} requests a minute for each client",
        values: ["60", "300", "600", "1200"],
        same: "How many requests a minute does {c} allow for each client?",
        other: "At what rate does {c} start to throttle callers?",
    },
    Property {
        name: "backup hour",
        claim: "{c} is backed up at {v} UTC",
        values: ["01:00", "02:30", "04:00", "23:15"],
        same: "When is {c} backed up?",
        other: "At what hour is a snapshot of {c} taken?",
    },
    Property {
        name: "region",
        claim: "{c} runs in {v}",
        values: ["Frankfurt", "Oregon", "Tokyo", "Dublin"],
        same: "Where does {c} run?",
        other: "In which data centre is {c} hosted?",
    },
    Property {
        name: "money type",
        claim: "{c} counts money in {v}",
        values: ["cents", "decimals", "milli-euros", "strings"],
        same: "How does {c} count money?",
        other: "What unit do amounts and prices have in {c}?",
    },
    Property {
        name: "on call",
        claim: "Alerts of {c} go to {v}",
        values: ["Priya", "Tomas", "Yuki", "Amara"],
        same: "To whom do alerts of {c} go?",
        other: "Who is paged when {c} is down at night?",
    },
];
