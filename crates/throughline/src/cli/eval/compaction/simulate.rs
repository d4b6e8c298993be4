//! Sessions of four hours and two thousand events as an agent would have them, made up by a generator that always makes the
//! same ones, and what each later step needs to know of what came before.

use serde_json::{Value as Json, json};
use throughline_engine::store::event::Kind;
use throughline_engine::store::time::Timestamp;

use super::recording::{Fact, Recording, Sort, Step};

const EVENTS: usize = 2000;
const HOURS: i64 = 4;
const START: i64 = 1_767_600_000_000_000;

/// The same session for the same seed.
pub(super) fn session(seed: u64) -> Recording {
    // Every second session knows no gates, so that the other causes come to their right.
    let gates = seed % 2 == 1;
    let mut author = Author { dice: Dice(seed), steps: vec![], named: 0, failing: vec![], gates };
    while author.steps.len() < EVENTS {
        author.task();
    }
    author.steps.truncate(EVENTS);
    Recording { name: seed.to_string(), steps: author.steps }
}

/// A source of chance that is the same in every run (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

struct Author {
    dice: Dice,
    steps: Vec<Step>,
    /// How many things have got a name.
    named: usize,
    /// Test commands that fail now.
    failing: Vec<String>,
    gates: bool,
}

impl Author {
    fn task(&mut self) {
        let (module, part) = self.name();
        let asked = format!("Please work on the {part} of {module} now. {}", self.prose(30));
        self.push(Kind::UserMessage, None, Some(asked), None);
        for _ in 0..24 + self.dice.below(24) {
            match self.dice.below(100) {
                0..44 => self.command(),
                44..62 => self.answer(),
                62..76 => self.write(),
                76..86 => self.read(),
                86..91 => self.decide(),
                91..95 => self.talk(),
                _ => self.test(),
            }
        }
        self.gate();
    }

    /// A module and a part of it that nobody has spoken of yet.
    fn name(&mut self) -> (String, String) {
        let number = self.named;
        self.named += 1;
        let module = MODULES[number % MODULES.len()];
        let part = PARTS[(number / MODULES.len() + number * 7) % PARTS.len()];
        (format!("{module}{}", number / (MODULES.len() * 4)), part.to_owned())
    }

    fn command(&mut self) {
        let (module, part) = self.name();
        let target = format!("rg -n {part} src/{module}");
        let limit = 10 + self.dice.below(9000);
        let known = format!("{}_{}_LIMIT: u32 = {limit}", module.to_uppercase(), part.to_uppercase());
        self.push(Kind::ToolCall, Some(target.clone()), Some(target.clone()), Some(json!({ "ok": true })));
        let lines = 8 + self.dice.below(30);
        let place = self.dice.below(lines);
        let output: Vec<String> = (0..lines)
            .map(|line| if line == place { format!("pub const {known};") } else { self.code() })
            .collect();
        let fact = (self.dice.below(4) == 0).then(|| Fact {
            sort: Sort::Detail,
            phrase: known.clone(),
            question: format!("what is the limit of {part} in {module}"),
        });
        self.say(Kind::ToolResult, Some(target), output.join("\n"), Some(json!({ "ok": true })), fact);
    }

    fn answer(&mut self) {
        let (module, part) = self.name();
        let store = format!("{}Store{}", self.dice.of(PARTS), self.dice.below(900));
        let told = format!("The {part} of {module} keeps its state in {store}.");
        let text = format!("{} {told} {}", self.prose(25), self.prose(25));
        let fact = (self.dice.below(3) == 0).then(|| Fact {
            sort: Sort::Said,
            phrase: told.clone(),
            question: format!("where does {module} keep the state of its {part}"),
        });
        self.say(Kind::ModelMessage, None, text, None, fact);
    }

    fn write(&mut self) {
        let (module, part) = self.name();
        let path = format!("src/{module}/{part}.rs");
        let fact = (self.dice.below(3) == 0).then(|| Fact {
            sort: Sort::File,
            phrase: path.clone(),
            question: format!("which file has the {part} of {module}"),
        });
        let content = (0..6 + self.dice.below(20)).map(|_| self.code()).collect::<Vec<_>>().join("\n");
        self.say(Kind::Write, Some(path), content, None, fact);
    }

    fn read(&mut self) {
        let (module, part) = self.name();
        let content = (0..20 + self.dice.below(40)).map(|_| self.code()).collect::<Vec<_>>().join("\n");
        self.push(Kind::Read, Some(format!("src/{module}/{part}.rs")), Some(content), None);
    }

    fn decide(&mut self) {
        let (module, part) = self.name();
        let text = format!("Use {} for the {part} of {module}", self.dice.of(TOOLS));
        let fact = Fact {
            sort: Sort::Decision,
            phrase: text.clone(),
            question: format!("what did we decide to use for the {part} of {module}"),
        };
        self.say(Kind::Decision, None, text, None, Some(fact));
    }

    /// The user comes in with something that must stay.
    fn talk(&mut self) {
        let (module, part) = self.name();
        let number = 5 + self.dice.below(900);
        let (sort, text, question) = if self.dice.below(2) == 0 {
            let tool = self.dice.of(TOOLS);
            (
                Sort::Correction,
                format!("No, the {part} of {module} must use {tool} with {number} workers"),
                format!("what must the {part} of {module} use"),
            )
        } else {
            (
                Sort::Remember,
                format!("Remember that the {part} of {module} has to answer in {number} ms"),
                format!("how fast has the {part} of {module} to answer"),
            )
        };
        let fact = Fact { sort, phrase: text.clone(), question };
        self.say(Kind::UserMessage, None, text, None, Some(fact));
    }

