//! What of a message its speaker said himself: not what was put before the model, not code, logs, diffs, quotes or
//! documents that were pasted. When in doubt it is pasted.

use crate::capture::mark;
use crate::words::is_in;

use super::{Reason, handed, passage, wording};

/// The lines that are a speaker's own, with their number in the message.
#[derive(Debug, Default)]
pub(super) struct OwnWords {
    pub(super) lines: Vec<(usize, String)>,
    pub(super) left_out: Vec<(Reason, usize)>,
}

/// Messages of more lines were not typed: their ends are looked at, where people say what they want.
const MAX_LINES: usize = 120;
const END_LINES: usize = 20;

/// What clients put into the place of a user's message.
const BY_CLIENTS: [&str; 6] = [
    "Caveat: The messages below were generated",
    "This session is being continued from a previous",
    "[Request interrupted",
    "Your task is to create a detailed summary",
    "<environment_context>",
    "<user_instructions>",
];

/// Nouns for what people paste.
const DOCUMENTS: [&str; 49] = [
    "notes",
    "minutes",
    "call",
    "criteria",
    "protocol",
    "readme",
    "file",
    "log",
    "logs",
    "output",
    "error",
    "mail",
    "email",
    "e-mail",
    "message",
    "comment",
    "comments",
    "thread",
    "ticket",
    "issue",
    "story",
    "guide",
    "doc",
    "docs",
    "documentation",
    "document",
    "page",
    "article",
    "prompt",
    "snippet",
    "code",
    "config",
    "diff",
    "patch",
    "trace",
    "stacktrace",
    "traceback",
    "transcript",
    "spec",
    "requirements",
    "response",
    "text",
    "review",
    "excerpt",
    "changelog",
    "wiki",
    "post",
    "contract",
    "chat",
];

const ANNOUNCEMENTS: [&str; 14] = [
    "my ",
    "from ",
    "here is",
    "here's",
    "heres",
    "this is",
    "attached",
    "the ",
    "below",
    "see ",
    "following",
    "i got",
    "contains",
    "from the",
];

/// A line that ends with one of these goes on in what is quoted below it.
const LEADS: [&str; 10] =
    ["states", "says", "said", "reads", "shows", "prints", "gives", "returns", "like", "with"];

pub(in crate::remember) fn own_lines(text: &str) -> Vec<String> {
    of(text).lines.into_iter().map(|(_, line)| line).collect()
}

pub(super) fn of(text: &str) -> OwnWords {
    let mut own = OwnWords::default();
    let text = mark::strip(text);
    if BY_CLIENTS.iter().any(|beginning| text.trim_start().starts_with(beginning)) {
        own.leave_out(Reason::Injected);
        return own;
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut reader =
        Reader { within: Within::Own, is_after_log: false, own, is_document: is_document(&lines) };
    let last = last_paragraph(&lines);
    let handed = handed::lines(&lines);
    for (at, line) in lines.iter().enumerate() {
        let is_far_in = lines.len() > MAX_LINES && at >= END_LINES && at + END_LINES < lines.len();
        if is_far_in || handed[at] && !line.trim().is_empty() {
            reader.own.leave_out(Reason::Quoted);
            continue;
        }
        if at == last && reader.within.ends_before_last_paragraph() {
            reader.within = Within::Own;
            reader.is_document = false;
        }
        reader.read(at + 1, line);
    }
    reader.own
}

impl OwnWords {
    fn leave_out(&mut self, reason: Reason) {
        match self.left_out.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => self.left_out.push((reason, 1)),
        }
    }
}

/// What kind of text the reader is in.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Within {
    Own,
    Fence,
    /// Up to this closing tag.
    Tag(String),
    /// Up to an empty line: a diff, the output of a command.
    Block,
    /// Up to the last paragraph: a letter, a document that was announced.
    Paste,
}

impl Within {
    fn ends_before_last_paragraph(&self) -> bool {
        matches!(self, Within::Own | Within::Block | Within::Paste)
    }
}

struct Reader {
    within: Within,
    /// The line before was a message of a program, which may go on.
    is_after_log: bool,
    own: OwnWords,
    is_document: bool,
}

