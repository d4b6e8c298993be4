//! Memories as a project would have them, made up by a generator that always makes the same ones.

/// A source of chance that is the same in every run (splitmix64).
#[derive(Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }

    /// The first ones far more often than the last, as words are.
    fn skewed<'a>(&mut self, words: &[&'a str]) -> &'a str {
        let place = self.below(words.len()).min(self.below(words.len())).min(self.below(words.len()));
        words[place]
    }
}

/// A statement of some twenty-five words about a part of the project.
pub(super) fn statement(dice: &mut Dice, number: usize) -> String {
    let part = part(dice);
    let mut words = vec!["the", part.as_str()];
    let count = 12 + dice.below(16);
    for place in 0..count {
        words.push(dice.skewed(WORDS));
        if place % 4 == 3 {
            words.push(JOINTS[dice.below(JOINTS.len())]);
        }
    }
    format!("{}, see issue {number}", words.join(" "))
}

/// A question in some of the words of a statement.
pub(super) fn question(dice: &mut Dice, statement: &str) -> String {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let asked: Vec<&str> = (0..3 + dice.below(4)).map(|_| words[dice.below(words.len())]).collect();
    format!("how do we {}", asked.join(" "))
}

/// A name such as `orders_cache.rs` or `SessionRouter42`.
fn part(dice: &mut Dice) -> String {
    let (one, other) = (WORDS[dice.below(WORDS.len())], WORDS[dice.below(WORDS.len())]);
    match dice.below(3) {
        0 => format!("{one}_{other}.rs"),
        1 => format!("{}{}{}", capital(one), capital(other), dice.below(500)),
        _ => format!("src/{one}/{other}"),
    }
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

const JOINTS: &[&str] = &["and", "because", "for", "in", "of", "on", "so that", "to", "when", "with"];

const WORDS: &[&str] = &[
    "service",
    "request",
    "error",
    "test",
    "build",
    "config",
    "database",
    "user",
    "session",
    "cache",
    "token",
    "query",
    "index",
    "file",
    "log",
    "deploy",
    "server",
    "client",
    "schema",
    "migration",
    "queue",
    "worker",
    "retry",
    "timeout",
    "endpoint",
    "branch",
    "commit",
    "release",
    "version",
    "review",
    "module",
    "function",
    "thread",
    "lock",
    "memory",
    "budget",
    "search",
    "vector",
    "document",
    "event",
    "backup",
    "restore",
    "cluster",
    "replica",
    "shard",
    "stream",
    "batch",
    "cursor",
    "page",
    "limit",
    "latency",
    "throughput",
    "metric",
    "trace",
    "alert",
    "dashboard",
    "login",
    "password",
    "permission",
    "role",
    "invoice",
    "payment",
    "order",
    "cart",
    "checkout",
    "refund",
    "customer",
    "account",
    "profile",
    "email",
    "template",
    "webhook",
    "signature",
    "certificate",
    "proxy",
    "router",
    "gateway",
    "container",
    "image",
    "registry",
    "pipeline",
    "runner",
    "artifact",
    "package",
    "dependency",
    "compiler",
    "linter",
    "formatter",
    "parser",
    "lexer",
    "grammar",
    "symbol",
    "scope",
    "closure",
    "iterator",
    "generator",
    "buffer",
    "socket",
    "packet",
    "header",
    "payload",
    "encoder",
    "decoder",
    "compression",
    "encryption",
    "hash",
    "checksum",
    "snapshot",
    "journal",
    "transaction",
    "isolation",
    "deadlock",
    "consistency",
    "partition",
    "quorum",
    "election",
    "leader",
    "follower",
    "heartbeat",
    "lease",
    "clock",
    "calendar",
    "timezone",
    "locale",
    "currency",
    "rounding",
    "precision",
    "overflow",
    "underflow",
    "boundary",
    "fixture",
    "mock",
    "coverage",
    "benchmark",
    "profiler",
    "flamegraph",
    "allocation",
    "garbage",
    "reference",
    "pointer",
    "lifetime",
    "ownership",
    "trait",
    "interface",
    "adapter",
    "factory",
    "observer",
    "singleton",
    "strategy",
    "visitor",
    "decorator",
    "facade",
    "bridge",
    "composite",
    "flyweight",
    "mediator",
    "memento",
    "prototype",
    "state",
    "command",
    "chain",
    "interpreter",
];
