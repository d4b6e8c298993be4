//! What install and uninstall say: what they did, what they would do, and what is left to the user.

use super::{PROGRAM, tree};
use crate::fixture::{Home, shows};

#[test]
fn a_dry_run_shows_a_diff_and_writes_nothing() {
    let home = Home::sqlite();
    home.write("user/.codex/config.toml", "model = \"x\"\r\n");
    home.write("user/.codex/prompts/remember.md", "mine\n");
    let before = (tree(&home), std::fs::read_dir(home.data()).unwrap().count());
    let said = home.ok(&["install", "codex", "--dry-run"]);
    assert_eq!((tree(&home), std::fs::read_dir(home.data()).unwrap().count()), before);
    let toml = said
        .lines()
        .skip_while(|line| !line.contains("a/~/.codex/config.toml"))
        .take(9)
        .collect::<Vec<_>>()
        .join("\n");
    shows!(home, toml.replace(PROGRAM, "[PROGRAM]"), @r#"
    --- a/~/.codex/config.toml
    +++ b/~/.codex/config.toml
    @@ -1,1 +1,6 @@
     model = "x"
    +
    +[mcp_servers.throughline]
    +command = "[PROGRAM]"
    +args = ["mcp"]
    +env_vars = ["THROUGHLINE_HOME", "THROUGHLINE_DATABASE_URL", "THROUGHLINE_PROJECT", "THROUGHLINE_ACTOR", "THROUGHLINE_LOG", "XDG_DATA_HOME", "XDG_CONFIG_HOME"]
    "#);
    assert!(home.plain(&said).contains("left alone [TMP]/user/.codex/prompts/remember.md"), "{said}");
    home.ok(&["install", "codex"]);
    let before = tree(&home);
    let said = home.ok(&["uninstall", "codex", "--dry-run"]);
    assert_eq!(tree(&home), before);
    assert!(said.contains("-[mcp_servers.throughline]"), "{said}");
    let answer = home.json(&["uninstall", "codex", "--dry-run"]);
    assert_eq!(answer["dry_run"], true);
    assert!(
        answer["clients"][0]["files"][1]["diff"]
            .as_str()
            .unwrap()
            .starts_with("--- a/~/.codex/config.toml\n")
    );
}

#[test]
fn a_run_says_what_it_did_and_what_is_left_to_do() {
    let home = Home::sqlite();
    home.write("user/.codex/config.toml", "");
    shows!(home, home.ok(&["install", "codex"]), @"
    Codex (user)
      created    [TMP]/user/.codex/hooks.json
      changed    [TMP]/user/.codex/config.toml
                 a copy is in [TMP]/data/install/backups/cbf29ce484222325-0
      created    [TMP]/user/.codex/prompts/session-status.md
      created    [TMP]/user/.codex/prompts/memory-recall.md
      created    [TMP]/user/.codex/prompts/reconstruct.md
      created    [TMP]/user/.codex/prompts/handoff.md
      created    [TMP]/user/.codex/prompts/remember.md
      created    [TMP]/user/.agents/skills/throughline/SKILL.md
      to do: run `/hooks` in Codex and trust the hooks of throughline; until then Codex does not run them
    ");
    shows!(home, home.ok(&["uninstall", "codex"]), @"
    Codex (user)
      removed    [TMP]/user/.codex/hooks.json
      restored   [TMP]/user/.codex/config.toml
      removed    [TMP]/user/.codex/prompts/session-status.md
      removed    [TMP]/user/.codex/prompts/memory-recall.md
      removed    [TMP]/user/.codex/prompts/reconstruct.md
      removed    [TMP]/user/.codex/prompts/handoff.md
      removed    [TMP]/user/.codex/prompts/remember.md
      removed    [TMP]/user/.agents/skills/throughline/SKILL.md
    ");
}

/// Consent is the user's to give.
#[test]
fn gates_are_named_and_not_crossed() {
    let home = Home::sqlite();
    let codex = home.ok(&["install", "codex"]);
    assert!(codex.contains("/hooks"), "{codex}");
    assert!(!super::read(&home, "user/.codex/config.toml").contains("hooks.state"));
    let claude = home.ok(&["install", "claude-code", "--scope", "project"]);
    assert!(claude.contains("approve the server in .mcp.json"), "{claude}");
    let settings = super::read_json(&home, "work/shop/.claude/settings.json");
    assert_eq!(settings.as_object().unwrap().keys().collect::<Vec<_>>(), ["hooks"]);
}
