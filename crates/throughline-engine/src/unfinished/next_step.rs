//! What an answer says is still to be done: the list below such a heading, or the line that begins so.

const HEADINGS: [&str; 9] = [
    "next steps",
    "next step",
    "next",
    "remaining",
    "remaining work",
    "todo",
    "still to do",
    "left to do",
    "not done yet",
];
const STEPS: usize = 3;

pub(crate) fn stated(text: &str) -> Vec<String> {
    let mut steps = vec![];
    let mut is_below = false;
    for line in text.lines().map(str::trim) {
        if steps.len() == STEPS {
            break;
        }
        if let Some(rest) = after_heading(line) {
            is_below = true;
            steps.extend((!rest.is_empty()).then(|| rest.to_owned()));
        } else if let Some(step) = bullet(line).filter(|_| is_below) {
            steps.extend((!step.starts_with("[x]")).then(|| step.to_owned()));
        } else if !line.is_empty() {
            is_below = false;
        }
    }
    steps
}

/// What stands on the same line after it.
fn after_heading(line: &str) -> Option<&str> {
    let plain = line.trim_start_matches(['#', '*', '_', ' ']);
    let (heading, rest) = plain.split_once(':').unwrap_or((plain, ""));
    let heading = heading.trim_matches(['*', '_', ' ']).to_lowercase();
    let is_one = HEADINGS.contains(&heading.as_str());
    // "Next" alone may be the beginning of anything.
    let is_marked = line.starts_with(['#', '*']) || plain.contains(':');
    (is_one && is_marked).then(|| rest.trim_matches(['*', '_', ' ']))
}

fn bullet(line: &str) -> Option<&str> {
    let marked = ["- [ ] ", "- ", "* ", "• "].iter().find_map(|mark| line.strip_prefix(mark));
    let numbered = || {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < line.len())
            .then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")))
            .flatten()
    };
    marked.or_else(numbered).map(str::trim).filter(|step| !step.is_empty())
}
