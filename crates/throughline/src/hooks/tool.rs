//! What an agent did with a tool: which kind of event it is, what it was done to, and how it ended. What files say is
//! not kept, only how much it was, and marks by which its orders are known again; errors are, shortened.

use serde_json::{Map, Value as Json, json};
use throughline_engine::remember::{ORDERS, orders_in};
use throughline_engine::store::event::Kind;
use throughline_engine::unfinished::{TASKS, hides_failure};

use super::event::Seen;
use super::{commit, field, said, task};

/// A tool that was used, in the words of whichever client.
#[derive(Debug, Clone)]
pub(crate) struct Use<'a> {
    pub(crate) name: &'a str,
    pub(crate) input: &'a Json,
    pub(crate) id: Option<&'a str>,
    pub(crate) outcome: Outcome<'a>,
    pub(crate) duration_ms: Option<i64>,
}

#[derive(Debug, Clone)]
pub(crate) enum Outcome<'a> {
    /// With what the tool returned, where the client says so.
    Done(Option<&'a Json>),
    Failed(String),
}

const MAX_CONTENT_CHARS: usize = 4_000;
const MAX_FILES: usize = 50;

/// The names of tools in lower case without separators, one after the other.
const READS: &str = "read readfile readfiles readmanyfiles notebookread view viewfile viewimage ls list listdir \
    listdirectory listfiles";
const WRITES: &str = "write writefile writetofile edit editfile editfiles multiedit notebookedit replace replaceinfile \
    replacestringinfile inserteditintofile applypatch applydiff patch create createfile delete \
    deletefile strreplaceeditor searchreplace texteditor";
const SEARCHES: &str = "grep glob grepsearch filesearch searchfiles searchfilecontent codebasesearch semanticsearch \
    textsearch findfiles findtextinfiles find rg websearch googlewebsearch search codesearch \
    searchcodebase listcodedefinitionnames";

const PATHS: [&str; 8] =
    ["file_path", "filePath", "path", "absolute_path", "target_file", "notebook_path", "dir_path", "file"];
const COMMANDS: [&str; 4] = ["command", "command_line", "cmd", "script"];
const PATTERNS: [&str; 5] = ["pattern", "query", "regex", "search_query", "glob"];
/// What a call of any other tool is about, in one line.
const SUBJECTS: [&str; 9] =
    ["subject", "description", "title", "query", "url", "name", "taskId", "prompt", "message"];

impl Outcome<'_> {
    /// For clients that report failures in what a tool returned.
    pub(crate) fn of_response<'a>(tool: &str, response: Option<&'a Json>) -> Outcome<'a> {
        let Some(response) = response else { return Outcome::Done(None) };
        if let Some(error) = field::text(response, &["error"]) {
            return Outcome::Failed(error.to_owned());
        }
        let text = returned_text(response);
        let kind = field::text(response, &["resultType", "result_type"]).unwrap_or("success");
        let failed = !["success", "ok"].contains(&kind)
            || ["isError", "is_error", "interrupted"].iter().any(|name| field::is_true(response, name))
            || text.is_some_and(|text| text.starts_with("<tool_use_error>"))
            || exit_code(tool, response, text).is_some_and(|code| code != 0);
        if failed { Outcome::Failed(text.unwrap_or(kind).to_owned()) } else { Outcome::Done(Some(response)) }
    }
}

/// The kind of event that a use of the tool is.
pub(crate) fn kind(name: &str) -> Kind {
    if name.starts_with("mcp_") {
        return Kind::ToolCall;
    }
    let last = name.rsplit("__").next().unwrap_or(name);
    let plain: String = last.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let is_in = |names: &str| names.split(' ').any(|name| name == plain);
    match () {
        () if is_in(READS) => Kind::Read,
        () if is_in(WRITES) => Kind::Write,
        () if is_in(SEARCHES) => Kind::Search,
        () => Kind::ToolCall,
    }
}

/// Our own tools record what they do themselves.
pub(crate) fn is_ours(name: &str) -> bool {
    name.starts_with("throughline_") || (name.starts_with("mcp_") && name.contains("throughline"))
}

/// What a use of the tool is done to.
pub(crate) fn target(name: &str, input: &Json) -> Option<String> {
    targets(name, input).into_iter().next()
}

