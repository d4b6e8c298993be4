//! `install` and `uninstall`: what they write into the settings of clients, and that nothing of it stays.

mod asked;
mod between;
mod clients;
mod coverage;
mod disk;
mod ledger;
mod refused;
mod round_trip;
mod said;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::fixture::Home;

/// A file of a client that others write to as well: whose, and below the home or the project.
pub(crate) struct Shared {
    pub(crate) client: &'static str,
    pub(crate) scope: &'static str,
    pub(crate) path: &'static str,
    pub(crate) format: &'static str,
}

const fn json(client: &'static str, scope: &'static str, path: &'static str) -> Shared {
    Shared { client, scope, path, format: "json" }
}

pub(crate) const SHARED: [Shared; 23] = [
    json("claude-code", "user", "user/.claude/settings.json"),
    json("claude-code", "user", "user/.claude.json"),
    json("claude-code", "project", "work/shop/.claude/settings.json"),
    json("claude-code", "project", "work/shop/.mcp.json"),
    json("codex", "user", "user/.codex/hooks.json"),
    Shared { client: "codex", scope: "user", path: "user/.codex/config.toml", format: "toml" },
    json("codex", "project", "work/shop/.codex/hooks.json"),
    Shared { client: "codex", scope: "project", path: "work/shop/.codex/config.toml", format: "toml" },
    json("gemini-cli", "user", "user/.gemini/settings.json"),
    json("gemini-cli", "project", "work/shop/.gemini/settings.json"),
    json("opencode", "user", "user/.config/opencode/opencode.json"),
    json("opencode", "project", "work/shop/opencode.json"),
    json("cursor", "user", "user/.cursor/hooks.json"),
    json("cursor", "user", "user/.cursor/mcp.json"),
    json("cursor", "project", "work/shop/.cursor/mcp.json"),
    json("vscode", "user", "user/.config/Code/User/mcp.json"),
    json("vscode", "project", "work/shop/.vscode/mcp.json"),
    json("copilot-cli", "user", "user/.copilot/mcp-config.json"),
    json("copilot-cli", "project", "work/shop/.mcp.json"),
    json("windsurf", "user", "user/.codeium/windsurf/hooks.json"),
    json("windsurf", "user", "user/.codeium/windsurf/mcp_config.json"),
    json("cline", "user", "user/.cline/data/settings/cline_mcp_settings.json"),
    Shared { client: "goose", scope: "user", path: "user/.config/goose/config.yaml", format: "yaml" },
];

pub(crate) const CLIENTS: [&str; 10] = [
    "claude-code",
    "codex",
    "gemini-cli",
    "opencode",
    "cursor",
    "vscode",
    "copilot-cli",
    "windsurf",
    "cline",
    "goose",
];

pub(crate) const SCOPES: [&str; 2] = ["user", "project"];

/// Every file and folder below the home and the project, with what it holds and who may read it.
pub(crate) fn tree(home: &Home) -> BTreeMap<PathBuf, (Option<Vec<u8>>, u32)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![home.path().join("user"), home.path().join("work")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let mode = mode(&entry);
            let relative = entry.strip_prefix(home.path()).unwrap().to_owned();
            if entry.is_dir() {
                found.insert(relative, (None, mode));
                folders.push(entry);
            } else {
                found.insert(relative, (Some(fs::read(&entry).unwrap()), mode));
            }
        }
    }
    found
}

#[cfg(unix)]
pub(crate) fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).unwrap().permissions().mode()
}

#[cfg(not(unix))]
pub(crate) fn mode(_: &Path) -> u32 {
    0
}

pub(crate) fn read(home: &Home, path: &str) -> String {
    fs::read_to_string(home.path().join(path)).unwrap()
}

/// Without comments.
pub(crate) fn read_json(home: &Home, path: &str) -> Json {
    serde_json::from_str(&read(home, path)).unwrap()
}

pub(crate) fn install(home: &Home, client: &str, scope: &str) -> Json {
    home.json(&["install", client, "--scope", scope])
}

pub(crate) fn uninstall(home: &Home, client: &str, scope: &str) -> Json {
    home.json(&["uninstall", client, "--scope", scope])
}

/// The actions on the files of the first client, by the ends of their paths.
pub(crate) fn action<'a>(answer: &'a Json, path: &str) -> &'a str {
    let files = answer["clients"][0]["files"].as_array().unwrap();
    let file = files.iter().find(|file| file["path"].as_str().unwrap().ends_with(path));
    file.unwrap_or_else(|| panic!("{path} is not in {answer:#}"))["action"].as_str().unwrap()
}

pub(crate) fn notes(answer: &Json) -> String {
    let said = |note: &Json| note.as_str().unwrap().to_owned();
    answer["clients"][0]["notes"].as_array().unwrap().iter().map(said).collect::<Vec<_>>().join("\n")
}

/// The program that the tests run.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_throughline");
