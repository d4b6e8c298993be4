//! A diff that `patch` understands.

use insta::assert_snapshot;

use super::*;

#[test]
fn changes_are_shown_with_what_is_around_them() {
    let old: String = (1..=20).map(|n| format!("{n}\n")).collect();
    let new = old.replace("3\n4\n", "3\nthree and a half\n4\n").replace("\n19\n", "\n") + "end";
    assert_snapshot!(unified("/a/b", Some(&old), Some(&new)), @r"
    --- a/a/b
    +++ b/a/b
    @@ -1,6 +1,7 @@
     1
     2
     3
    +three and a half
     4
     5
     6
    @@ -16,5 +17,5 @@
     16
     17
     18
    -19
     20
    +end
    \ No newline at end of file
    ");
}

#[test]
fn files_come_and_go() {
    assert_snapshot!(unified("x", None, Some("a\n")), @r"
    --- /dev/null
    +++ b/x
    @@ -0,0 +1,1 @@
    +a
    ");
    assert_snapshot!(unified("x", Some("a\n"), None), @r"
    --- a/x
    +++ /dev/null
    @@ -1,1 +0,0 @@
    -a
    ");
    assert_eq!(unified("x", Some("a\n"), Some("a\n")), "");
}
