//! What each client gets, in its own shape, and that what it starts is this program.

use serde_json::{Value as Json, json};

use super::{CLIENTS, PROGRAM, SCOPES, install, read, read_json, tree};
use crate::fixture::Home;
use crate::mcp::Client;

fn written(home: &Home, path: &str) -> Json {
    serde_json::from_str(&read(home, path).replace(PROGRAM, "BIN")).unwrap()
}

#[test]
fn claude_code_starts_hooks_without_a_shell() {
    let home = Home::sqlite();
    install(&home, "claude-code", "user");
    let hooks = &written(&home, "user/.claude/settings.json")["hooks"];
    let handler =
        json!({"type": "command", "command": "BIN", "args": ["hook", "claude-code"], "timeout": 10});
    assert_eq!(hooks["SessionStart"], json!([{"hooks": [handler]}]));
    assert_eq!(hooks["PostToolUse"], json!([{"matcher": "*", "hooks": [handler]}]));
    assert_eq!(
        written(&home, "user/.claude.json"),
        json!({"mcpServers": {"throughline": {"type": "stdio", "command": "BIN", "args": ["mcp"]}}})
    );
    assert!(
        read(&home, "user/.claude/skills/throughline/SKILL.md")
            .starts_with("---\nname: throughline\ndescription: ")
    );
    let command = read(&home, "user/.claude/commands/throughline/memory-recall.md");
    assert!(command.starts_with("---\ndescription: ") && command.contains("$ARGUMENTS"), "{command}");
}

#[test]
fn each_client_gets_its_own_shape() {
    let home = Home::sqlite();
    CLIENTS.iter().for_each(|client| drop(install(&home, client, "user")));
    let flat = |client: &str| json!({"command": format!("BIN hook {client}"), "timeout": 10});
    let codex = &written(&home, "user/.codex/hooks.json");
    assert_eq!(codex.as_object().unwrap().len(), 1, "unknown names at the top would be refused");
    assert_eq!(codex["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"], 3);
    let gemini = &written(&home, "user/.gemini/settings.json");
    assert_eq!(gemini["hooks"]["AfterTool"][0]["hooks"][0]["timeout"], 10_000, "milliseconds");
    assert_eq!(gemini["mcpServers"]["throughline"], json!({"command": "BIN", "args": ["mcp"]}));
    let cursor = &written(&home, "user/.cursor/hooks.json");
    assert_eq!((&cursor["version"], &cursor["hooks"]["sessionStart"]), (&json!(1), &json!([flat("cursor")])));
    let opencode = &written(&home, "user/.config/opencode/opencode.json")["mcp"]["throughline"];
    assert_eq!(*opencode, json!({"type": "local", "command": ["BIN", "mcp"], "enabled": true}));
    let plugin = read(&home, "user/.config/opencode/plugins/throughline.js");
    assert!(plugin.contains(&format!("\nconst PROGRAM = {PROGRAM:?};\n")), "{plugin}");
    let vscode = &written(&home, "user/.config/Code/User/mcp.json");
    assert_eq!(vscode["servers"]["throughline"]["type"], "stdio");
    let copilot = &written(&home, "user/.copilot/hooks/throughline-copilot.json");
    assert_eq!(copilot["hooks"]["agentStop"][0]["bash"], "BIN hook copilot-cli agentStop");
    let windsurf = &written(&home, "user/.codeium/windsurf/hooks.json")["hooks"]["post_write_code"][0];
    assert_eq!(*windsurf, json!({"command": "BIN hook windsurf", "show_output": false}));
    let cline = read(&home, "user/.cline/hooks/TaskStart").replace(PROGRAM, "BIN");
    assert!(cline.starts_with("#!/bin/sh\n#") && cline.ends_with("\nexec BIN hook cline\n"), "{cline}");
    let goose = &written(&home, "user/.agents/plugins/throughline/hooks/hooks.json")["hooks"]["Stop"];
    assert_eq!(goose[0]["hooks"][0]["command"], "BIN hook goose");
    assert!(read(&home, "user/.config/goose/config.yaml").replace(PROGRAM, "BIN").contains("cmd: \"BIN\""));
}

