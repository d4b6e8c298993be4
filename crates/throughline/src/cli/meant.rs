//! What somebody probably wants who writes a command that is none.

use throughline_engine::recall::typing_errors;

/// The words, where they are written below another command its name, and what does it here.
const MEANT: [(&str, &[&str], &str); 14] = [
    (
        "project",
        &["create", "new", "add", "init"],
        "a project is made by the first thing that is recorded in it; --project NAME names it",
    ),
    (
        "project",
        &["delete", "remove", "rm"],
        "nothing takes a whole project away; `throughline log purge` erases what was recorded",
    ),
    (
        "config",
        &["unset", "delete", "remove", "reset"],
        "take its line out of the file that `throughline config show` names beside it",
    ),
    ("config", &["list", "ls"], "`throughline config show` lists all settings"),
    (
        "belief",
        &["add", "create", "new"],
        "beliefs come from decisions (`throughline decide`) and from patterns that were approved",
    ),
    (
        "",
        &["add", "note", "save", "store", "learn"],
        "`throughline remember TEXT` keeps a statement, `throughline task create TITLE` makes an item",
    ),
    (
        "",
        &["list", "ls"],
        "`throughline memory list`, `throughline task list` and `throughline session list` show what is there",
    ),
    (
        "",
        &["show", "get", "view", "cat", "read"],
        "`throughline expand ID` shows the whole of what has that id",
    ),
    (
        "",
        &["find", "query", "recall", "grep", "ask"],
        "`throughline search QUERY` finds what the project knows",
    ),
    (
        "",
        &["status", "info", "overview"],
        "`throughline orient` says where the project stands, `throughline doctor` whether all is well",
    ),
    (
        "",
        &["start", "run", "up", "ui", "web", "dashboard", "server"],
        "`throughline serve` starts the server and its dashboard",
    ),
    (
        "",
        &["delete", "remove", "rm"],
        "`throughline forget ID` takes a memory away, `throughline task delete ID` an item",
    ),
    (
        "",
        &["update", "edit", "upgrade"],
        "`throughline task update ID` changes an item, `throughline remember TEXT --supersedes ID` a memory",
    ),
    (
        "",
        &["init", "setup", "connect"],
        "`throughline install CLIENT` connects a client; a project is made by the first thing that is recorded in it",
    ),
];

/// `below` is what stands before the word: another command or the program itself.
pub(super) fn tip(below: &str, word: &str) -> Option<&'static str> {
    let is_below_another = MEANT.iter().any(|(command, ..)| !command.is_empty() && *command == below);
    let below = if is_below_another { below } else { "" };
    MEANT.iter().find(|(command, words, _)| *command == below && words.contains(&word)).map(|(.., tip)| *tip)
}

/// Whether one may be a slip for the other: at most a third of the letters are others, and no more than two. What only a number
/// tells apart are two of a series.
pub(super) fn is_slip(written: &str, meant: &str) -> bool {
    let bare = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    if bare(written) == bare(meant) {
        return false;
    }
    let (written, meant): (Vec<char>, Vec<char>) = (written.chars().collect(), meant.chars().collect());
    let reach = (written.len().max(meant.len()) / 3).min(2);
    typing_errors(&written, &meant, reach).is_some()
}

#[cfg(test)]
mod tests {
    use super::{is_slip, tip};

    #[test]
    fn slips_are_told_from_other_words() {
        for (written, meant) in
            [("logg", "log"), ("lgo", "log"), ("serach", "search"), ("memroy", "memory"), ("reed", "read")]
        {
            assert!(is_slip(written, meant), "{written}");
        }
        for (written, meant) in [
            ("note", "context"),
            ("list", "install"),
            ("tcsh", "zsh"),
            ("start", "search"),
            ("delete", "model"),
            ("shop1", "shop2"),
        ] {
            assert!(!is_slip(written, meant), "{written}");
        }
    }

    #[test]
    fn a_word_is_read_below_its_command() {
        assert!(tip("throughline", "note").unwrap().contains("remember"));
        assert!(tip("project", "create").unwrap().contains("--project NAME"));
        assert_eq!(tip("project", "note"), None);
        assert_eq!(tip("throughline", "nonsense"), None);
    }
}
