//! Which project a folder belongs to, seen through real repositories.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, git, on_both, repository, shows};

on_both!(
    all_worktrees_of_a_repository_are_one_project,
    clones_of_a_remote_are_one_project_however_it_is_written,
    a_submodule_is_a_project_of_its_own,
    a_plain_folder_and_its_subfolders_are_one_project,
    a_project_file_marks_the_top_of_a_plain_folder,
    a_subfolder_of_a_repository_belongs_to_it,
    flag_beats_environment_beats_project_file_beats_user_file,
    a_renamed_project_keeps_its_old_name,
    an_alias_is_another_name,
    a_name_belongs_to_one_project,
    a_folder_is_adopted_by_another_project,
    two_folders_of_the_same_name_are_two_projects,
    a_repository_that_gains_a_remote_stays_the_same,
    a_folder_used_for_another_repository_is_another_project,
    a_named_project_does_not_capture_the_folder,
    looking_at_an_unknown_project_shows_nothing_and_makes_none,
    wrong_names_are_refused,
    projects_are_shown_to_people,
);

fn project(home: &Home, folder: &Path) -> Json {
    home.call(&["project", "show"]).within(folder).json()
}

fn id(home: &Home, folder: &Path) -> String {
    project(home, folder)["id"].as_str().unwrap().to_owned()
}

fn remote(folder: &Path, url: &str) {
    git(folder, &["remote", "add", "origin", url]);
}

fn all_worktrees_of_a_repository_are_one_project(home: &Home) {
    let main = home.work("main");
    repository(&main);
    let (linked, elsewhere) = (home.work("").join("linked"), home.path().join("elsewhere"));
    git(&main, &["worktree", "add", "-q", linked.to_str().unwrap()]);
    git(&main, &["worktree", "add", "-q", "-b", "fix/it", elsewhere.to_str().unwrap()]);
    let first = id(home, &linked);
    assert_eq!(id(home, &main), first);
    assert_eq!(id(home, &elsewhere), first);
    assert_eq!(project(home, &linked)["name"], "main", "named after the repository, not the worktree");
    home.call(&["log", "append", "--kind", "read", "--session", "s"]).within(&elsewhere).ok();
    let session = home.call(&["session", "status", "s"]).within(&main).json();
    assert_eq!(session["git_branch"], "fix/it");
    let bare = home.path().join("bare.git");
    git(home.path(), &["clone", "-q", "--bare", main.to_str().unwrap(), bare.to_str().unwrap()]);
    git(&bare, &["remote", "remove", "origin"]);
    let (one, two) = (home.path().join("one"), home.path().join("two"));
    git(&bare, &["worktree", "add", "-q", "-b", "one", one.to_str().unwrap()]);
    git(&bare, &["worktree", "add", "-q", "-b", "two", two.to_str().unwrap()]);
    assert_eq!(id(home, &one), id(home, &two));
    assert_eq!(project(home, &one)["name"], "bare");
}

fn clones_of_a_remote_are_one_project_however_it_is_written(home: &Home) {
    let urls = [
        "https://github.com/acme/shop.git",
        "git@github.com:acme/shop.git",
        "ssh://git@github.com:22/acme/shop",
        "https://token@GitHub.com/Acme/Shop/",
    ];
    let mut ids = Vec::new();
    for (n, url) in urls.iter().enumerate() {
        let folder = home.work(&format!("clone{n}"));
        repository(&folder);
        remote(&folder, url);
        ids.push(id(home, &folder));
    }
    ids.dedup();
    assert_eq!(ids.len(), 1);
    let shown = project(home, &home.work("clone1"));
    assert_eq!(shown["name"], "shop");
    assert!(!shown.to_string().contains("token"), "a login is not kept: {shown}");
    let other = home.work("other");
    repository(&other);
    remote(&other, "https://github.com/acme/shop2.git");
    assert_ne!(id(home, &other), ids[0]);
}

fn a_submodule_is_a_project_of_its_own(home: &Home) {
    let (library, main) = (home.work("library"), home.work("main"));
    repository(&library);
    repository(&main);
    git(&main, &["submodule", "--quiet", "add", library.to_str().unwrap(), "vendor/library"]);
    let inside = main.join("vendor/library");
    assert_ne!(id(home, &main), id(home, &inside));
    assert_eq!(project(home, &inside)["name"], "library");
}