/// What is recorded of it: the use, its error, and a commit that it made.
pub(crate) fn seen(used: &Use<'_>) -> Vec<Seen> {
    if is_ours(used.name) {
        return vec![];
    }
    let used = &judged(used);
    let mut seen = uses(used);
    match &used.outcome {
        Outcome::Done(response) => seen.extend(commit::seen(used, *response)),
        Outcome::Failed(error) => seen.push(Seen {
            target: target(used.name, used.input),
            content: Some(said::error(error)),
            parts: Some(json!({ "tool": used.name, "ok": false })),
            id: used.id.map(str::to_owned),
            ..Seen::of(Kind::ToolResult)
        }),
    }
    seen
}

/// What a pipe or `|| true` hides, the output of a check may tell.
fn judged<'a>(used: &Use<'a>) -> Use<'a> {
    let Outcome::Done(Some(response)) = &used.outcome else { return used.clone() };
    let line = field::text(used.input, &COMMANDS).filter(|_| kind(used.name) == Kind::ToolCall);
    let text = returned_text(response).unwrap_or_default();
    match line.is_some_and(|line| hides_failure(line, text)) {
        true => Use { outcome: Outcome::Failed(text.to_owned()), ..used.clone() },
        false => used.clone(),
    }
}

fn uses(used: &Use<'_>) -> Vec<Seen> {
    let kind = kind(used.name);
    let targets = targets(used.name, used.input);
    let one = |(number, target): (usize, Option<&String>)| Seen {
        summary: Some(summary(kind, used, target)),
        target: target.cloned(),
        content: content(kind, used.input, target),
        parts: Some(parts(used)),
        id: used.id.map(|id| if number == 0 { id.to_owned() } else { format!("{id}/{number}") }),
        ..Seen::of(kind)
    };
    match &targets[..] {
        [] => vec![one((0, None))],
        targets => targets.iter().map(Some).enumerate().map(one).collect(),
    }
}

fn targets(name: &str, input: &Json) -> Vec<String> {
    let first = |names: &[&str]| field::text(input, names).map(said::line).into_iter().collect::<Vec<_>>();
    match kind(name) {
        Kind::Read | Kind::Write => {
            let listed = field::texts(input, "files").into_iter().chain(field::texts(input, "paths"));
            let listed = listed.map(said::line).take(MAX_FILES);
            let patch = field::text(input, &["command", "input", "patch", "patchText"]).unwrap_or_default();
            let named = first(&PATHS).into_iter().chain(listed);
            named.chain(patched_files(patch).map(said::line).take(MAX_FILES)).collect()
        }
        Kind::Search => first(&PATTERNS),
        _ if name.starts_with("mcp_") => vec![said::line(name)],
        _ => {
            let about = [first(&COMMANDS), first(&["url"])].concat();
            vec![about.into_iter().next().unwrap_or_else(|| said::line(name))]
        }
    }
}

/// The files that a patch in Codex's format changes.
fn patched_files(patch: &str) -> impl Iterator<Item = &str> {
    let headers = ["*** Add File: ", "*** Update File: ", "*** Delete File: "];
    patch.lines().filter_map(move |line| headers.iter().find_map(|header| line.strip_prefix(header)))
}

fn summary(kind: Kind, used: &Use<'_>, target: Option<&String>) -> String {
    let target = target.map_or("", String::as_str);
    let said = match kind {
        Kind::Read => format!("read {target}"),
        Kind::Write => format!("wrote {target}{}", changed(used.input)),
        Kind::Search => match field::text(used.input, &["path", "dir_path", "directory", "include"]) {
            Some(place) => format!("searched {target} in {place}"),
            None => format!("searched {target}"),
        },
        _ => match field::text(used.input, &SUBJECTS) {
            Some(subject) if subject != target => format!("{target}: {}", said::line(subject)),
            _ => target.to_owned(),
        },
    };
    match &used.outcome {
        Outcome::Failed(_) => format!("{said} (failed)"),
        Outcome::Done(response) if kind != Kind::Write => {
            format!("{said}{}", response.and_then(size).unwrap_or_default())
        }
        Outcome::Done(_) => said,
    }
}