impl Reader {
    fn read(&mut self, number: usize, line: &str) {
        let trimmed = line.trim();
        let is_own = match self.within.clone() {
            Within::Fence => {
                if is_fence(trimmed) {
                    self.within = Within::Own;
                }
                false
            }
            Within::Tag(close) => {
                if trimmed.contains(&close) {
                    self.within = Within::Own;
                }
                false
            }
            Within::Block if trimmed.is_empty() => {
                self.within = Within::Own;
                false
            }
            Within::Block | Within::Paste => false,
            Within::Own => self.begins(number, line, trimmed),
        };
        if is_own && !self.is_document {
            let (own, quoted) = passage::without(trimmed);
            let (own, handed) = handed::without(&own);
            let (own, quoted) = (wording::with_contrasts(&own), quoted + handed);
            self.own.lines.extend((!own.is_empty()).then_some((number, own)));
            (0..quoted).for_each(|_| self.own.leave_out(Reason::Quoted));
        } else if !trimmed.is_empty() {
            let is_tag = matches!(self.within, Within::Tag(_)) || trimmed.starts_with('<');
            self.own.leave_out(if is_tag { Reason::Injected } else { Reason::Quoted });
        }
    }

    /// Whether the line is the speaker's own; notes what begins with it otherwise.
    fn begins(&mut self, number: usize, line: &str, trimmed: &str) -> bool {
        if is_fence(trimmed) {
            self.within = Within::Fence;
            self.leave_out_introduction(number);
        } else if let Some(close) = opens_tag(trimmed) {
            if !trimmed.contains(&close) {
                self.within = Within::Tag(close);
            }
        } else if begins_block(trimmed) {
            self.within = Within::Block;
        } else if begins_paste(trimmed) {
            self.within = Within::Paste;
        } else {
            self.is_after_log = is_log(trimmed) || self.is_after_log && goes_on_in_log(trimmed);
            return !trimmed.is_empty() && !self.is_after_log && !is_foreign(line, trimmed);
        }
        false
    }

    /// "the manual states" before what is quoted says nothing without that.
    fn leave_out_introduction(&mut self, fence: usize) {
        let Some((number, line)) = self.own.lines.last_mut() else { return };
        let last = wording::sentences(line).pop().and_then(|last| line.rfind(last)).unwrap_or_default();
        let end =
            line.trim_end_matches(':').rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
        if *number + 1 == fence && (line.ends_with(':') || LEADS.contains(&end.as_str())) {
            line.truncate(last);
            if line.is_empty() {
                self.own.lines.pop();
            }
            self.own.leave_out(Reason::Quoted);
        }
    }
}

fn is_fence(line: &str) -> bool {
    ["```", "~~~", "\"\"\"", "'''"].iter().any(|sign| line.starts_with(sign))
}

/// `<tag …>` at the beginning of a line has its closing tag.
fn opens_tag(line: &str) -> Option<String> {
    let name = line.strip_prefix('<')?;
    let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_'))?];
    (!name.is_empty() && name.starts_with(|c: char| c.is_ascii_alphabetic())).then(|| format!("</{name}>"))
}

fn begins_block(line: &str) -> bool {
    let shell = line.starts_with("$ ") || line.starts_with("% ") || line.starts_with("PS ");
    let output =
        ["diff --git", "Traceback (most recent", "-----BEGIN", "--- a/", "@@ ", "thread '", "goroutine "];
    let commit = line
        .strip_prefix("commit ")
        .is_some_and(|id| id.len() >= 7 && id.bytes().all(|byte| byte.is_ascii_hexdigit()));
    shell || commit || output.iter().any(|begin| line.starts_with(begin))
}

/// A letter's head, or a line that announces a document.
fn begins_paste(line: &str) -> bool {
    let lower = line.to_lowercase();
    let is_head = ["subject:", "from:", "betreff:", "von:", "objet :", "asunto:"]
        .iter()
        .any(|head| lower.starts_with(head));
    let is_reply = lower.starts_with("on ") && lower.ends_with("wrote:");
    let names_document =
        lower.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| DOCUMENTS.contains(&word));
    let announces = lower.ends_with(':')
        && names_document
        && (ANNOUNCEMENTS.iter().any(|begin| lower.starts_with(begin)) || lower.contains(" contains"));
    is_head || is_reply || announces
}

