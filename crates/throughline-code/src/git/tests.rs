//! Repositories as git itself makes them, and what we read in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Change, Head, Location, Repository};

struct Ground {
    #[expect(dead_code, reason = "the folder goes when it does")]
    home: tempfile::TempDir,
    root: PathBuf,
}

impl Ground {
    fn new() -> Ground {
        let home = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(home.path()).unwrap();
        Ground { home, root }
    }

    fn with_repository(init: &[&str]) -> Ground {
        let ground = Ground::new();
        ground.git(".", &[&["init", "-q", "-b", "main"], init, &["shop"]].concat());
        ground
    }

    #[expect(clippy::disallowed_methods, reason = "what we read is compared with what git writes")]
    fn git(&self, folder: &str, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "protocol.file.allow=always"])
            .args(arguments)
            .current_dir(self.root.join(folder))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .envs([("GIT_AUTHOR_NAME", "Ada"), ("GIT_AUTHOR_EMAIL", "ada@example.org")])
            .envs([("GIT_COMMITTER_NAME", "Bob"), ("GIT_COMMITTER_EMAIL", "bob@example.org")])
            .envs([("GIT_AUTHOR_DATE", "1700000000 +0100"), ("GIT_COMMITTER_DATE", &self.next_second())])
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Each command is a second later than the one before.
    fn next_second(&self) -> String {
        let path = self.root.join("seconds");
        let before = fs::read_to_string(&path).unwrap_or_default();
        fs::write(&path, format!("{before}.")).unwrap();
        format!("{} +0000", 1_700_000_000 + before.len())
    }

    fn commit(&self, message: &str, files: &[(&str, &str)]) -> String {
        for (path, content) in files {
            let path = self.root.join("shop").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        self.git("shop", &["add", "-A"]);
        self.git("shop", &["commit", "-q", "--allow-empty", "-m", message]);
        self.git("shop", &["rev-parse", "HEAD"])
    }

    fn open(&self, folder: &str) -> Repository {
        Repository::discover(&self.root.join(folder)).unwrap().unwrap()
    }

    /// As `git log --format=%H` says it.
    fn log(&self, folder: &str) -> Vec<String> {
        self.open(folder).commits().unwrap().map(|commit| commit.unwrap().id.to_string()).collect()
    }
}

fn changes(repository: &Repository, limit: usize) -> (Vec<(String, Change)>, bool) {
    let commit = repository.commits().unwrap().next().unwrap().unwrap();
    let changed = repository.changed_files(&commit, limit).unwrap();
    (changed.files.into_iter().map(|file| (file.path, file.change)).collect(), changed.more)
}

#[test]
fn a_commit_says_who_when_what_and_why() {
    let ground = Ground::with_repository(&[]);
    let first = ground.commit("Begin", &[("a.txt", "a")]);
    let second = ground.commit("Sell\napples\n\nThey were\n\nasked for.\n", &[("b.txt", "b")]);
    let repository = ground.open("shop/");
    let head = Head::Branch { name: "main".to_owned(), commit: Some(second.parse().unwrap()) };
    assert_eq!(repository.head().unwrap(), head);
    let commits: Vec<_> = repository.commits().unwrap().map(Result::unwrap).collect();
    assert_eq!(commits.len(), 2);
    let newest = &commits[0];
    assert_eq!((newest.id.to_string(), newest.id.short()), (second.clone(), second[..7].to_owned()));
    assert_eq!(newest.parents, [first.parse().unwrap()]);
    assert_eq!((newest.author.name.as_str(), newest.author.email.as_str()), ("Ada", "ada@example.org"));
    assert_eq!((newest.subject.as_str(), newest.body.as_str()), ("Sell apples", "They were\n\nasked for."));
    assert_eq!(newest.at.to_string(), ground.git("shop", &["log", "-1", "--format=%ct"]));
}

#[test]
fn the_order_of_branches_that_met_is_that_of_git_log_loose_and_packed() {
    let ground = Ground::with_repository(&[]);
    ground.commit("Begin", &[("a.txt", "a")]);
    ground.git("shop", &["checkout", "-q", "-b", "side"]);
    ground.commit("Side 1", &[("side.txt", "1")]);
    ground.git("shop", &["checkout", "-q", "main"]);
    ground.commit("Main 1", &[("main.txt", "1")]);
    ground.git("shop", &["checkout", "-q", "side"]);
    ground.commit("Side 2", &[("side.txt", "2")]);
    ground.git("shop", &["checkout", "-q", "main"]);
    ground.git("shop", &["merge", "-q", "--no-ff", "-m", "Merge", "side"]);
    let log = ground.git("shop", &["log", "--format=%H"]);
    let expected: Vec<String> = log.lines().map(str::to_owned).collect();
    assert_eq!(expected.len(), 5);
    assert_eq!(ground.log("shop"), expected);
    ground.git("shop", &["gc", "-q"]);
    assert!(!ground.root.join("shop/.git/refs/heads/main").exists(), "the branch is packed");
    assert_eq!(ground.log("shop"), expected);
    let merged = (vec![("side.txt".to_owned(), Change::Added)], false);
    assert_eq!(changes(&ground.open("shop"), 9), merged, "against the first parent");
}

