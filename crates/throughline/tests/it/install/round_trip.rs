//! Install and uninstall leave every file as it was, whatever it looked like.

use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{CLIENTS, SCOPES, SHARED, install, read, tree, uninstall};
use crate::fixture::Home;

/// Files as people, editors and other programs leave them.
const JSON: [&str; 14] = [
    "{}",
    "{}\n",
    "{ }",
    "{\n}\n",
    "",
    " \n\t",
    "// nothing but this\n",
    "{ /* empty */ }",
    "{\"a\":1,\"hooks\":{},\"mcpServers\":{},\"servers\":{},\"mcp\":{}}",
    "{\r\n\t\"a\": [1,\r\n\t\t2],\r\n\t\"version\": 1, // mine\r\n}\r\n",
    "\u{feff}{\n    \"a\": 1 // no newline at the end\n    // and a last word\n}",
    "{\"hooks\": {\"SessionStart\": [], \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say hi\"}]}]}}",
    "{\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\", /* why */ \"args\": []},\n  },\n  \"hooks\": {\n    \"stop\": [\n      {\"command\": \"y\"} // theirs\n    ]\n  }\n}\n\n\n",
    "/* head */ {\"z\": {\"y\": {\"x\": null}},\n\n\n  \"ü\": \"\\u00fc \\\\ \\\" //\",\"n\": 1e400, \"m\": -0.0\n} // tail",
];
const TOML: [&str; 6] = [
    "",
    "# mine\nmodel = \"x\" # fast\n\n[mcp_servers.other]\ncommand = 'o'\n",
    "model = \"x\"\r\n[tools]\r\nweb = true",
    "\u{feff}a = 1\n",
    "mcp_servers = { other = { command = \"o\" } }\n",
    "[mcp_servers]\n\n\n[[x]]\ny = [\n  1, # one\n]\n\n\n",
];
const YAML: [&str; 6] = [
    "",
    "# mine\n",
    "GOOSE_MODEL: x\nextensions:\n    developer:\n        enabled: true # yes\n\n# end\nlast: 1",
    "extensions: {}\n",
    "a: 1\r\nextensions:\r\n  b:\r\n    enabled: false\r\n",
    "---\ntext: |\n  extensions:\n    throughline: no\n",
];

fn starts(format: &str) -> &'static [&'static str] {
    match format {
        "json" => &JSON,
        "toml" => &TOML,
        _ => &YAML,
    }
}

#[test]
fn where_nothing_was_nothing_stays() {
    for client in CLIENTS {
        for scope in SCOPES {
            let home = Home::sqlite();
            let before = tree(&home);
            install(&home, client, scope);
            let installed = tree(&home);
            assert!(installed.len() > before.len(), "{client} {scope}");
            let again = home.ok(&["install", client, "--scope", scope]);
            assert!(again.contains("everything is in place already"), "{client} {scope}: {again}");
            assert_eq!(tree(&home), installed, "{client} {scope}");
            uninstall(&home, client, scope);
            assert_eq!(tree(&home), before, "{client} {scope}");
            let again = home.ok(&["uninstall", client, "--scope", scope]);
            assert!(again.contains("nothing of ours is there"), "{client} {scope}: {again}");
        }
    }
}

/// Every shared file of every client at once begins like this.
#[test]
fn whatever_a_file_looked_like_it_looks_like_that_again() {
    for (number, scope) in (0..JSON.len()).flat_map(|number| SCOPES.map(|scope| (number, scope))) {
        let home = Home::sqlite();
        for shared in &SHARED {
            let starts = starts(shared.format);
            home.write(shared.path, starts[number % starts.len()]);
        }
        let before = tree(&home);
        let answer = home.json(&["install", "all", "--scope", scope]);
        assert_eq!(answer["clients"].as_array().unwrap().len(), CLIENTS.len());
        let installed = tree(&home);
        for shared in SHARED.iter().filter(|shared| shared.scope == scope) {
            let path = Path::new(shared.path);
            assert_ne!(installed[path], before[path], "{} {number}", shared.path);
        }
        let again = home.json(&["install", "all", "--scope", scope]);
        assert!(!again.to_string().contains("\"changed\""), "{number}: {again:#}");
        assert_eq!(tree(&home), installed, "{number}");
        home.ok(&["uninstall", "all", "--scope", scope]);
        assert_eq!(tree(&home), before, "{number}");
    }
}

#[test]
fn all_at_once() {
    let home = Home::sqlite();
    for shared in SHARED.iter().filter(|shared| shared.scope == "user") {
        home.write(shared.path, starts(shared.format)[1]);
    }
    let before = tree(&home);
    let answer = home.json(&["install", "all"]);
    assert_eq!(answer["clients"].as_array().unwrap().len(), CLIENTS.len());
    assert_ne!(tree(&home), before);
    home.ok(&["uninstall", "all"]);
    assert_eq!(tree(&home), before);
    assert_eq!(home.ok(&["uninstall", "all"]), "nothing is installed\n");
}

