//! What a file of instructions states: its bullets and short paragraphs, each with its line and its heading. Code, tables,
//! comments, tables of contents and headings alone state nothing.

use throughline_engine::capture::mark;
use throughline_engine::remember::is_reason;
use throughline_engine::store::memory::Kind;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stated {
    pub(crate) line: usize,
    pub(crate) heading: String,
    pub(crate) text: String,
}

/// Longer paragraphs explain; they are for reading where they stand.
const MAX_CHARS: usize = 800;
const MIN_WORDS: usize = 3;

const DECIDED: [&str; 5] = ["we decided", "was decided", "we chose", "decision:", "we settled on"];
const PREFERRED: [&str; 4] = ["prefer ", "prefers ", "preferred", "rather than"];
const RULED: [&str; 9] =
    ["must", "never", "always", "do not", "don't", "should", "only ", "make sure", "avoid"];
const BIDDEN: [&str; 14] = [
    "use", "run", "keep", "write", "add", "put", "follow", "check", "make", "ask", "read", "update",
    "ensure", "stop",
];

/// The statements of a text, in their order.
pub(crate) fn stated(text: &str) -> Vec<Stated> {
    let text = mark::strip(text);
    let mut reading = Reading::default();
    for (number, line) in text.lines().enumerate().skip(front_matter_lines(&text)) {
        reading.line(number + 1, line);
    }
    reading.end_block();
    reading.found
}

/// By what the words and the heading over them say.
pub(crate) fn kind(stated: &Stated) -> Kind {
    let (text, heading) = (stated.text.to_lowercase(), stated.heading.to_lowercase());
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let under = |words: &[&str]| words.iter().any(|word| heading.contains(word));
    let first = text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
    match () {
        () if says(&DECIDED) || under(&["decision"]) => Kind::Decision,
        () if says(&PREFERRED) || under(&["preference"]) => Kind::Preference,
        () if says(&RULED) || BIDDEN.contains(&first) || under(&["rule", "convention", "guideline"]) => {
            Kind::Rule
        }
        () => Kind::Fact,
    }
}

/// Statements that differ in spaces, capitals and the full stop alone say the same.
pub(crate) fn sameness(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ").trim_end_matches(['.', '!']).to_owned()
}

/// Files that the text takes in with `@path`, as Claude Code reads it.
pub(crate) fn includes(text: &str) -> Vec<String> {
    let mut reading = Reading::default();
    let prose = text.lines().filter(|line| !reading.is_fenced(line));
    let words = prose.flat_map(|line| {
        let outside = line.split('`').step_by(2);
        outside.flat_map(str::split_whitespace).collect::<Vec<_>>()
    });
    let path = |word: &str| {
        let path = word.strip_prefix('@')?.trim_end_matches([',', ';', ')', '.']);
        (path.contains(['.', '/'])).then(|| path.to_owned())
    };
    words.filter_map(path).collect()
}

#[derive(Debug, Default)]
struct Reading {
    found: Vec<Stated>,
    heading: String,
    fence: Option<&'static str>,
    in_comment: bool,
    /// The bullet or paragraph that is being read: its line, and its words so far.
    block: Option<(usize, String)>,
    /// Whether what stands above says something, which a reason belongs to.
    is_above_found: bool,
    /// What bullets that are further in belong to: how far in it is, and what it says.
    over: Vec<(usize, String)>,
}

impl Reading {
    fn line(&mut self, number: usize, line: &str) {
        let (indent, text) = (line.len() - line.trim_start().len(), line.trim());
        let continues = self.block.is_some() && bullet(text).is_none();
        if indent == 0 && !text.is_empty() && !continues && bullet(text).is_none() {
            self.over.clear();
        }
        if self.is_fenced(line) || self.is_comment(line) {
            return self.end_block();
        }
        if let Some(heading) = heading(text) {
            self.end_block();
            self.over.clear();
            self.heading = heading.to_owned();
            self.is_above_found = false;
        } else if text.is_empty() || text.starts_with('|') || is_rule(text) {
            self.end_block();
        } else if let Some(item) = bullet(text) {
            self.end_block();
            self.begin_item(number, indent, item);
        } else if let Some((_, block)) = &mut self.block {
            block.push(' ');
            block.push_str(text);
        } else if indent < 4 || !self.over.is_empty() {
            self.block = Some((number, text.to_owned()));
        }
    }

    /// A bullet under one that ends with a colon says what that one begins.
    fn begin_item(&mut self, number: usize, indent: usize, item: &str) {
        self.over.retain(|(other, _)| *other < indent);
        let over = self.over.last().map(|(_, text)| text.as_str()).filter(|text| text.ends_with(':'));
        let text = over.map_or_else(|| item.to_owned(), |over| format!("{over} {item}"));
        self.over.push((indent, text.clone()));
        self.block = Some((number, text));
    }

