//! Which project a folder belongs to, read from its git files without starting git.

use std::fs;
use std::path::{Path, PathBuf};

use throughline_code::git::Location;

/// A folder as a project sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// The top of the work tree, or the folder itself.
    pub root: PathBuf,
    pub git: Option<Git>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Git {
    /// Shared by all worktrees of a repository.
    pub common_dir: PathBuf,
    /// Host and path, the same for every way of writing the address; no login.
    pub remote: Option<String>,
    pub branch: Option<String>,
}

pub const PROJECT_FILE: &str = ".throughline.toml";

/// What tells this machine from others that share a database; empty when the system does not say.
pub(crate) fn machine() -> String {
    let from_system =
        ["/etc/machine-id", "/etc/hostname"].iter().find_map(|path| fs::read_to_string(path).ok());
    let name =
        from_system.or_else(|| std::env::var("COMPUTERNAME").ok()).or_else(|| std::env::var("HOSTNAME").ok());
    name.unwrap_or_default().trim().to_owned()
}

impl Folder {
    pub fn discover(start: &Path) -> Folder {
        let start = fs::canonicalize(start).unwrap_or_else(|_| start.to_owned());
        for root in start.ancestors() {
            if let Some(git) = Git::at(root) {
                return Folder { root: root.to_owned(), git: Some(git) };
            }
        }
        let marked = start.ancestors().find(|folder| folder.join(PROJECT_FILE).is_file());
        Folder { root: marked.unwrap_or(&start).to_owned(), git: None }
    }

    /// The last part of the remote's path, else the folder's own name.
    pub fn suggested_name(&self) -> String {
        let from_remote = self.git.as_ref().and_then(|git| git.remote.as_deref()).and_then(last_segment);
        let home = match &self.git {
            // The work tree of a repository may have any name; its common folder is `NAME/.git` or `NAME.git`.
            Some(git) if git.common_dir.ends_with(".git") => git.common_dir.parent().unwrap_or(&self.root),
            Some(git) => &git.common_dir,
            None => &self.root,
        };
        let from_folder = || {
            let name = home.file_name().map(|name| name.to_string_lossy().into_owned());
            name.map(|name| name.trim_end_matches(".git").to_owned()).filter(|name| !name.is_empty())
        };
        from_remote.map(str::to_owned).or_else(from_folder).unwrap_or_else(|| "root".to_owned())
    }
}

impl Git {
    fn at(root: &Path) -> Option<Git> {
        let Location { git_dir, common_dir, .. } = Location::at(root)?;
        let head = fs::read_to_string(git_dir.join("HEAD")).ok()?;
        let config = fs::read_to_string(common_dir.join("config")).unwrap_or_default();
        let branch = head.trim().strip_prefix("ref: refs/heads/").map(str::to_owned);
        let base = common_dir.parent().unwrap_or(&common_dir);
        let remote = remote(&config).map(|url| normalised(url, base));
        Some(Git { remote, branch, common_dir })
    }
}

/// The address of `origin`, else of the first remote in the file.
fn remote(config: &str) -> Option<&str> {
    let mut in_remote = None;
    let mut first = None;
    for line in config.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            in_remote = section.strip_prefix("remote \"").and_then(|rest| rest.split('"').next());
        } else if let (Some(name), Some(url)) = (in_remote, value_of(line, "url")) {
            if name == "origin" {
                return Some(url);
            }
            first = first.or(Some(url));
        }
    }
    first
}

fn value_of<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let (name, value) = line.split_once('=')?;
    (name.trim().eq_ignore_ascii_case(key) && !value.trim().is_empty()).then(|| value.trim())
}

/// `git@Host:a/b.git`, `ssh://git@host:22/a/b` and `https://token@host/a/b/` are all `host/a/b`. A path is taken from
/// `base`, or else unrelated repositories with remotes of the same relative path would be one.
fn normalised(url: &str, base: &Path) -> String {
    let (scheme, rest) = url.split_once("://").map_or((None, url), |(scheme, rest)| (Some(scheme), rest));
    let is_address = scheme.is_some_and(|scheme| scheme != "file")
        || (scheme.is_none() && rest.split('/').next().is_some_and(|host| host.contains(':')));
    if !is_address {
        let path = base.join(rest);
        let path = fs::canonicalize(&path).unwrap_or(path).display().to_string();
        return path.trim_end_matches('/').trim_end_matches(".git").to_owned();
    }
    let (login_and_host, path) = match scheme {
        Some(_) => rest.split_once('/').unwrap_or((rest, "")),
        None => rest.split_once(':').unwrap_or((rest, "")),
    };
    let host = login_and_host.rsplit('@').next().unwrap_or(login_and_host).to_lowercase();
    let usual_port = match scheme {
        Some("http") => ":80",
        Some("https") => ":443",
        Some("git") => ":9418",
        _ => ":22",
    };
    let host = host.strip_suffix(usual_port).unwrap_or(&host);
    let path = path.trim_matches('/').trim_end_matches(".git").trim_end_matches('/');
    let path = if IGNORE_CASE.contains(&host) { path.to_lowercase() } else { path.to_owned() };
    format!("{host}/{path}")
}

/// Forges that find a repository whatever the case of its name.
const IGNORE_CASE: [&str; 3] = ["github.com", "gitlab.com", "bitbucket.org"];

fn last_segment(path: &str) -> Option<&str> {
    path.rsplit('/').next().filter(|segment| !segment.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Path, normalised, remote};

    #[test]
    fn every_way_to_write_a_remote_is_the_same_remote() {
        let base = Path::new("/nowhere");
        let same = [
            "git@GitHub.com:acme/Shop.git",
            "https://github.com/acme/shop",
            "https://x-token:abc@github.com/acme/shop.git/",
            "ssh://git@github.com:22/acme/shop.git",
            "git://github.com/acme/shop.git",
        ];
        for url in same {
            assert_eq!(normalised(url, base), "github.com/acme/shop", "{url}");
        }
        assert_ne!(normalised("http://h:3000/a/b", base), normalised("http://h:4000/a/b", base));
        assert_ne!(normalised("ssh://h/a/B", base), normalised("ssh://h/a/b", base));
        assert_eq!(normalised("https://[2001:db8::1]/a/b", base), "[2001:db8::1]/a/b");
        assert_eq!(normalised("/srv/git/shop.git", base), "/srv/git/shop");
        assert_eq!(normalised("file:///srv/git/shop.git", base), "/srv/git/shop");
        assert_eq!(normalised("../shop.git", base), "/nowhere/../shop");
    }

    #[test]
    fn origin_wins_over_other_remotes() {
        let config = "[remote \"fork\"]\n\turl = a:b/c\n[remote \"origin\"]\n\turl = d:e/f\n[branch \"x\"]\n";
        assert_eq!(remote(config), Some("d:e/f"));
        assert_eq!(remote("[remote \"fork\"]\nurl=a:b/c"), Some("a:b/c"));
        assert_eq!(remote("[core]\n\turl = x\n"), None);
    }
}