/// What came back, also where it is a file.
fn returned<'a>(used: &Use<'a>) -> Option<&'a str> {
    let Outcome::Done(Some(response)) = used.outcome else { return None };
    text_of(response)
}

fn text_of(response: &Json) -> Option<&str> {
    let file = response.get("file").and_then(|file| field::text(file, &["content"]));
    returned_text(response).or(file)
}

/// How much came back, not what.
fn size(response: &Json) -> Option<String> {
    if let Some(files) = response.get("filenames").and_then(Json::as_array).filter(|files| !files.is_empty())
    {
        return Some(format!(" ({} files)", files.len()));
    }
    text_of(response).map(|text| format!(" ({} bytes)", text.len()))
}

/// How many lines were written, not which.
fn changed(input: &Json) -> String {
    let lines = |names: &[&str]| field::text(input, names).map(|text| text.lines().count());
    let replaced = lines(&["old_string", "oldString", "old_str"]);
    let written = lines(&["new_string", "newString", "new_str"]);
    match (replaced, written, lines(&["content", "file_text"])) {
        (Some(old), new, _) => format!(" (-{old} +{} lines)", new.unwrap_or(0)),
        (None, _, Some(all)) => format!(" ({all} lines)"),
        (None, Some(new), None) => format!(" (+{new} lines)"),
        (None, None, None) => String::new(),
    }
}

/// What a command or a task says beyond its first line.
fn content(kind: Kind, input: &Json, target: Option<&String>) -> Option<String> {
    let text = match kind {
        Kind::ToolCall => field::text(input, &COMMANDS).or_else(|| field::text(input, &["prompt"])),
        _ => None,
    };
    let more = text.map(str::trim).filter(|text| Some(*text) != target.map(String::as_str));
    more.and_then(said::message).map(|text| said::shortened(&text, MAX_CONTENT_CHARS))
}

fn parts(used: &Use<'_>) -> Json {
    let mut parts = Map::from_iter([("tool".to_owned(), Json::from(said::line(used.name)))]);
    match &used.outcome {
        Outcome::Failed(_) => parts.insert("ok".to_owned(), Json::from(false)),
        Outcome::Done(_) => parts.insert("ok".to_owned(), Json::from(true)),
    };
    if let Some(ms) = used.duration_ms {
        parts.insert("ms".to_owned(), Json::from(ms));
    }
    if let Some(tasks) = task::told(used) {
        parts.insert(TASKS.to_owned(), tasks);
    }
    let orders = returned(used).map(orders_in).unwrap_or_default();
    if !orders.is_empty() {
        parts.insert(ORDERS.to_owned(), Json::from(orders));
    }
    Json::Object(parts)
}

/// What the tool returned as text, wherever the client puts it.
pub(crate) fn returned_text(response: &Json) -> Option<&str> {
    const TEXTS: [&str; 8] = [
        "stdout",
        "output",
        "llmContent",
        "text_result_for_llm",
        "textResultForLlm",
        "content",
        "text",
        "result",
    ];
    if let Some(parts) = response.as_array() {
        return parts.first().and_then(|part| field::text(part, &["text"]));
    }
    response.as_str().or_else(|| field::text(response, &TEXTS)).or_else(|| {
        let parts = TEXTS.iter().find_map(|name| response.get(*name)?.as_array()?.first());
        parts.and_then(|part| field::text(part, &["text"]))
    })
}

fn exit_code(tool: &str, response: &Json, text: Option<&str>) -> Option<i64> {
    let told = [Some(response), response.get("metadata")].into_iter().flatten();
    let told = told.filter_map(|json| field::number(json, &["exit_code", "exitCode", "exit"])).next();
    told.or_else(|| match kind(tool) {
        // What is read or found may say anything.
        Kind::Read | Kind::Search => None,
        _ => printed_exit_code(text?),
    })
}

/// Codex (with a colon) and Claude Code say so in the first line of an answer, Gemini CLI in one of the last.
fn printed_exit_code(text: &str) -> Option<i64> {
    let mut lines = text.lines();
    let first = lines.next().and_then(|line| line.strip_prefix("Exit code"));
    let first = first.map(|code| code.trim_start_matches(':'));
    let last = || lines.rev().take(4).find_map(|line| line.strip_prefix("Exit Code: "));
    first.or_else(last)?.trim().parse().ok()
}