fn a_plain_folder_and_its_subfolders_are_one_project(home: &Home) {
    let (top, inner) = (home.work("plain"), home.work("plain/src/deep"));
    let first = id(home, &top);
    assert_eq!(id(home, &inner), first);
    assert_ne!(id(home, &home.work("beside")), first);
    let user = home.path().join("user");
    let below = user.join("notes");
    fs::create_dir_all(&below).unwrap();
    assert_ne!(id(home, &user), id(home, &below), "the home folder takes nothing in");
}

fn a_project_file_marks_the_top_of_a_plain_folder(home: &Home) {
    let (top, inner) = (home.work("marked"), home.work("marked/src"));
    fs::write(top.join(".throughline.toml"), "").unwrap();
    let first = id(home, &inner);
    assert_eq!(id(home, &top), first);
    assert_eq!(project(home, &inner)["name"], "marked");
}

fn a_subfolder_of_a_repository_belongs_to_it(home: &Home) {
    let top = home.work("repo");
    repository(&top);
    let inner = home.work("repo/src/deep");
    assert_eq!(id(home, &inner), id(home, &top));
    assert_eq!(project(home, &inner)["name"], "repo");
}

fn flag_beats_environment_beats_project_file_beats_user_file(home: &Home) {
    let name = |args: &[&str], env: Option<&str>| {
        let call = home.call(&[args, &["project", "show"]].concat());
        let call = if let Some(env) = env { call.env("THROUGHLINE_PROJECT", env) } else { call };
        call.json()["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(name(&[], None), "shop");
    home.write("data/config.toml", "[project]\nname = \"of-the-user\"\n");
    assert_eq!(name(&[], None), "of-the-user");
    home.write("work/shop/.throughline.toml", "[project]\nname = \"of-the-team\"\n");
    assert_eq!(name(&[], None), "of-the-team");
    assert_eq!(name(&[], Some("of-the-environment")), "of-the-environment");
    assert_eq!(name(&["--project", "of-the-flag"], Some("of-the-environment")), "of-the-flag");
    assert_eq!(name(&[], Some("")), "of-the-team", "an empty variable says nothing");
}

fn a_renamed_project_keeps_its_old_name(home: &Home) {
    home.ok(&["log", "append", "--kind", "read"]);
    let before = home.json(&["project", "show"]);
    let renamed = home.json(&["project", "rename", "store"]);
    assert_eq!((&renamed["id"], &renamed["name"]), (&before["id"], &json!("store")));
    assert_eq!(home.json(&["--project", "shop", "project", "show"]), renamed);
    assert_eq!(home.json(&["--project", "store", "log", "tail"])["total"], 1);
    assert_eq!(home.json(&["project", "show"]), renamed);
    home.ok(&["project", "rename", "shop"]);
    assert_eq!(home.json(&["--project", "store", "project", "show"])["name"], "shop", "and back again");
}

fn an_alias_is_another_name(home: &Home) {
    let before = home.json(&["project", "show"]);
    let aliased = home.json(&["project", "alias", "the-shop"]);
    assert_eq!((&aliased["id"], &aliased["name"]), (&before["id"], &json!("shop")));
    assert_eq!(home.json(&["project", "alias", "the-shop"]), aliased, "twice is once");
    assert_eq!(home.json(&["--project", "the-shop", "project", "show"])["id"], before["id"]);
}

fn a_name_belongs_to_one_project(home: &Home) {
    home.call(&["project", "show"]).within(&home.work("other")).ok();
    let before = home.json(&["project", "show"]);
    let errors = [home.fails(&["project", "rename", "other"]), home.fails(&["project", "alias", "other"])];
    shows!(home, errors.concat(), @r#"
    error: the name "other" belongs to another project; choose a different one (`throughline project list`)
    error: the name "other" belongs to another project; choose a different one (`throughline project list`)
    "#);
    assert_eq!(home.json(&["project", "show"]), before);
}

fn a_folder_is_adopted_by_another_project(home: &Home) {
    home.ok(&["log", "append", "--kind", "read", "--content", "in shop"]);
    let other = home.work("other");
    repository(&other);
    home.call(&["log", "append", "--kind", "read", "--content", "in other"]).within(&other).ok();
    let adopted = home.call(&["project", "adopt", "shop"]).within(&other).json();
    assert_eq!(adopted["name"], "shop");
    let tail = home.call(&["log", "tail"]).within(&other).json();
    assert_eq!(tail["events"][0]["content"], "in shop");
    assert_eq!(home.json(&["--project", "other", "log", "tail"])["events"][0]["content"], "in other");
    let error = home.fails(&["project", "adopt", "nobody"]);
    shows!(home, error, @r#"error: there is no project "nobody"; known are: other, shop"#);
}

fn two_folders_of_the_same_name_are_two_projects(home: &Home) {
    let (one, two) = (home.work("a/api"), home.work("b/api"));
    repository(&one);
    repository(&two);
    assert_ne!(id(home, &one), id(home, &two));
    assert_eq!(project(home, &one)["name"], "api");
    assert_eq!(project(home, &two)["name"], "api-2");
    let third = home.work("c");
    repository(&third);
    remote(&third, "https://example.org/acme/api.git");
    assert_eq!(project(home, &third)["name"], "api-3");
}

fn a_repository_that_gains_a_remote_stays_the_same(home: &Home) {
    let folder = home.work("young");
    repository(&folder);
    let before = id(home, &folder);
    remote(&folder, "https://example.org/acme/grown.git");
    assert_eq!(id(home, &folder), before);
    let clone = home.work("clone");
    repository(&clone);
    remote(&clone, "git@example.org:acme/grown.git");
    assert_eq!(id(home, &clone), before, "its clones belong to it now");
}

fn a_folder_used_for_another_repository_is_another_project(home: &Home) {
    let folder = home.work("reused");
    repository(&folder);
    remote(&folder, "https://example.org/acme/first.git");
    let first = id(home, &folder);
    fs::remove_dir_all(folder.join(".git")).unwrap();
    repository(&folder);
    remote(&folder, "https://example.org/acme/second.git");
    let second = id(home, &folder);
    assert_ne!(first, second);
    let clone = home.work("clone");
    repository(&clone);
    remote(&clone, "https://example.org/acme/first.git");
    assert_eq!(id(home, &clone), first);
}

fn a_named_project_does_not_capture_the_folder(home: &Home) {
    let named = home.json(&["--project", "elsewhere", "project", "show"]);
    assert_eq!(named["name"], "elsewhere");
    assert_eq!(home.json(&["project", "show"])["name"], "shop");
}

fn looking_at_an_unknown_project_shows_nothing_and_makes_none(home: &Home) {
    home.ok(&["log", "append", "--kind", "read"]);
    let ran = home.call(&["--project", "shpo", "log", "tail", "--json"]).run();
    assert_eq!(
        (ran.code, serde_json::from_str::<Json>(&ran.stdout).unwrap()["total"].clone()),
        (0, json!(0))
    );
    shows!(home, ran.stderr, @r#"warning: there is no project "shpo"; known are: shop"#);
    let projects = home.json(&["project", "list"])["projects"].clone();
    assert_eq!(projects.as_array().unwrap().len(), 1, "{projects}");
}

fn wrong_names_are_refused(home: &Home) {
    let long = "n".repeat(201);
    for name in ["", " outer", "line\nbreak", &long] {
        for command in [
            &["--project", name, "project", "show"][..],
            &["project", "rename", name],
            &["project", "alias", name],
        ] {
            let error = home.fails(command);
            assert!(
                error.contains("cannot be a project's name; use 1 to 200 characters"),
                "{command:?}: {error}"
            );
        }
    }
    shows!(home, home.fails(&["project", "rename", " x"]), @r#"error: " x" cannot be a project's name; use 1 to 200 characters without line breaks or outer spaces"#);
}

fn projects_are_shown_to_people(home: &Home) {
    home.ok(&["log", "append", "--kind", "read"]);
    home.call(&["project", "show"]).within(&home.work("other")).ok();
    shows!(home, home.ok(&["project", "show"]), @r"
    shop (ID1), 1 events, recognised by
      folder:[TMP]/work/shop
      name:shop
    ");
    shows!(home, home.ok(&["project", "list"]), @r"
    NAME   ID                    EVENTS  SINCE (UTC)
    other  ID1  0       TIME
    shop   ID2  1       TIME
    ");
    assert_eq!(
        home.plain_json(&home.json(&["project", "list"])),
        json!({"projects": [
            {"id": "ID1", "name": "other", "created_at": "TIME", "events": 0, "keys": ["folder:[TMP]/work/other", "name:other"]},
            {"id": "ID2", "name": "shop", "created_at": "TIME", "events": 1, "keys": ["folder:[TMP]/work/shop", "name:shop"]},
        ]})
    );
}