/// A line by itself that nobody types: quotes, tables, diffs, logs, stack traces, data, code.
fn is_foreign(line: &str, trimmed: &str) -> bool {
    let indented = line.starts_with("    ") || line.starts_with('\t');
    let quoted = trimmed.starts_with('>') || trimmed.starts_with('|');
    let data = trimmed.starts_with(['{', '}', '[', ']']) && !trimmed.starts_with("[ ]");
    let fields = trimmed.matches('|').count() > 2 && !trimmed.contains(" | ") && !trimmed.contains('`');
    indented
        || quoted
        || data
        || fields
        || is_changed(line)
        || is_field_of_ticket(trimmed)
        || is_code(trimmed)
}

/// A line of a diff. "+1 for pnpm", "--no-verify is …" and "-k is …" are words.
fn is_changed(line: &str) -> bool {
    let Some(rest) = line.strip_prefix(['+', '-']) else { return false };
    let is_flag = rest.starts_with('-') || rest.chars().nth(1).is_some_and(char::is_whitespace);
    !is_flag && rest.starts_with(|c: char| !c.is_whitespace() && !c.is_ascii_digit())
}

const ERRORS: [&str; 16] = [
    "npm ERR!",
    "npm WARN",
    "error:",
    "error[",
    "warning:",
    "fatal:",
    "panic:",
    "FATAL",
    "WARN",
    "ERROR",
    "INFO ",
    "DEBUG ",
    "TRACE ",
    "NOTICE ",
    "CRITICAL ",
    "** (",
];

fn is_log(line: &str) -> bool {
    let digits = line.bytes().take(10).filter(u8::is_ascii_digit).count();
    let dated = digits >= 6 && line.starts_with(|c: char| c.is_ascii_digit());
    let raised = line.split_once(": ").is_some_and(|(name, _)| {
        !name.contains(' ') && (name.ends_with("Error") || name.ends_with("Exception"))
    });
    // "# azurerm_eventhub.main must be replaced"
    let planned = line.strip_prefix("# ").is_some_and(|rest| {
        let name = rest.split(' ').next().unwrap_or_default();
        name.contains('.') && name.contains('_') && !name.contains('`')
    });
    let frame = line.starts_with("at ") && line.contains(':') && line.contains('(');
    dated || raised || planned || frame || ERRORS.iter().any(|begin| line.starts_with(begin))
}

/// "note: you should always run cargo update first", behind an error.
fn goes_on_in_log(line: &str) -> bool {
    ["note:", "help:", "hint:", "= note", "= help", "caused by:"]
        .iter()
        .any(|begin| line.to_lowercase().starts_with(begin))
}

/// What forms of bug trackers have.
fn is_field_of_ticket(line: &str) -> bool {
    const FIELDS: &str = "title description steps steps to reproduce expected expected result expected behaviour actual actual result \
        severity priority reporter assignee acceptance criteria affected version";
    let field = line.split_once(':').map(|(field, _)| field.to_lowercase());
    field.is_some_and(|field| field.split(' ').all(|word| is_in(FIELDS, word)))
}

fn is_code(line: &str) -> bool {
    let ends = line.ends_with(['{', '}', ';']) && !line.contains(". ");
    let comment = line.starts_with("//") || line.starts_with("/*") || line.starts_with("#!");
    let statement = ["import ", "const ", "let ", "fn ", "def ", "class ", "public ", "return "]
        .iter()
        .any(|begin| line.starts_with(begin));
    comment
        || (ends && line.contains(['(', '=', '{', '}']))
        || (statement && line.contains(['=', '(', '{', ':', ';']))
}

/// Headings and lists together are a document, whoever wrote it.
fn is_document(lines: &[&str]) -> bool {
    let heading = |line: &&&str| {
        let line = line.trim();
        (line.starts_with('#') && line.trim_start_matches('#').starts_with(' '))
            || (line.len() > 3 && line.chars().all(|c| c == '='))
    };
    lines.len() >= 4 && lines.iter().any(|line| heading(&line))
}

/// Where the last paragraph begins, if there is more than one.
fn last_paragraph(lines: &[&str]) -> usize {
    let text_end = lines.iter().rposition(|line| !line.trim().is_empty()).unwrap_or(0);
    lines[..text_end].iter().rposition(|line| line.trim().is_empty()).map_or(usize::MAX, |blank| blank + 1)
}
