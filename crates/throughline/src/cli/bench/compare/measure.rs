//! One server from its start to its end: what it costs and what it finds.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use serde_json::{Value as Json, json};
use throughline_engine::tokens;

use super::super::cost::clock;
use super::super::report::Spread;
use super::facts::{Corpus, Question, Wording};
use super::profile::{Call, Profile, filled_json};
use super::stdio::{Answer, Server};
use super::tree::{self, Load};

#[derive(Debug, Serialize)]
pub(super) struct Measured {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
    tools: usize,
    /// Of the list that stands before a model in every session.
    tools_tokens: usize,
    /// Until the list of tools is there.
    start_ms: f64,
    start_cpu_ms: f64,
    store_ms: Spread,
    store_cpu_ms: f64,
    /// Texts that the server would not take.
    refused: usize,
    search_ms: Spread,
    search_cpu_ms: f64,
    answer_tokens_p50: usize,
    answer_bytes_p50: usize,
    recall_5: Recall,
    recall_10: Recall,
    /// Of the questions about what was replaced: answers with the old value in them.
    outdated: f64,
    processes: usize,
    resident_mb: f64,
    disk_mb: f64,
}

/// Shares of questions, in percent, whose one fact is among the first so many.
#[derive(Debug, Serialize)]
struct Recall {
    keywords: f64,
    same_words: f64,
    other_words: f64,
}

