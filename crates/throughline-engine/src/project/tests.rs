//! Which project a folder is, with real folders and git files written by hand.

use std::fs;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use tempfile::TempDir;
use throughline_store::id::ProjectId;
use throughline_store::project::Project;

use super::{Described, Folder, Git, PROJECT_FILE};
use crate::settings::Settings;
use crate::testing::{START, Time, ids, plain, refused, store};
use crate::{Engine, Error};

/// An engine that knows no project yet, and a folder to make some in.
struct Ground {
    engine: Engine,
    _folder: TempDir,
    root: PathBuf,
}

impl Ground {
    fn new() -> Ground {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let store = store(throughline_store::Location::Memory);
        let engine = Engine::new(store, Time::new().clock(), ids(1), Settings::default());
        Ground { engine, _folder: folder, root }
    }

    fn path(&self, path: &str) -> PathBuf {
        let path = self.root.join(path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A git folder as `git init` leaves it, for our purposes.
    fn git_dir(&self, path: &str, remotes: &[(&str, &str)]) {
        self.write(&format!("{path}/HEAD"), "ref: refs/heads/main\n");
        let remotes: Vec<String> =
            remotes.iter().map(|(name, url)| format!("[remote \"{name}\"]\n\turl = {url}\n")).collect();
        self.write(&format!("{path}/config"), &format!("[core]\n\tbare = false\n{}", remotes.join("")));
    }

    fn repo(&self, path: &str, remotes: &[(&str, &str)]) -> Folder {
        self.git_dir(&format!("{path}/.git"), remotes);
        self.discover(path)
    }

    fn discover(&self, path: &str) -> Folder {
        Folder::discover(&self.path(path))
    }

    fn project(&self, folder: &Folder) -> Project {
        self.engine.project(folder, None).unwrap()
    }

    fn named(&self, name: &str) -> Project {
        self.engine.project(&plain("/nowhere"), Some(name)).unwrap()
    }

    /// The keys of a project, with the ground cut off.
    fn keys(&self, project: &Project) -> Vec<String> {
        let ground = format!("{}/", self.root.display());
        let described = self.engine.describe_project(&project.id).unwrap();
        described.keys.iter().map(|key| key.replace(&ground, "")).collect()
    }
}

fn git(common_dir: PathBuf, remote: Option<&str>, branch: Option<&str>) -> Option<Git> {
    Some(Git { common_dir, remote: remote.map(str::to_owned), branch: branch.map(str::to_owned) })
}

mod discovering {
    use super::*;

    #[test]
    fn a_repository_is_found_from_any_folder_in_it() {
        let ground = Ground::new();
        let found = ground.repo("shop", &[("origin", "git@github.com:Acme/Shop.git")]);
        let common_dir = ground.root.join("shop/.git");
        let expected = Folder {
            root: ground.root.join("shop"),
            git: git(common_dir, Some("github.com/acme/shop"), Some("main")),
        };
        assert_eq!(found, expected);
        assert_eq!(ground.discover("shop/src/deep"), expected);
        assert_eq!(found.suggested_name(), "shop");
    }

    #[test]
    fn a_worktree_shares_the_repository_and_has_its_own_branch() {
        let ground = Ground::new();
        ground.repo("shop", &[]);
        let own = ground.root.join("shop/.git/worktrees/fix");
        ground.write("elsewhere/fix/.git", &format!("gitdir: {}\n", own.display()));
        ground.write("shop/.git/worktrees/fix/HEAD", "ref: refs/heads/fix/cart\n");
        ground.write("shop/.git/worktrees/fix/commondir", "../..\n");
        let found = ground.discover("elsewhere/fix/src");
        assert_eq!(found.root, ground.root.join("elsewhere/fix"));
        assert_eq!(found.git, git(ground.root.join("shop/.git"), None, Some("fix/cart")));
        assert_eq!(found.suggested_name(), "shop");
    }

    #[test]
    fn a_worktree_of_a_bare_repository_is_named_after_the_repository() {
        let ground = Ground::new();
        ground.git_dir("shop.git", &[]);
        ground.write("fix/.git", "gitdir: ../shop.git/worktrees/fix\n");
        ground.write("shop.git/worktrees/fix/HEAD", "0123456789abcdef\n");
        ground.write("shop.git/worktrees/fix/commondir", "../..\n");
        let found = ground.discover("fix");
        assert_eq!(found.git, git(ground.root.join("shop.git"), None, None));
        assert_eq!(found.suggested_name(), "shop");
    }

    #[test]
    fn a_submodule_is_a_repository_of_its_own() {
        let ground = Ground::new();
        ground.repo("shop", &[("origin", "https://github.com/acme/shop")]);
        ground.write("shop/vendor/lib/.git", "gitdir: ../../.git/modules/lib\n");
        ground.git_dir("shop/.git/modules/lib", &[("origin", "https://github.com/acme/lib")]);
        let found = ground.discover("shop/vendor/lib");
        assert_eq!(found.root, ground.root.join("shop/vendor/lib"));
        let common_dir = ground.root.join("shop/.git/modules/lib");
        assert_eq!(found.git, git(common_dir, Some("github.com/acme/lib"), Some("main")));
        assert_eq!(found.suggested_name(), "lib");
    }

    #[test]
    fn origin_is_the_remote_else_the_first() {
        let ground = Ground::new();
        let remote = |path: &str, remotes: &[(&str, &str)]| ground.repo(path, remotes).git.unwrap().remote;
        let (fork, origin) = (("fork", "a.org:x/fork"), ("origin", "a.org:x/shop"));
        assert_eq!(remote("1", &[fork, origin]).as_deref(), Some("a.org/x/shop"));
        assert_eq!(remote("2", &[fork, ("other", "a.org:x/other")]).as_deref(), Some("a.org/x/fork"));
        assert_eq!(remote("3", &[]), None);
    }

    #[test]
    fn a_git_file_that_leads_nowhere_is_no_repository() {
        let ground = Ground::new();
        ground.write("a/.git", "gitdir: /nowhere/at/all\n");
        ground.write("b/.git", "something else\n");
        ground.path("c/.git");
        for name in ["a", "b", "c"] {
            assert_eq!(ground.discover(name), plain(ground.root.join(name)));
        }
    }

    #[test]
    fn a_project_file_marks_the_top_of_a_plain_folder() {
        let ground = Ground::new();
        ground.write(&format!("notes/{PROJECT_FILE}"), "");
        assert_eq!(ground.discover("notes/2026/january"), plain(ground.root.join("notes")));
        assert_eq!(ground.discover("other/deep"), plain(ground.root.join("other/deep")));
    }

    #[test]
    fn a_repository_is_the_project_also_below_a_project_file() {
        let ground = Ground::new();
        ground.write(PROJECT_FILE, "");
        assert_eq!(ground.repo("shop", &[]).root, ground.root.join("shop"));
    }

    #[test]
    fn a_folder_that_does_not_exist_is_itself() {
        assert_eq!(Folder::discover(Path::new("/nowhere/at/all")), plain("/nowhere/at/all"));
    }
}

mod recognising {
    use super::*;

    #[test]
    fn a_folder_is_made_a_project_on_first_sight_and_known_from_then_on() {
        let ground = Ground::new();
        let folder = ground.discover("my shop");
        let project = ground.project(&folder);
        let expected =
            Project { id: project.id.clone(), name: "my-shop".into(), created_at: START, last_position: 0 };
        assert_eq!(project, expected);
        assert_eq!(ground.project(&folder), project);
        assert_eq!(ground.named("my-shop"), project);
        assert_eq!(ground.keys(&project), ["folder:my shop", "name:my-shop"]);
        let described =
            Described { keys: ground.engine.describe_project(&project.id).unwrap().keys, project };
        assert_eq!(ground.engine.projects().unwrap(), [described]);
    }

    #[test]
    fn clones_of_one_remote_are_one_project() {
        let ground = Ground::new();
        let first = ground.project(&ground.repo("a/shop", &[("origin", "git@github.com:acme/shop.git")]));
        let second = ground.project(&ground.repo("b/clone", &[("origin", "https://github.com/acme/shop")]));
        assert_eq!(first, second);
        assert_eq!(ground.keys(&first), ["folder:a/shop/.git", "name:shop", "remote:github.com/acme/shop"]);
    }

    #[test]
    fn worktrees_of_one_repository_are_one_project_and_submodules_are_another() {
        let ground = Ground::new();
        let main = ground.project(&ground.repo("shop", &[]));
        ground.write("fix/.git", "gitdir: ../shop/.git/worktrees/fix\n");
        ground.write("shop/.git/worktrees/fix/HEAD", "ref: refs/heads/fix\n");
        ground.write("shop/.git/worktrees/fix/commondir", "../..\n");
        ground.write("shop/lib/.git", "gitdir: ../.git/modules/lib\n");
        ground.git_dir("shop/.git/modules/lib", &[]);
        assert_eq!(ground.project(&ground.discover("fix")), main);
        assert_ne!(ground.project(&ground.discover("shop/lib")).id, main.id);
    }

    #[test]
    fn repositories_with_remotes_of_the_same_relative_path_are_two_projects() {
        let ground = Ground::new();
        let first = ground.project(&ground.repo("a/work", &[("origin", "../shop.git")]));
        let second = ground.project(&ground.repo("b/work", &[("origin", "../shop.git")]));
        assert_ne!(first.id, second.id, "a/shop.git is not b/shop.git");
    }

    #[test]
    fn a_folder_inside_a_plain_project_belongs_to_it() {
        let ground = Ground::new();
        let notes = ground.project(&ground.discover("notes"));
        assert_eq!(ground.project(&ground.discover("notes/2026/january")), notes);
        assert_ne!(ground.project(&ground.discover("notes-2")).id, notes.id);
    }

    #[test]
    fn a_repository_inside_a_plain_project_is_its_own() {
        let ground = Ground::new();
        let notes = ground.project(&ground.discover("notes"));
        assert_ne!(ground.project(&ground.repo("notes/shop", &[])).id, notes.id);
    }

    #[test]
    fn the_nearest_enclosing_project_wins() {
        let ground = Ground::new();
        let inner = ground.project(&ground.discover("notes/work"));
        let outer = ground.project(&ground.discover("notes"));
        assert_ne!(inner.id, outer.id);
        assert_eq!(ground.project(&ground.discover("notes/work/deep")), inner);
        assert_eq!(ground.project(&ground.discover("notes/home")), outer);
    }

    #[test]
    fn the_home_folder_holds_no_other_folders_but_is_a_project() {
        let ground = Ground::new();
        let home = std::env::home_dir().unwrap();
        let at_home = ground.project(&plain(&home));
        assert_ne!(ground.project(&plain(home.join("notes"))).id, at_home.id);
        assert_eq!(ground.project(&plain(&home)), at_home);
    }

    #[test]
    fn the_root_holds_no_other_folders_but_is_a_project() {
        let ground = Ground::new();
        let at_root = ground.project(&plain("/"));
        assert_eq!(at_root.name, "root");
        assert_ne!(ground.project(&plain("/nowhere/at/all")).id, at_root.id);
        assert_eq!(ground.project(&plain("/")), at_root);
    }

    #[test]
    fn a_repository_that_gains_its_first_remote_stays_the_same_project() {
        let ground = Ground::new();
        let before = ground.project(&ground.repo("shop", &[]));
        let after = ground.project(&ground.repo("shop", &[("origin", "https://github.com/acme/store")]));
        assert_eq!(after, before);
        let expected = ["folder:shop/.git", "name:shop", "remote:github.com/acme/store"];
        assert_eq!(ground.keys(&after), expected);
        let clone = ground.project(&ground.repo("clone", &[("origin", "https://github.com/acme/store")]));
        assert_eq!(clone, before);
    }

    #[test]
    fn a_folder_used_again_for_another_repository_is_another_project() {
        let ground = Ground::new();
        let first = ground.project(&ground.repo("work", &[("origin", "https://github.com/acme/shop")]));
        let second = ground.project(&ground.repo("work", &[("origin", "https://github.com/acme/lib")]));
        assert_ne!(second.id, first.id);
        assert_eq!(ground.keys(&first), ["name:shop", "remote:github.com/acme/shop"]);
        assert_eq!(ground.keys(&second), ["folder:work/.git", "name:lib", "remote:github.com/acme/lib"]);
    }

    #[test]
    fn a_name_that_is_taken_is_numbered() {
        let ground = Ground::new();
        let names = ["a/shop", "b/shop", "c/shop"].map(|path| ground.project(&ground.discover(path)).name);
        assert_eq!(names, ["shop", "shop-2", "shop-3"]);
    }

    #[test]
    fn a_named_project_does_not_capture_the_folder_it_was_first_named_in() {
        let ground = Ground::new();
        let folder = ground.discover("work");
        let named = ground.engine.project(&folder, Some("side project")).unwrap();
        assert_eq!(ground.keys(&named), ["name:side project"]);
        assert_ne!(ground.project(&folder).id, named.id);
        assert_eq!(ground.named("side project"), named, "from anywhere");
    }

    #[test]
    fn a_project_can_be_called_by_the_name_it_was_given() {
        let ground = Ground::new();
        let project = ground.project(&ground.discover(&"漢".repeat(80)));
        assert_eq!(ground.engine.project(&plain("/nowhere"), Some(&project.name)).unwrap(), project);
    }

    #[test]
    fn names_that_cannot_be_names_are_refused() {
        let ground = Ground::new();
        let long = "x".repeat(201);
        let messages = ["", " shop", "two\nlines", &long].map(|name| {
            refused(ground.engine.project(&plain("/nowhere"), Some(name))).replace(&long, "xxx…")
        });
        assert_snapshot!(messages.join("\n"), @r#"
        invalid: "" cannot be a project's name; use 1 to 200 characters without line breaks or outer spaces
        invalid: " shop" cannot be a project's name; use 1 to 200 characters without line breaks or outer spaces
        invalid: "two\nlines" cannot be a project's name; use 1 to 200 characters without line breaks or outer spaces
        invalid: "xxx…" cannot be a project's name; use 1 to 200 characters without line breaks or outer spaces
        "#);
        assert_eq!(ground.engine.projects().unwrap(), []);
    }
}

mod renaming {
    use super::*;

    #[test]
    fn a_renamed_project_answers_to_both_names() {
        let ground = Ground::new();
        let shop = ground.named("shop");
        let store = ground.engine.rename_project(&shop.id, "store").unwrap();
        assert_eq!(store, Project { name: "store".into(), ..shop });
        assert_eq!((ground.named("shop"), ground.named("store")), (store.clone(), store.clone()));
        assert_eq!(ground.engine.rename_project(&store.id, "shop").unwrap().name, "shop", "and back");
        assert_eq!(ground.keys(&store), ["name:shop", "name:store"]);
    }

    #[test]
    fn an_alias_is_a_further_name() {
        let ground = Ground::new();
        let shop = ground.named("shop");
        let described = ground.engine.alias_project(&shop.id, "store").unwrap();
        let keys = vec!["name:shop".to_owned(), "name:store".to_owned()];
        assert_eq!(described, Described { project: shop.clone(), keys });
        assert_eq!(ground.named("store"), shop);
        assert_eq!(ground.engine.alias_project(&shop.id, "store").unwrap(), described, "twice is once");
    }

    #[test]
    fn a_name_of_another_project_cannot_be_taken() {
        let ground = Ground::new();
        let (shop, lib) = (ground.named("shop"), ground.named("lib"));
        let messages = [
            refused(ground.engine.rename_project(&shop.id, "lib")),
            refused(ground.engine.alias_project(&shop.id, "lib")),
        ];
        assert_snapshot!(messages.join("\n"), @r#"
        conflict: the name "lib" belongs to another project; choose a different one (`throughline project list`)
        conflict: the name "lib" belongs to another project; choose a different one (`throughline project list`)
        "#);
        assert_eq!((ground.named("shop"), ground.named("lib")), (shop, lib));
    }

    #[test]
    fn the_refusal_of_an_alias_names_what_was_asked_for() {
        let ground = Ground::new();
        let (shop, lib) = (ground.named("shop"), ground.named("lib"));
        ground.engine.alias_project(&lib.id, "helpers").unwrap();
        assert_snapshot!(
            refused(ground.engine.rename_project(&shop.id, "helpers")),
            @r#"conflict: the name "helpers" belongs to another project; choose a different one (`throughline project list`)"#
        );
    }

    #[test]
    fn a_project_that_is_not_there_is_not_renamed() {
        let ground = Ground::new();
        let id = ProjectId::from("nope".to_owned());
        assert_snapshot!(refused(ground.engine.rename_project(&id, "shop")), @"not found: there is no project nope; `throughline project list` shows those there are");
        assert_snapshot!(refused(ground.engine.alias_project(&id, "shop")), @"not found: there is no project nope; `throughline project list` shows those there are");
        assert_snapshot!(refused(ground.engine.describe_project(&id)), @"not found: there is no project nope; `throughline project list` shows those there are");
        assert_eq!(ground.named("shop").name, "shop", "the name is still free");
    }
}

mod adopting {
    use super::*;

    #[test]
    fn an_adopted_folder_belongs_to_the_named_project() {
        let ground = Ground::new();
        let store = ground.named("store");
        let repo = ground.repo("shop", &[("origin", "https://github.com/acme/shop")]);
        let before = ground.project(&repo);
        ground.engine.adopt_folder(&repo, "store").unwrap();
        assert_eq!(ground.project(&repo), store);
        let clone = ground.repo("clone", &[("origin", "https://github.com/acme/shop")]);
        assert_eq!(ground.project(&clone), store, "with its repository");
        assert_eq!(ground.keys(&store), ["folder:shop/.git", "name:store", "remote:github.com/acme/shop"]);
        assert_eq!(ground.named("shop"), before, "by its name it is still there");
    }

    #[test]
    fn a_part_of_a_plain_project_can_be_adopted_by_another() {
        let ground = Ground::new();
        let notes = ground.project(&ground.discover("notes"));
        let work = ground.named("work");
        ground.engine.adopt_folder(&ground.discover("notes/work"), "work").unwrap();
        assert_eq!(ground.project(&ground.discover("notes/work/deep")), work);
        assert_eq!(ground.project(&ground.discover("notes/home")), notes);
    }

    #[test]
    fn an_unknown_project_adopts_nothing_and_the_refusal_names_those_there_are() {
        let ground = Ground::new();
        let folder = ground.discover("work");
        let before = ground.project(&folder);
        ground.named("lib");
        let outcome = ground.engine.adopt_folder(&folder, "libs");
        assert!(matches!(outcome, Err(Error::NotFound(_))));
        assert_snapshot!(refused(outcome), @r#"not found: there is no project "libs"; known are: lib, work"#);
        assert_eq!(ground.project(&folder), before);
    }
}
