//! Commands are quoted for the shell that runs them, and known again by what they start.

use serde_json::json;

use super::*;

fn program(path: &str, system: System) -> Program {
    Program { path: plain(path, system), system }
}

#[test]
fn paths_are_quoted_where_a_shell_would_cut_them() {
    let posix = |path| program(path, System::Linux).shell(&["hook", "codex"]);
    assert_eq!(posix("/usr/bin/throughline"), "/usr/bin/throughline hook codex");
    assert_eq!(posix("/a b/throughline"), "'/a b/throughline' hook codex");
    assert_eq!(posix("/it's/$x/throughline"), r"'/it'\''s/$x/throughline' hook codex");
    let windows = |path| program(path, System::Windows).shell(&["hook", "codex"]);
    assert_eq!(windows(r"C:\bin\throughline.exe"), r"C:\bin\throughline.exe hook codex");
    let spaced = r"C:\Program Files (x86)\throughline.exe";
    assert_eq!(windows(spaced), format!("\"{spaced}\" hook codex"));
    assert_eq!(windows(r"\\?\C:\bin\throughline.exe"), r"C:\bin\throughline.exe hook codex");
    let powershell = |path| program(path, System::Windows).powershell(&["hook", "x"]);
    assert_eq!(powershell(r"C:\it's\throughline.exe"), r"& 'C:\it''s\throughline.exe' hook x");
}

#[test]
fn hooks_that_are_files_run_the_program() {
    let unix = program("/a b/throughline", System::Mac).script(&["hook", "cline"]);
    assert_eq!(unix, "#!/bin/sh\nexec '/a b/throughline' hook cline\n");
    let windows = program(r"C:\b\throughline.exe", System::Windows).script(&["hook", "cline"]);
    assert_eq!(windows, "& 'C:\\b\\throughline.exe' hook cline\r\n");
}

#[test]
fn what_was_written_is_known_again() {
    let paths = [
        ("/usr/bin/throughline", System::Linux),
        ("/it's here/a \"b\"/throughline", System::Linux),
        (r"C:\Program Files\throughline.exe", System::Windows),
        (r"C:\it's\throughline.exe", System::Windows),
    ];
    for (path, system) in paths {
        let program = program(path, system);
        let mut lines = vec![program.shell(&["hook", "x"])];
        if system == System::Windows {
            lines.push(program.powershell(&["hook", "x"]));
        }
        for line in lines {
            assert_eq!(in_line(&line, "hook").as_deref(), Some(path), "{line}");
            let entry = json!({"type": "command", "bash": line});
            assert_eq!(started_by(&entry, "hook").as_deref(), Some(path), "{line}");
        }
        let exec = json!({"command": path, "args": ["hook", "x"]});
        assert_eq!(started_by(&exec, "hook").as_deref(), Some(path));
        let vector = json!({"command": [path, "mcp"]});
        assert_eq!(started_by(&vector, "mcp").as_deref(), Some(path));
    }
}

#[test]
fn what_others_start_is_not_ours() {
    let others = [
        json!({"command": "/usr/bin/other", "args": ["hook", "x"]}),
        json!({"command": "/usr/bin/throughline", "args": ["doctor"]}),
        json!({"command": "/usr/bin/throughline-extra hook x"}),
        json!({"command": "echo throughline hook x"}),
        json!({"command": "/usr/bin/throughline doctor"}),
        json!({"url": "http://localhost/mcp"}),
        json!("throughline hook x"),
    ];
    for other in others {
        assert_eq!(started_by(&other, "hook"), None, "{other}");
    }
}
