//! Where a project stands, in a few lines for people and for prompts: what is needed first comes first.

use std::fmt::Write as _;

use super::repository::Repository;
use super::{Orient, Section, Statement};
use crate::wire::item::Stub;

pub(crate) fn text(orient: &Orient) -> String {
    let mut text = heading(orient);
    if let Some(focus) = &orient.focus {
        let _ = writeln!(text, "\nFocus\n  {} [{}] {}", focus.id, focus.status, focus.title);
    }
    work(&mut text, orient);
    section(&mut text, "Rules and preferences", &orient.rules, statement);
    if let Some(repository) = &orient.repository {
        told(&mut text, repository);
    }
    section(&mut text, "Open", &orient.open, stub);
    section(&mut text, "Decisions", &orient.decisions, statement);
    text
}

/// The name, where HEAD is, in what it is written, what it is for.
fn heading(orient: &Orient) -> String {
    let mut text = orient.project.clone();
    let Some(repository) = &orient.repository else { return text + "\n" };
    if let Some(branch) = &repository.branch {
        let _ = write!(text, " (branch {branch})");
    }
    if !repository.languages.is_empty() {
        let _ = write!(text, ", {}", repository.languages.join(", "));
    }
    text.push('\n');
    if let Some(purpose) = &repository.purpose {
        let _ = writeln!(text, "{purpose}");
    }
    text
}

/// What the project's own records say is going on.
fn work(text: &mut String, orient: &Orient) {
    section(text, "In progress", &orient.in_progress, stub);
    section(text, "Blocked", &orient.blocked, |blocker| {
        format!("{} {}: {}", blocker.id, blocker.title, blocker.reason.join("; "))
    });
    section(text, "Handoffs that wait", &orient.handoffs, |handoff| {
        let workflow = handoff.workflow.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
        format!("{} to {}{workflow} ({} ago): {}", handoff.from, handoff.to, handoff.age, handoff.about)
    });
    section(text, "Unfinished", &orient.unfinished, |unfinished| {
        format!("{}: {} ({} ago)", unfinished.why, unfinished.text, unfinished.age)
    });
    if let Some(session) = &orient.last_session {
        let _ = writeln!(text, "\nLast session\n  {} {} ({})", session.id, session.client, session.chatmode);
        session.did.iter().for_each(|line| {
            let _ = writeln!(text, "  {line}");
        });
    }
    section(text, "Completed last", &orient.completed, |completed| {
        let verdict = match completed.success {
            Some(true) => " (valid)",
            Some(false) => " (not valid)",
            None => "",
        };
        format!("{} {}{verdict}", completed.id, completed.intent)
    });
}

/// What the folder says of itself.
fn told(text: &mut String, repository: &Repository) {
    section(text, "Build and test", &repository.commands, |command| {
        format!("{}: {} ({})", command.does, command.run, command.source)
    });
    section(text, "Entry points", &repository.entry_points, |entry| {
        format!("{}: {}", entry.path, entry.what)
    });
    section(text, "The project tells agents", &repository.rules, |rule| {
        format!("{} ({})", rule.text, rule.source)
    });
    if !repository.commits.is_empty() {
        text.push_str("\nLast commits\n");
        for commit in &repository.commits {
            let _ = writeln!(text, "  {} {} ago: {}", commit.id, commit.age, commit.subject);
        }
    }
    let hot = &repository.hot_files;
    if !hot.shown.is_empty() {
        let _ = writeln!(
            text,
            "\nChanged most in the last {} commits{}",
            hot.commits,
            of(hot.shown.len(), hot.total)
        );
        for file in &hot.shown {
            let _ = writeln!(text, "  {} ({} times)", file.path, file.changed);
        }
    }
}

fn statement(statement: &Statement) -> String {
    let sure = (statement.confidence * 100.0).round();
    format!("{} ({}, {sure} % sure, {} old)", statement.text, statement.source, statement.age)
}

fn stub(stub: &Stub) -> String {
    format!("{} {}", stub.id, stub.title)
}

fn section<T>(text: &mut String, heading: &str, section: &Section<T>, line: impl Fn(&T) -> String) {
    if section.total == 0 {
        return;
    }
    let _ = writeln!(text, "\n{heading}{}", of(section.shown.len(), section.total));
    for entry in &section.shown {
        let _ = writeln!(text, "  {}", line(entry));
    }
}

fn of(shown: usize, total: i64) -> String {
    if total > shown as i64 { format!(" ({shown} of {total})") } else { String::new() }
}