    fn end_block(&mut self) {
        let Some((line, text)) = self.block.take() else { return };
        if is_reason(&text) {
            return self.add_reason(&text);
        }
        self.is_above_found = states_something(&text);
        if self.is_above_found {
            self.found.push(Stated { line, heading: self.heading.clone(), text });
        }
    }

    /// Why what stands above holds, and when, is part of it.
    fn add_reason(&mut self, reason: &str) {
        let above = self.found.last_mut().filter(|_| self.is_above_found);
        if let Some(above) = above.filter(|above| above.text.len() + reason.len() <= MAX_CHARS) {
            above.text = format!("{}\n{reason}", above.text);
        }
    }

    fn is_fenced(&mut self, line: &str) -> bool {
        let line = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
        match (self.fence, mark) {
            (Some(open), Some(mark)) if open == mark => self.fence = None,
            (None, Some(mark)) => self.fence = Some(mark),
            (fence, _) => return fence.is_some(),
        }
        true
    }

    fn is_comment(&mut self, line: &str) -> bool {
        let begins = line.trim_start().starts_with("<!--");
        let was = self.in_comment || begins;
        self.in_comment = was && !line.contains("-->");
        was
    }
}

fn states_something(text: &str) -> bool {
    let is_word = |word: &&str| word.contains(char::is_alphabetic) && !word.starts_with('@');
    let words = text.split_whitespace().filter(is_word).count();
    let is_link = text.starts_with('[') && text.ends_with(')') && text.matches("](").count() == 1;
    words >= MIN_WORDS && text.chars().count() <= MAX_CHARS && !text.ends_with(':') && !is_link
}

fn heading(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('#');
    (rest.len() < text.len() && (rest.is_empty() || rest.starts_with(' '))).then(|| rest.trim())
}

fn bullet(text: &str) -> Option<&str> {
    let marked = ["- ", "* ", "+ "].iter().find_map(|mark| text.strip_prefix(mark));
    let item = marked.or_else(|| {
        let (number, item) = text.split_once(". ").or_else(|| text.split_once(") "))?;
        (number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(item)
    })?;
    let item = item.trim();
    Some(["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| item.strip_prefix(mark)).unwrap_or(item))
}

fn is_rule(text: &str) -> bool {
    text.len() >= 3 && ['-', '=', '*', '_'].iter().any(|mark| text.chars().all(|c| c == *mark))
}

fn front_matter_lines(text: &str) -> usize {
    let mut lines = text.lines();
    if lines.next().map(str::trim_end) != Some("---") {
        return 0;
    }
    lines.position(|line| line.trim_end() == "---").map_or(0, |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::{includes, kind, stated};

    fn check(text: &str, expected: &[&str]) {
        let line = |stated: &super::Stated| format!("{} {}: {}", stated.line, kind(stated), stated.text);
        assert_eq!(stated(text).iter().map(line).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn bullets_and_short_paragraphs_are_statements() {
        check(
            "# Shop\n\nPrices are kept\nin cents.\n\n- Use tabs in Go files\n- Never log card numbers,\n  not even shortened\n\
             - Tests:\n  - run with make check\n* [x] we chose PostgreSQL over MySQL\n",
            &[
                "3 fact: Prices are kept in cents.",
                "6 rule: Use tabs in Go files",
                "7 rule: Never log card numbers, not even shortened",
                "10 fact: Tests: run with make check",
                "11 decision: we chose PostgreSQL over MySQL",
            ],
        );
    }

    #[test]
    fn a_reason_belongs_to_what_stands_above_it() {
        check(
            "# Tests\n\nTests must hit a real database.\n\n**Why:** mocks hid a broken migration.\n\n**How to apply:** start it first.\n\n\
             - Carts live in Redis\n  - **Why:** they expire after a day\n\n## Rest\n\n**Why:** nobody knows any more.\n",
            &[
                "3 rule: Tests must hit a real database.\n**Why:** mocks hid a broken migration.\n**How to apply:** start it first.",
                "9 fact: Carts live in Redis\n**Why:** they expire after a day",
            ],
        );
    }

    #[test]
    fn code_tables_contents_and_headings_state_nothing() {
        check(
            "---\nname: a b c d\n---\n# Use the shop\n\n- [How to use the shop](#use)\n- Short one\n\n```sh\n# never run this twice\n```\n\n\
             | never | use | this |\n|---|---|---|\n\n    never use indented code here\n\n<!-- never use\nthis comment -->\n---\nRun these commands:\n\n@docs/extra.md\n",
            &[],
        );
    }

    #[test]
    fn the_heading_counts_for_the_kind() {
        check(
            "## Decisions\n\n- Carts live in Redis\n## Rules\n- Carts live in Redis\n",
            &["3 decision: Carts live in Redis", "5 rule: Carts live in Redis"],
        );
    }

    #[test]
    fn includes_are_paths_outside_code() {
        let text = "See @docs/extra.md, not `@inline/code.md` or mail me@x.org.\n```\n@fenced/file.md\n```\n- @../up.md";
        assert_eq!(includes(text), ["docs/extra.md", "../up.md"]);
    }
}