#[test]
fn all_is_also_what_was_written_into_the_project() {
    let home = Home::sqlite();
    let before = tree(&home);
    home.ok(&["install", "claude-code"]);
    home.ok(&["install", "claude-code", "--scope", "project"]);
    let other = home.work("other");
    home.call(&["install", "codex", "--scope", "project"]).within(&other).ok();
    let said = home.ok(&["uninstall", "all"]);
    assert!(said.contains("Claude Code (user)") && said.contains("Claude Code (project)"), "{said}");
    let left = "`throughline uninstall codex --scope project` in that project takes it out";
    assert!(said.contains(left), "{said}");
    home.call(&["uninstall", "codex"]).within(&other).ok();
    std::fs::remove_dir_all(&other).unwrap();
    assert_eq!(tree(&home), before);
}

#[test]
fn a_file_that_another_client_shares_is_no_sign_of_a_client() {
    let home = Home::sqlite();
    home.ok(&["install", "claude-code", "--scope", "project"]);
    let said = home.call(&["doctor", "--no-ask"]).run().stdout;
    assert!(said.contains("claude-code (project)") && !said.contains("copilot"), "{said}");
}

#[test]
fn only_what_is_used_here_is_meant_by_all() {
    let home = Home::sqlite();
    assert_eq!(home.ok(&["install", "all"]), "no client was found here; name one\n");
    home.write("user/.codex/config.toml", "");
    home.write("user/.gemini/settings.json", "{}");
    let answer = home.json(&["install", "all"]);
    let named: Vec<&str> =
        answer["clients"].as_array().unwrap().iter().map(|c| c["client"].as_str().unwrap()).collect();
    assert_eq!(named, ["codex", "gemini-cli"]);
}

#[test]
fn a_file_that_clients_share_stays_for_the_one_that_is_left() {
    let home = Home::sqlite();
    let start = "{\n  \"mcpServers\": {}\n}\n";
    home.write("work/shop/.mcp.json", start);
    install(&home, "claude-code", "project");
    let installed = read(&home, "work/shop/.mcp.json");
    install(&home, "copilot-cli", "project");
    assert_eq!(read(&home, "work/shop/.mcp.json"), installed);
    uninstall(&home, "claude-code", "project");
    assert_eq!(read(&home, "work/shop/.mcp.json"), installed, "Copilot CLI needs it still");
    uninstall(&home, "copilot-cli", "project");
    assert_eq!(read(&home, "work/shop/.mcp.json"), start);
}

/// Objects as hand-written as they get; the machinery has a longer test of its own.
fn hand_written() -> impl Strategy<Value = String> {
    let gap = prop_oneof![
        3 => "[ \t]{0,2}(\r?\n[ \t]{0,4})?".prop_map(String::from),
        1 => Just("// said \"{\n".to_owned()),
        1 => Just("/* , */".to_owned()),
    ];
    let names = prop_oneof![
        Just("hooks"),
        Just("mcpServers"),
        Just("version"),
        Just("SessionStart"),
        Just("AfterTool"),
        Just("x")
    ];
    let leaf =
        prop_oneof![Just("1".to_owned()), Just("\"throughline hook\"".to_owned()), Just("null".to_owned())];
    let value = leaf.prop_recursive(3, 16, 3, move |inner| {
        let item = (gap.clone(), inner, gap.clone());
        prop::collection::vec(item, 0..3).prop_map(|items| {
            let items: Vec<String> = items.into_iter().map(|(a, item, b)| format!("{a}{item}{b}")).collect();
            format!("[{}]", items.join(","))
        })
    });
    let member = (names, value, any::<bool>());
    (prop::collection::vec(member, 0..5), any::<bool>()).prop_map(|(members, last)| {
        let item = |(name, value, wide): (&str, String, bool)| match wide {
            true => format!("\n   \"{name}\" :\t{value}"),
            false => format!("\"{name}\":{value}"),
        };
        let comma = if last && !members.is_empty() { "," } else { "" };
        let items: Vec<String> = members.into_iter().map(item).collect();
        format!("{{{}{comma}}}", items.join(","))
    })
}

/// Either it is refused and untouched, or it comes back byte for byte.
#[test]
fn random_files_come_back() {
    let mut runner = TestRunner::new(Config { cases: 60, ..Config::default() });
    let accepted = std::cell::Cell::new(0);
    runner
        .run(&hand_written(), |start| {
            let home = Home::sqlite();
            home.write("user/.gemini/settings.json", &start);
            let before = tree(&home);
            let ran = home.call(&["install", "gemini-cli"]).run();
            if ran.code == 0 {
                accepted.set(accepted.get() + 1);
                home.ok(&["uninstall", "gemini-cli"]);
            }
            prop_assert_eq!(tree(&home), before);
            Ok(())
        })
        .unwrap();
    assert!(accepted.get() > 5, "only {} were changed at all", accepted.get());
}