#[test]
fn the_file_that_is_there_is_taken() {
    let home = Home::sqlite();
    home.write("user/.config/opencode/opencode.jsonc", "{\n  // mine\n}\n");
    install(&home, "opencode", "user");
    assert!(read(&home, "user/.config/opencode/opencode.jsonc").contains("throughline"));
    assert!(!home.path().join("user/.config/opencode/opencode.json").exists());
}

/// Every file that is written for a project lies in it, every other in the home.
#[test]
fn scopes_stay_apart() {
    for client in CLIENTS {
        for (scope, wanted) in SCOPES.iter().zip(["user", "work"]) {
            let home = Home::sqlite();
            let before = tree(&home);
            install(&home, client, scope);
            let made: Vec<_> = tree(&home).into_keys().filter(|path| !before.contains_key(path)).collect();
            assert!(
                !made.is_empty() && made.iter().all(|path| path.starts_with(wanted)),
                "{client}: {made:?}"
            );
        }
    }
}

/// The reference names every file, or the folder where there is one for each command or event.
#[test]
fn the_reference_names_what_is_written() {
    let reference = include_str!("../../../../../docs/clients.md");
    for client in CLIENTS {
        let section = reference.split("\n## ").find(|section| section.contains(&format!(": `{client}`\n")));
        let section = section.unwrap_or_else(|| panic!("{client} is not in docs/clients.md"));
        for scope in SCOPES {
            let home = Home::sqlite();
            install(&home, client, scope);
            for path in tree(&home).into_iter().filter(|(_, (text, _))| text.is_some()).map(|(path, _)| path)
            {
                let shown = match path.strip_prefix("user") {
                    Ok(path) => format!("~/{}", path.display()),
                    Err(_) => path.strip_prefix("work/shop").unwrap().display().to_string(),
                };
                let folder = shown.rsplit_once('/').map_or("", |(folder, _)| folder);
                let named = [format!("`{shown}`"), format!("`{folder}/`")];
                assert!(named.iter().any(|name| section.contains(name)), "{client} {scope}: {shown}");
            }
        }
    }
}

/// A slash command that the program writes is one that its own server understands: every tool it names is there.
#[test]
fn commands_name_tools_that_exist() {
    let home = Home::sqlite();
    install(&home, "claude-code", "user");
    let tools = Client::of(&home).tools();
    let guidance: String = tree(&home)
        .into_iter()
        .filter(|(path, _)| path.extension().is_some_and(|end| end == "md"))
        .map(|(_, (text, _))| String::from_utf8(text.unwrap()).unwrap())
        .collect();
    let named: Vec<&str> =
        guidance.split('`').skip(1).step_by(2).filter(|word| !word.contains(' ')).collect();
    assert!(named.len() > 15, "{named:?}");
    for word in named.into_iter().filter(|word| !["throughline", "handoff"].contains(word)) {
        assert!(tools.iter().any(|tool| tool["name"] == word), "there is no tool {word}");
    }
}

#[test]
fn the_plugin_is_a_tree_of_its_own() {
    let home = Home::sqlite();
    let before = tree(&home);
    let folder = home.path().join("user/my plugins/throughline");
    let plugin = ["--plugin", folder.to_str().unwrap()];
    home.ok(&["install", "claude-code", plugin[0], plugin[1]]);
    let path = |name: &str| format!("user/my plugins/throughline/{name}");
    assert_eq!(read_json(&home, &path(".claude-plugin/plugin.json"))["name"], "throughline");
    assert_eq!(written(&home, &path("hooks/hooks.json"))["hooks"]["Stop"][0]["hooks"][0]["command"], "BIN");
    assert_eq!(written(&home, &path(".mcp.json"))["mcpServers"]["throughline"]["args"], json!(["mcp"]));
    for name in ["commands/handoff.md", "skills/throughline/SKILL.md", "README.md"] {
        assert!(folder.join(name).exists(), "{name}");
    }
    assert!(!home.path().join("user/.claude").exists());
    let again = home.ok(&["install", "claude-code", plugin[0], plugin[1]]);
    assert!(again.contains("everything is in place already"), "{again}");
    home.ok(&["uninstall", "claude-code", plugin[0], plugin[1]]);
    assert_eq!(tree(&home), before);
}
