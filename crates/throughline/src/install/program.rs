//! How a client starts this program: its absolute path, as an argument vector or quoted for the shell that the client
//! hands its commands to. Also how such a command is known again.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::Value as Json;

use super::places::System;

/// The name of every entry of ours.
pub(super) const NAME: &str = "throughline";

#[derive(Debug, Clone)]
pub(super) struct Program {
    path: String,
    system: System,
}

impl Program {
    pub(super) fn this(system: System) -> Result<Program> {
        let path = std::env::current_exe()
            .context("cannot tell where this program lies; start it by its full path")?;
        if !path.is_file() {
            bail!("{} is not there any more; start the program from where it is now", path.display());
        }
        let path = path.to_str().with_context(|| {
            format!("settings files are text and cannot hold the path {}; move the program", path.display())
        })?;
        Ok(Program { path: plain(path, system), system })
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// A command for whichever shell this system has.
    pub(super) fn shell(&self, args: &[&str]) -> String {
        match self.system {
            System::Linux | System::Mac => self.posix(args),
            System::Windows => self.cmd(args),
        }
    }

    pub(super) fn posix(&self, args: &[&str]) -> String {
        self.line(args, &quoted_for_posix(&self.path))
    }

    /// A file name holds no quotation mark on Windows, so quoting needs no escapes.
    pub(super) fn cmd(&self, args: &[&str]) -> String {
        let is_plain = self.path.chars().all(|c| c.is_ascii_alphanumeric() || ":\\/._-".contains(c));
        let path = if is_plain { self.path.clone() } else { format!("\"{}\"", self.path) };
        self.line(args, &path)
    }

    pub(super) fn powershell(&self, args: &[&str]) -> String {
        self.line(args, &format!("& '{}'", self.path.replace('\'', "''")))
    }

    /// What runs as an executable file where hooks are files.
    pub(super) fn script(&self, args: &[&str]) -> String {
        match self.system {
            System::Linux | System::Mac => format!("#!/bin/sh\nexec {}\n", self.posix(args)),
            System::Windows => format!("{}\r\n", self.powershell(args)),
        }
    }

    pub(super) fn system(&self) -> System {
        self.system
    }

    /// Our arguments are plain words.
    fn line(&self, args: &[&str], path: &str) -> String {
        std::iter::once(path).chain(args.iter().copied()).collect::<Vec<_>>().join(" ")
    }
}

/// Windows hands out paths that only its own interfaces understand (`\\?\C:\…`).
fn plain(path: &str, system: System) -> String {
    match path.strip_prefix(r"\\?\") {
        Some(rest) if system == System::Windows && !rest.starts_with("UNC") => rest.to_owned(),
        _ => path.to_owned(),
    }
}

fn quoted_for_posix(path: &str) -> String {
    let is_plain = path.chars().all(|c| c.is_alphanumeric() || "/._-+@:,".contains(c));
    if is_plain { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// The program that an entry starts, when it is ours: `verb` is what we are told to do (`hook`, `mcp`).
pub(super) fn started_by(entry: &Json, verb: &str) -> Option<String> {
    match entry {
        Json::Object(members) => {
            let lines = ["command", "cmd", "bash", "powershell", "windows", "commandWindows"];
            lines.iter().find_map(|name| {
                let args = members.get("args").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
                match members.get(*name)? {
                    Json::String(line) if args.first().and_then(Json::as_str) == Some(verb) => {
                        is_this(line).then(|| line.clone())
                    }
                    Json::String(line) => in_line(line, verb),
                    Json::Array(words) => in_words(words, verb),
                    _ => None,
                }
            })
        }
        _ => None,
    }
}

fn in_words(words: &[Json], verb: &str) -> Option<String> {
    match words {
        [Json::String(path), Json::String(first), ..] if first == verb && is_this(path) => Some(path.clone()),
        _ => None,
    }
}

/// The program of a shell command, as `shell` and its kin write it.
pub(super) fn in_line(line: &str, verb: &str) -> Option<String> {
    let line = line.trim_start().trim_start_matches("& ").trim_start_matches("exec ");
    let (path, rest) = first_word(line)?;
    let is_verb = rest.split_whitespace().next() == Some(verb);
    (is_verb && is_this(&path)).then_some(path)
}

fn first_word(line: &str) -> Option<(String, &str)> {
    if let Some(rest) = line.strip_prefix('"') {
        let (path, rest) = rest.split_once('"')?;
        return Some((path.to_owned(), rest));
    }
    if line.starts_with('\'') {
        let mut path = String::new();
        let mut rest = line;
        // Each quoted part, and between parts an escaped quote: 'it'\''s' or 'it''s'.
        while let Some((part, after)) = rest.strip_prefix('\'').and_then(|rest| rest.split_once('\'')) {
            path.push_str(part);
            rest = after.strip_prefix(r"\'").unwrap_or(after);
            if rest.starts_with('\'') {
                path.push('\'');
            }
        }
        return Some((path, rest));
    }
    let (path, rest) = line.split_once(char::is_whitespace)?;
    Some((path.to_owned(), rest))
}

fn is_this(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    name == NAME || Path::new(path) == std::env::current_exe().unwrap_or_default()
}

#[cfg(test)]
mod tests;