    /// A test that fails, or one that failed and passes.
    fn test(&mut self) {
        if self.failing.len() > 6 || (!self.failing.is_empty() && self.dice.below(3) > 0) {
            let place = self.dice.below(self.failing.len());
            let target = self.failing.remove(place);
            let passed = "test result: ok. 12 passed".to_owned();
            self.push(
                Kind::ToolCall,
                Some(target.clone()),
                Some(target.clone()),
                Some(json!({ "ok": true })),
            );
            self.push(Kind::ToolResult, Some(target), Some(passed), Some(json!({ "ok": true })));
            return;
        }
        let (module, part) = self.name();
        let target = format!("cargo test {module}_{part}");
        let told = format!("error: {module}_{part} returned {}", self.dice.below(9000));
        let noise = (0..10).map(|_| self.code()).collect::<Vec<_>>().join("\n");
        let fact = Fact {
            sort: Sort::Error,
            phrase: told.clone(),
            question: format!("why does the test {module}_{part} fail"),
        };
        self.push(Kind::ToolCall, Some(target.clone()), Some(target.clone()), Some(json!({ "ok": false })));
        let output = format!("running 12 tests\n{told}\n{noise}");
        self.say(Kind::ToolResult, Some(target.clone()), output, Some(json!({ "ok": false })), Some(fact));
        self.failing.push(target);
    }

    fn gate(&mut self) {
        if !self.gates {
            return;
        }
        let passed = self.dice.below(2) == 0;
        let name = format!("gate-{}", self.dice.below(5));
        self.push(Kind::ValidationGate, Some(name), None, Some(json!({ "passed": passed })));
    }

    fn push(&mut self, kind: Kind, target: Option<String>, content: Option<String>, parts: Option<Json>) {
        let (at, needs) = (self.time(), self.needs(kind));
        self.steps.push(Step { at, kind, target, content, parts, fact: None, needs });
    }

    fn say(
        &mut self,
        kind: Kind,
        target: Option<String>,
        content: String,
        parts: Option<Json>,
        fact: Option<Fact>,
    ) {
        let (at, needs) = (self.time(), self.needs(kind));
        self.steps.push(Step { at, kind, target, content: Some(content), parts, fact, needs });
    }

    fn time(&self) -> Timestamp {
        let apart = HOURS * 3600 * 1_000_000 / EVENTS as i64;
        Timestamp(START + apart * (self.steps.len() as i64 + 1))
    }

    /// What the model must know to take this step: mostly of late, some of long ago.
    fn needs(&mut self, kind: Kind) -> Vec<Fact> {
        if !matches!(kind, Kind::ModelMessage | Kind::Write | Kind::ToolCall) || self.dice.below(4) > 0 {
            return vec![];
        }
        let known: Vec<usize> = (0..self.steps.len()).filter(|place| self.is_needed_still(*place)).collect();
        let far = match self.dice.below(10) {
            0..5 => 20,
            5..8 => 100,
            _ => known.len(),
        };
        let late = &known[known.len().saturating_sub(far)..];
        if late.is_empty() {
            return vec![];
        }
        let place = late[self.dice.below(late.len())];
        self.steps[place].fact.clone().into_iter().collect()
    }

    /// An error that was settled is nobody's concern.
    fn is_needed_still(&self, place: usize) -> bool {
        let step = &self.steps[place];
        let Some(fact) = &step.fact else { return false };
        fact.sort != Sort::Error || step.target.as_ref().is_some_and(|test| self.failing.contains(test))
    }

    fn prose(&mut self, words: usize) -> String {
        let text: Vec<&str> = (0..words).map(|_| self.dice.of(WORDS)).collect();
        format!("{}.", text.join(" "))
    }

    fn code(&mut self) -> String {
        let (one, other) = (self.dice.of(WORDS), self.dice.of(WORDS));
        format!("    let {one} = self.{other}(&{}, {})?;", self.dice.of(PARTS), self.dice.below(900))
    }
}

const MODULES: &[&str] = &[
    "payment", "invoice", "catalog", "basket", "shipping", "account", "ledger", "refund", "search", "review",
    "coupon", "tax", "stock", "supplier", "delivery", "message", "profile", "report", "audit", "session",
    "gateway", "webhook", "export", "import",
];
const PARTS: &[&str] = &[
    "retry", "cache", "queue", "parser", "router", "schema", "index", "token", "buffer", "worker", "policy",
    "limit", "cursor", "filter", "mapper", "loader", "signer", "timer", "locker", "merger", "reader",
    "writer", "counter",
];
const TOOLS: &[&str] = &[
    "SQLite", "Redis", "Kafka", "Postgres", "gRPC", "protobuf", "OAuth", "Stripe", "webhooks", "cron", "S3",
    "Elastic",
];
const WORDS: &[&str] = &[
    "value", "order", "total", "state", "entry", "branch", "result", "amount", "update", "change", "record",
    "number", "detail", "request", "answer", "handle", "check", "result", "again", "before", "after",
    "while", "under", "second", "later", "simple", "early", "common", "single", "double",
];
