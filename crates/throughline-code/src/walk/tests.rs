//! Folders with everything in them that is not source.

use std::fs;

use super::walk;

fn paths(root: &std::path::Path) -> Vec<String> {
    walk(root, usize::MAX).files.into_iter().map(|entry| entry.path).collect()
}

#[test]
fn what_is_ignored_foreign_or_linked_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for path in [
        "src/main.rs",
        "target/debug/x.rs",
        "node_modules/a/i.js",
        "web/app.min.js",
        ".github/ci.yml",
        "keep.log",
    ] {
        fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        fs::write(root.join(path), "x\n").unwrap();
    }
    fs::write(root.join(".gitignore"), "target/\n*.log\n!keep.log\n").unwrap();
    fs::write(root.join("large.txt"), vec![b'x'; super::MAX_BYTES + 1]).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("..", root.join("src/up")).unwrap();
        std::os::unix::fs::symlink("main.rs", root.join("src/again.rs")).unwrap();
        std::os::unix::fs::symlink("loop", root.join("loop")).unwrap();
    }
    assert_eq!(paths(root), [".github/ci.yml", ".gitignore", "keep.log", "src/main.rs"]);
    assert_eq!(walk(root, usize::MAX).large, 1);
    assert!(walk(root, 2).more && walk(root, 2).files.len() == 2);
}

#[test]
fn a_folder_that_is_not_there_has_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let walked = walk(&folder.path().join("gone"), 10);
    assert_eq!((walked.files.len(), walked.unreadable), (0, 1));
}