#[test]
fn what_is_new_since_a_commit_has_the_older_commits_of_a_branch_that_was_merged() {
    let ground = Ground::with_repository(&[]);
    ground.commit("Begin", &[("a.txt", "a")]);
    ground.git("shop", &["checkout", "-q", "-b", "side"]);
    ground.commit("Side", &[("side.txt", "1")]);
    ground.git("shop", &["checkout", "-q", "main"]);
    let known = ground.commit("Main", &[("main.txt", "1")]);
    ground.git("shop", &["merge", "-q", "--no-ff", "-m", "Merge", "side"]);
    let tip = ground.commit("After", &[("main.txt", "2")]);
    let repository = ground.open("shop");
    let since = |known: Option<&str>| -> Vec<String> {
        let known = known.map(|known| known.parse().unwrap());
        let commits = repository.commits_since(tip.parse().unwrap(), known);
        commits.map(|commit| commit.unwrap().subject).collect()
    };
    assert_eq!(since(Some(&known)), ["After", "Merge", "Side"]);
    assert_eq!(since(Some(&tip)), Vec::<String>::new());
    assert_eq!(since(None), ["After", "Merge", "Main", "Side", "Begin"]);
    assert_eq!(since(Some(&"0123456789".repeat(4))).len(), 5, "a commit that this clone does not have");
}

#[test]
fn what_a_commit_changed_is_found_in_folders_at_any_depth() {
    let ground = Ground::with_repository(&[]);
    let files = [("a/deep/one.rs", "1"), ("a/deep.rs", "1"), ("a.rs", "1"), ("b/same.rs", "1"), ("c", "1")];
    ground.commit("Begin", &files);
    fs::remove_file(ground.root.join("shop/a.rs")).unwrap();
    fs::remove_file(ground.root.join("shop/c")).unwrap();
    let changed = [("a/deep/one.rs", "2"), ("a/deep/two.rs", "1"), ("c/now a folder.rs", "1"), ("ü.rs", "")];
    ground.commit("Change", &changed);
    let expected = [
        ("a.rs", Change::Removed),
        ("a/deep/one.rs", Change::Modified),
        ("a/deep/two.rs", Change::Added),
        ("c", Change::Removed),
        ("c/now a folder.rs", Change::Added),
        ("ü.rs", Change::Added),
    ];
    let expected: Vec<_> = expected.map(|(path, change)| (path.to_owned(), change)).to_vec();
    let repository = ground.open("shop");
    assert_eq!(changes(&repository, 6), (expected.clone(), false));
    assert_eq!(changes(&repository, 2), (expected[..2].to_vec(), true));
}

#[test]
fn the_first_commit_added_its_files() {
    let ground = Ground::with_repository(&[]);
    ground.commit("Begin", &[("a/b.rs", "1")]);
    assert_eq!(changes(&ground.open("shop"), 9), (vec![("a/b.rs".to_owned(), Change::Added)], false));
}

#[test]
fn a_repository_without_commits_has_an_unborn_branch_and_no_history() {
    let ground = Ground::with_repository(&[]);
    let repository = ground.open("shop");
    assert_eq!(repository.head().unwrap(), Head::Branch { name: "main".to_owned(), commit: None });
    assert_eq!(repository.commits().unwrap().count(), 0);
}

#[test]
fn a_detached_head_is_a_commit() {
    let ground = Ground::with_repository(&[]);
    let first = ground.commit("Begin", &[]);
    ground.commit("More", &[]);
    ground.git("shop", &["checkout", "-q", &first]);
    assert_eq!(ground.open("shop").head().unwrap(), Head::Detached(first.parse().unwrap()));
    assert_eq!(ground.log("shop"), [first]);
}

#[test]
fn a_worktree_has_its_own_head_and_the_objects_of_all() {
    let ground = Ground::with_repository(&[]);
    let first = ground.commit("Begin", &[]);
    ground.git("shop", &["worktree", "add", "-q", "-b", "fix/cart", "../fix"]);
    let second = ground.commit("More", &[]);
    assert_eq!(ground.open("fix").head().unwrap().branch(), Some("fix/cart"));
    assert_eq!(ground.log("fix"), std::slice::from_ref(&first));
    assert_eq!(ground.log("shop"), [second, first]);
}