type Line = (&'static str, fn(&Measured) -> String);

/// What the table shows of each server, line by line.
pub(super) const LINES: &[Line] = &[
    ("start, ms", |one| format!("{:.0}", one.start_ms)),
    ("start, CPU ms", |one| format!("{:.0}", one.start_cpu_ms)),
    ("store p50 / p95, ms", |one| format!("{:.1} / {:.1}", one.store_ms.p50, one.store_ms.p95)),
    ("store, CPU ms", |one| format!("{:.1}", one.store_cpu_ms)),
    ("refused", |one| one.refused.to_string()),
    ("search p50 / p95, ms", |one| format!("{:.1} / {:.1}", one.search_ms.p50, one.search_ms.p95)),
    ("search, CPU ms", |one| format!("{:.1}", one.search_cpu_ms)),
    ("in the first 5 / 10, keywords, %", |one| pair(one.recall_5.keywords, one.recall_10.keywords)),
    ("in the first 5 / 10, same words, %", |one| pair(one.recall_5.same_words, one.recall_10.same_words)),
    ("in the first 5 / 10, other words, %", |one| pair(one.recall_5.other_words, one.recall_10.other_words)),
    ("outdated values shown, %", |one| format!("{:.0}", one.outdated)),
    ("answer p50, tokens", |one| one.answer_tokens_p50.to_string()),
    ("answer p50, bytes", |one| one.answer_bytes_p50.to_string()),
    ("tools", |one| one.tools.to_string()),
    ("list of tools, tokens", |one| one.tools_tokens.to_string()),
    ("processes", |one| one.processes.to_string()),
    ("resident, MB", |one| format!("{:.0}", one.resident_mb)),
    ("on disk, MB", |one| format!("{:.1}", one.disk_mb)),
];

const LIMIT: usize = 10;
/// The tree of processes is looked at after so many calls.
const LOOK_EVERY: usize = 25;

/// `places` are the names that a profile may use for paths.
pub(super) fn measure(profile: &Profile, places: &[(&str, String)], corpus: &Corpus) -> Result<Measured> {
    let folder = tempfile::tempdir()
        .context("cannot create a folder for the server; set TMPDIR to one that you may write to")?;
    let data = folder.path().display().to_string();
    let mut named = vec![("data", data.as_str())];
    named.extend(places.iter().map(|(name, path)| (*name, path.as_str())));
    let began = clock();
    let mut run = Run { server: Server::start(profile, &named, folder.path())?, most: Load::default() };
    let tools = run.server.greet()?;
    let start = began.elapsed();
    let started = run.look();
    if let Some(prepare) = &profile.prepare {
        run.call(prepare, &[])?;
    }
    let (stores, refused) = run.store(profile, corpus)?;
    let stored = run.look();
    let answers = run.search(profile, corpus)?;
    let searched = run.look();
    let found = |question: &Question, first: usize| {
        let fact = &corpus.facts[question.fact];
        answers[question.number].hits.iter().take(first).any(|hit| says(hit, &fact.now.core))
    };
    let recall = |first: usize| Recall {
        keywords: share(corpus, |one| one.wording == Wording::Keywords, |one| found(one, first)),
        same_words: share(corpus, |one| one.wording == Wording::Same, |one| found(one, first)),
        other_words: share(corpus, |one| one.wording == Wording::Other, |one| found(one, first)),
    };
    let old = |question: &Question| corpus.facts[question.fact].before.as_ref();
    let is_outdated = |one: &Question| {
        old(one).is_some_and(|claim| answers[one.number].hits.iter().any(|hit| says(hit, &claim.core)))
    };
    let each = |from: Load, to: Load, count: usize| ms(to.cpu.saturating_sub(from.cpu)) / count.max(1) as f64;
    Ok(Measured {
        name: profile.name.clone(),
        note: profile.note.clone(),
        tools: tools.len(),
        tools_tokens: usize::try_from(tokens::count(&json!(tools).to_string()))?,
        start_ms: ms(start),
        start_cpu_ms: ms(started.cpu),
        store_cpu_ms: each(started, stored, stores.len()),
        store_ms: Spread::of(stores),
        refused,
        search_cpu_ms: each(stored, searched, answers.len()),
        search_ms: Spread::of(answers.iter().map(|answer| answer.took)),
        answer_tokens_p50: median(answers.iter().map(|answer| answer.tokens).collect()),
        answer_bytes_p50: median(answers.iter().map(|answer| answer.bytes).collect()),
        recall_5: recall(5),
        recall_10: recall(LIMIT),
        outdated: share(corpus, |one| old(one).is_some(), is_outdated),
        processes: run.most.processes,
        resident_mb: run.most.megabytes,
        disk_mb: bytes_below(folder.path()) as f64 / 1e6,
    })
}

struct Run {
    server: Server,
    most: Load,
}

/// What a search came to.
struct Found {
    took: Duration,
    hits: Vec<String>,
    tokens: usize,
    bytes: usize,
}

impl Run {
    fn look(&mut self) -> Load {
        let load = tree::load(self.server.process());
        self.most.processes = self.most.processes.max(load.processes);
        self.most.megabytes = self.most.megabytes.max(load.megabytes);
        load
    }

    fn call(&mut self, call: &Call, values: &[(&str, &str)]) -> Result<Answer> {
        self.server.call(&call.tool, &filled_json(&call.arguments, values))
    }

    /// What was true before is said first, and what is true now after everything else.
    fn store(&mut self, profile: &Profile, corpus: &Corpus) -> Result<(Vec<Duration>, usize)> {
        let first = corpus.facts.iter().map(|fact| (&fact.title, fact.before.as_ref().unwrap_or(&fact.now)));
        let again = corpus.replaced().map(|fact| (&fact.title, &fact.now));
        let replace = profile.replace.as_ref().unwrap_or(&profile.store);
        let (mut times, mut refused) = (vec![], 0);
        for (number, (title, claim)) in first.chain(again).enumerate() {
            let number_text = number.to_string();
            let key = title.replace(' ', "-");
            let values =
                [("text", claim.text.as_str()), ("title", title), ("key", &key), ("number", &number_text)];
            let began = clock();
            let call = if number < corpus.facts.len() { &profile.store } else { replace };
            let answer = self.call(call, &values)?;
            times.push(began.elapsed());
            let says_no = profile.refusal.as_ref().is_some_and(|words| answer.text.starts_with(words));
            let is_refused = answer.is_error || says_no;
            if is_refused && number == 0 {
                bail!("the first text was refused: {}", answer.text);
            }
            refused += usize::from(is_refused);
            if number % LOOK_EVERY == 0 {
                self.look();
            }
        }
        Ok((times, refused))
    }

    fn search(&mut self, profile: &Profile, corpus: &Corpus) -> Result<Vec<Found>> {
        let (search, limit) = (&profile.search, LIMIT.to_string());
        let mut found = vec![];
        for (number, question) in corpus.questions.iter().enumerate() {
            let values = [("query", question.text.as_str()), ("limit", &limit)];
            let arguments = filled_json(&search.arguments, &values);
            let began = clock();
            let answer = self.server.call(&search.tool, &arguments)?;
            let took = began.elapsed();
            if answer.is_error && number == 0 {
                bail!("the first search failed: {}", answer.text);
            }
            let (tokens, bytes) = (usize::try_from(tokens::count(&answer.text))?, answer.text.len());
            let hits = hits(profile, &answer);
            found.push(Found { took, hits, tokens, bytes });
            if number % LOOK_EVERY == 0 {
                self.look();
            }
        }
        Ok(found)
    }
}

/// The hits one by one, as texts; the whole answer is one where nobody said how it is cut.
fn hits(profile: &Profile, answer: &Answer) -> Vec<String> {
    if let Some(pointer) = &profile.search.hits {
        let written = serde_json::from_str::<Json>(&answer.text).unwrap_or_default();
        let found =
            [&answer.structured, &written].into_iter().find_map(|json| json.pointer(pointer)?.as_array());
        return found.into_iter().flatten().map(plain).collect();
    }
    match &profile.search.each_begins {
        Some(mark) => answer.text.split(mark.as_str()).skip(1).map(str::to_owned).collect(),
        None => vec![answer.text.clone()],
    }
}

/// Every text of a hit, as it was written.
fn plain(hit: &Json) -> String {
    match hit {
        Json::String(text) => text.clone(),
        Json::Array(entries) => entries.iter().map(plain).collect::<Vec<_>>().join("\n"),
        Json::Object(fields) => fields.values().map(plain).collect::<Vec<_>>().join("\n"),
        Json::Null | Json::Bool(_) | Json::Number(_) => hit.to_string(),
    }
}

/// Search answers mark words, and cut and fold text.
fn says(hit: &str, words: &str) -> bool {
    let folded = |text: &str| {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    folded(hit).contains(&folded(words))
}

fn share(corpus: &Corpus, of: impl Fn(&Question) -> bool, is: impl Fn(&Question) -> bool) -> f64 {
    let asked: Vec<&Question> = corpus.questions.iter().filter(|one| of(one)).collect();
    let yes = asked.iter().filter(|one| is(one)).count();
    (yes as f64 * 1000.0 / asked.len().max(1) as f64).round() / 10.0
}

fn median(mut values: Vec<usize>) -> usize {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}

fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e4).round() / 10.0
}

fn pair(one: f64, other: f64) -> String {
    format!("{one:.0} / {other:.0}")
}

fn bytes_below(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => bytes_below(&entry.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}
