//! Where clients keep their settings on systems that the tests do not run on.

use super::*;

#[track_caller]
fn check(system: System, env: &[(&'static str, &str)], base: Base, path: &str, wanted: &str) {
    let env = env.iter().map(|(name, value)| (*name, PathBuf::from(value))).collect();
    let places = Places::new(system, env, None, Path::new("repo")).unwrap();
    let found = places.path(base, path).display().to_string();
    assert_eq!(found.replace(std::path::MAIN_SEPARATOR, "/"), wanted);
}

const LINUX: (&str, &str) = ("HOME", "/h");
const WINDOWS: (&str, &str) = ("USERPROFILE", "C:/Users/a b");

#[test]
fn each_client_has_its_folder() {
    let linux = |base, path, wanted| check(System::Linux, &[LINUX], base, path, wanted);
    linux(Base::Claude, "settings.json", "/h/.claude/settings.json");
    linux(Base::ClaudeState, ".claude.json", "/h/.claude.json");
    linux(Base::Codex, "config.toml", "/h/.codex/config.toml");
    linux(Base::OpenCode, "opencode.json", "/h/.config/opencode/opencode.json");
    linux(Base::CodeUser, "mcp.json", "/h/.config/Code/User/mcp.json");
    linux(Base::Goose, "config.yaml", "/h/.config/goose/config.yaml");
    linux(Base::ClineSettings, "s.json", "/h/.cline/data/settings/s.json");
    linux(Base::Project, ".mcp.json", "repo/.mcp.json");
    let mac = "/h/Library/Application Support/Code/User/mcp.json";
    check(System::Mac, &[LINUX], Base::CodeUser, "mcp.json", mac);
    check(System::Mac, &[LINUX], Base::Goose, "config.yaml", "/h/.config/goose/config.yaml");
}

#[test]
fn windows_keeps_settings_elsewhere() {
    let windows = |base, path, wanted| check(System::Windows, &[WINDOWS], base, path, wanted);
    windows(Base::Claude, "settings.json", "C:/Users/a b/.claude/settings.json");
    windows(Base::OpenCode, "opencode.json", "C:/Users/a b/.config/opencode/opencode.json");
    windows(Base::CodeUser, "mcp.json", "C:/Users/a b/AppData/Roaming/Code/User/mcp.json");
    let moved = [WINDOWS, ("APPDATA", "D:/R")];
    check(System::Windows, &moved, Base::Goose, "config.yaml", "D:/R/Block/goose/config/config.yaml");
}

#[test]
fn variables_move_folders() {
    let linux = |set, base, wanted| check(System::Linux, &[LINUX, set], base, "x", wanted);
    linux(("CLAUDE_CONFIG_DIR", "/c"), Base::Claude, "/c/x");
    linux(("CLAUDE_CONFIG_DIR", "/c"), Base::ClaudeState, "/c/x");
    linux(("CODEX_HOME", "/c"), Base::Codex, "/c/x");
    linux(("COPILOT_HOME", "/c"), Base::Copilot, "/c/x");
    linux(("XDG_CONFIG_HOME", "/c"), Base::OpenCode, "/c/opencode/x");
    linux(("XDG_CONFIG_HOME", "/c"), Base::Goose, "/c/goose/x");
    linux(("OPENCODE_CONFIG_DIR", "/c"), Base::OpenCode, "/c/x");
    linux(("CLINE_DIR", "/c"), Base::ClineSettings, "/c/data/settings/x");
    linux(("CLINE_DATA_DIR", "/c"), Base::ClineSettings, "/c/settings/x");
    linux(("CLINE_MCP_SETTINGS_PATH", "/c/mine.json"), Base::ClineSettings, "/c/mine.json");
}

#[test]
fn without_a_home_nothing_is_guessed() {
    let error = Places::new(System::Linux, HashMap::new(), None, Path::new("/p")).unwrap_err();
    assert_eq!(error.to_string(), "this system names no home folder; set HOME");
}