#[test]
fn a_submodule_is_read_by_way_of_its_git_file() {
    let ground = Ground::with_repository(&[]);
    let first = ground.commit("Begin", &[]);
    ground.git(".", &["init", "-q", "outer"]);
    ground.git("outer", &["submodule", "add", "-q", "../shop", "lib"]);
    assert!(ground.root.join("outer/lib/.git").is_file());
    assert_eq!(ground.log("outer/lib"), [first]);
}

#[test]
fn a_shallow_clone_ends_where_it_was_cut() {
    let ground = Ground::with_repository(&[]);
    for message in ["1", "2", "3"] {
        ground.commit(message, &[("a.txt", message)]);
    }
    let from = format!("file://{}", ground.root.join("shop").display());
    ground.git(".", &["clone", "-q", "--depth", "2", &from, "clone"]);
    let commits: Vec<_> = ground.open("clone").commits().unwrap().map(Result::unwrap).collect();
    let subjects: Vec<_> = commits.iter().map(|commit| commit.subject.as_str()).collect();
    assert_eq!(subjects, ["3", "2"]);
    assert_eq!(commits[1].parents, []);
}

#[test]
fn a_clone_that_borrows_objects_finds_them() {
    let ground = Ground::with_repository(&[]);
    let first = ground.commit("Begin", &[]);
    ground.git(".", &["clone", "-q", "--shared", "shop", "borrower"]);
    assert_eq!(ground.log("borrower"), [first]);
}

#[test]
fn a_bare_repository_is_one() {
    let ground = Ground::with_repository(&[]);
    let first = ground.commit("Begin", &[]);
    ground.git(".", &["clone", "-q", "--bare", "shop", "shop.git"]);
    assert_eq!(ground.log("shop.git"), [first]);
}

#[test]
fn the_longer_hash_is_read_as_well() {
    let ground = Ground::with_repository(&["--object-format=sha256"]);
    let first = ground.commit("Begin", &[("a.txt", "a")]);
    assert_eq!(first.len(), 64);
    assert_eq!(ground.log("shop"), [first]);
    assert_eq!(changes(&ground.open("shop"), 9).0, [("a.txt".to_owned(), Change::Added)]);
}

#[test]
fn a_commit_in_another_encoding_is_no_reason_to_stop() {
    let ground = Ground::with_repository(&[]);
    ground.git("shop", &["config", "i18n.commitEncoding", "ISO-8859-1"]);
    ground.commit("Käse", &[]);
    let commit = ground.open("shop").commits().unwrap().next().unwrap().unwrap();
    assert!(commit.subject.starts_with('K'), "{}", commit.subject);
}

#[test]
fn a_folder_below_is_in_the_repository_and_one_beside_is_in_none() {
    let ground = Ground::with_repository(&[]);
    ground.commit("Begin", &[("a/b/c.rs", "")]);
    let root = ground.root.join("shop");
    assert_eq!(Location::discover(&root.join("a/b")).map(|found| found.root), Some(root));
    assert!(Repository::discover(&ground.root).unwrap().is_none());
}

#[test]
fn damage_is_told_and_leads_nowhere_else() {
    let ground = Ground::with_repository(&[]);
    ground.commit("Begin", &[]);
    let head = |text: &str| {
        fs::write(ground.root.join("shop/.git/HEAD"), text).unwrap();
        ground.open("shop").head().unwrap_err().to_string()
    };
    assert!(head("ref: refs/../../../secret\n").contains(": \"refs/../../../secret\" is no reference; "));
    assert!(head("ref: /etc/passwd\n").contains(": \"/etc/passwd\" is no reference; "));
    assert!(head("ref: refs/heads/.invalid\n").contains("a reftable"));
    assert!(head("nonsense").contains("cannot be read"));
    let nowhere = "0123456789012345678901234567890123456789";
    fs::write(ground.root.join("shop/.git/HEAD"), nowhere).unwrap();
    let failed = ground.open("shop").commits().unwrap().next().unwrap().unwrap_err();
    assert_eq!(
        failed.to_string(),
        format!("the object {nowhere} is not in this clone; fetch the rest, or clone the whole repository")
    );
}

#[test]
fn reading_leaves_no_trace() {
    let ground = Ground::with_repository(&[]);
    ground.commit("Begin", &[("a.txt", "a")]);
    let before = listing(&ground.root.join("shop"));
    let repository = ground.open("shop");
    assert_eq!(changes(&repository, 9).0.len(), 1);
    assert_eq!(listing(&ground.root.join("shop")), before);
}

fn listing(folder: &Path) -> Vec<(PathBuf, std::time::SystemTime, u64)> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let about = entry.metadata().unwrap();
        found.push((entry.path(), about.modified().unwrap(), about.len()));
        if about.is_dir() {
            found.extend(listing(&entry.path()));
        }
    }
    found.sort();
    found
}
