//! Command lines as agents run them: what they consist of, and what they do to the work.

mod fetched;
mod split;

use crate::words::is_in;
pub(crate) use fetched::run_what_they_fetch;
pub(crate) use split::{cut_at, words};

/// What a command line consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Command<'a> {
    /// `A=b` before the program.
    pub(crate) settings: Vec<&'a str>,
    pub(crate) program: &'a str,
    pub(crate) args: Vec<&'a str>,
}

impl<'a> Command<'a> {
    /// The command that a line ends with: what comes before `&&` prepares it, what comes after `|` only shows it, unless it
    /// writes it somewhere.
    pub(crate) fn last(line: &'a str) -> Option<Command<'a>> {
        let is_written = |part: &&&'a str| part.trim_start_matches("sudo ").starts_with("tee ");
        let parts = cut_at(line, &[" | "]);
        let line = parts.iter().skip(1).find(is_written).or(parts.first()).unwrap_or(&line);
        Command::read(cut_at(line, &CHAINED).last()?)
    }

    fn read(text: &'a str) -> Option<Command<'a>> {
        let words: Vec<&str> =
            words(text).into_iter().filter(|word| !matches!(*word, "2>&1" | "sudo" | "time")).collect();
        let settings: Vec<&str> = words.iter().copied().take_while(|word| is_setting(word)).collect();
        let program = words.get(settings.len()).copied()?;
        let args = words[settings.len() + 1..].to_vec();
        Some(Command { settings, program, args })
    }

    /// The program and what it is told to do: `cargo test`, `docker compose up`, `npx playwright install`, `psql -f views.sql`.
    pub(crate) fn act(&self) -> Vec<&'a str> {
        let places = if ASKED.contains(&self.program) { self.args.len() } else { 1 };
        if let Some(named) = self.args.windows(2).take(places).find(|pair| NAMING.contains(&pair[0])) {
            return [&[self.program], named].concat();
        }
        let where_to = self.where_to();
        let args = &self.args[where_to..];
        let runners = usize::from(RUNNERS.contains(&self.program));
        let first = args.get(runners);
        let depth = 1 + runners + usize::from(first.is_some_and(|first| LEADING.contains(first)));
        let named = args.iter().take_while(|arg| !arg.starts_with('-') || **arg == "-m").take(depth);
        std::iter::once(self.program)
            .chain(self.args[..where_to].iter().copied())
            .chain(named.copied())
            .collect()
    }

    /// How many arguments say first where it is done: `make -C firmware all`, `terraform -chdir=infra apply`.
    fn where_to(&self) -> usize {
        match self.args.as_slice() {
            [place, _, _, ..] if PLACES.contains(place) => 2,
            [place, _, ..] if place.starts_with('-') && place.contains('=') => 1,
            _ => 0,
        }
    }

    /// Whether what it says goes into a file.
    fn writes(&self) -> bool {
        let is_file = |to: &str| !to.is_empty() && to != "/dev/null" && !to.starts_with('&');
        let after = |at: usize| self.args.get(at + 1).copied().unwrap_or_default();
        self.args.iter().enumerate().any(|(at, arg)| match *arg {
            ">" | ">>" => is_file(after(at)),
            _ => arg.strip_prefix('>').is_some_and(|to| is_file(to.trim_start_matches('>'))),
        })
    }

    /// Whether it only looks, or moves about.
    pub(crate) fn changes_nothing(&self) -> bool {
        let first = self.first();
        let is_tool = matches!(self.program, "docker" | "podman" | "kubectl" | "npm" | "pnpm" | "pip");
        is_in(LOOKING, self.program) && !self.writes()
            || self.only_asks()
            || (self.program == "git" && (first.is_empty() || is_in(LOOKING_GIT, first)))
            || (is_tool && is_in(LOOKING_TOOLS, first))
    }

    /// Whether it asks a program about itself or what it has: `node --version`, `brew services list`.
    fn only_asks(&self) -> bool {
        let is_list = self.args.iter().take(2).any(|arg| is_in(LISTING, arg));
        let is_plain = !self.args.iter().any(|arg| arg.contains('/') || is_setting(arg));
        self.args.len() <= 1 && self.args.iter().any(|arg| is_in(ASKING, arg))
            || is_list && is_plain && self.args.len() <= 3
    }

    /// Whether it destroys what cannot be had again, or passes because what failed is left out: nothing to be advised.
    pub(crate) fn is_drastic(&self) -> bool {
        let name = self.program.rsplit('/').next().unwrap_or(self.program);
        let is_told =
            |words: &'static str| self.args.iter().any(|arg| is_in(words, arg.trim_matches(['\'', '"'])));
        let said = std::iter::once(self.program)
            .chain(self.args.iter().copied())
            .collect::<Vec<_>>()
            .join(" ")
            .to_lowercase();
        let destroys = DESTROYING
            .iter()
            .any(|(programs, words)| is_in(programs, name) && (words.is_empty() || is_told(words)));
        let removes = name == "rm" && self.args.iter().any(|arg| !arg.starts_with('-') && !is_made(arg));
        // `rosdep install --ignore-src` installs what the sources need.
        let is_left_out = |arg: &&str| {
            !arg.starts_with("--ignore-src") && LEAVING_OUT.iter().any(|flag| arg.starts_with(flag))
        };
        let leaves_out = self.args.iter().chain(&self.settings).any(is_left_out);
        destroys || removes || leaves_out || DRASTIC.iter().any(|words| said.contains(words))
    }

    /// Whether it changes nothing that could make another one pass: it only looks, or keeps the books.
    pub(crate) fn cannot_help(&self) -> bool {
        let keeps_books = self.program == "git" && is_in(KEEPING_GIT, self.first());
        self.changes_nothing()
            || keeps_books && !self.args.contains(&"--amend")
            || is_in(ENDING, self.program) && !self.writes()
    }

    /// Whether this git command may have made another pass: `git pull --rebase` before `git push`.
    pub(crate) fn serves_git(&self, failed: &Command<'_>) -> bool {
        const BESIDE: [&str; 2] = ["add", "stash"];
        let are_git = self.program == "git" && failed.program == "git";
        are_git && !self.changes_nothing() && !BESIDE.contains(&self.first())
    }

    /// Whether it takes the work elsewhere, or rewrites it: what passes afterwards is other code.
    pub(crate) fn changes_code(&self) -> bool {
        let rewrites = self.program == "git" && is_in(REWRITING_GIT, self.first());
        let formats =
            is_in(FORMATTERS, self.program) && self.args.iter().any(|arg| matches!(*arg, "-i" | "-w"));
        let fixes = self.args.iter().any(|arg| matches!(*arg, "--fix" | "fmt" | "format" | "--write"));
        rewrites || formats || fixes
    }

    /// What it is told first.
    fn first(&self) -> &'a str {
        self.args.first().copied().unwrap_or_default()
    }

    /// Whether the other command is this one with something added.
    pub(crate) fn is_part_of(&self, other: &Command<'_>) -> bool {
        let has_all = |these: &[&str], those: &[&str]| these.iter().all(|one| those.contains(one));
        self.program == other.program
            && has_all(&self.args, &other.args)
            && has_all(&self.settings, &other.settings)
    }
}

/// What is built anew when it is gone.
fn is_made(path: &str) -> bool {
    let path = path.trim_matches(['\'', '"']).trim_start_matches("./").trim_end_matches(['/', '*']);
    let name = path.rsplit('/').next().unwrap_or(path);
    !path.starts_with(['/', '~', '$']) && !path.contains("..") && is_in(MADE, name)
}

/// `NAME=value`.
pub(crate) fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// What a line runs before its last command.
pub(crate) fn before_last(line: &str) -> Vec<(&str, Command<'_>)> {
    let mut all = cut_at(line, &CHAINED);
    all.pop();
    all.into_iter().filter_map(|part| Some((part, Command::read(part)?))).collect()
}

/// What comes after these is run next.
const CHAINED: [&str; 2] = ["&&", ";"];
/// What follows says what is run.
const NAMING: [&str; 6] = ["-c", "-e", "-f", "--command", "--eval", "--file"];
/// What these are asked stands after where they ask it.
const ASKED: [&str; 7] = ["psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "mongosh", "clickhouse-client"];
/// These run what is named next, which is told something in turn.
const RUNNERS: [&str; 10] =
    ["npx", "bunx", "pnpx", "uvx", "python", "python3", "php", "ruby", "node", "bundle"];
/// What follows these says where it is done.
const PLACES: [&str; 7] = ["-C", "--prefix", "--filter", "--cwd", "--dir", "--context", "-n"];
/// What follows these says what is done.
const LEADING: [&str; 6] = ["compose", "run", "exec", "dlx", "tool", "-m"];

/// Programs that only look, or move about.
const LOOKING: &str = "ls cat head tail grep rg find fd pwd cd echo which type file stat wc tree less more sed awk diff env \
    printenv whoami date history jq sort uniq xxd od man help ps top df du true sleep realpath lsof netstat ss ldd ldconfig \
    uname id hostname pgrep nproc free tty stty locale dig nslookup ping host jobs wait";
/// Whom a program is asked about who is told one of these alone.
const ASKING: &str = "--version -V -version version --info info --help help doctor env";
const LISTING: &str = "list ls status --list";
const DESTROYING: [(&str, &str); 16] = [
    ("dropdb dropuser mkfs dd shred truncate wipefs", ""),
    ("git", "--force -f --force-with-lease --hard -fd -fdx -D"),
    ("npm pnpm yarn pip pip3 cargo brew", "--force --break-system-packages --unsafe-perm"),
    ("kubectl oc", "delete --force drain"),
    ("terraform tofu pulumi", "destroy -auto-approve --auto-approve taint"),
    ("helm", "delete uninstall --force"),
    ("docker podman", "prune --volumes rm rmi"),
    ("docker-compose", "-v --volumes"),
    ("chmod", "777 0777 a+rwx"),
    ("psql mysql mariadb sqlite3", "drop"),
    ("redis-cli", "flushall flushdb FLUSHALL FLUSHDB"),
    ("rails rake", "db:drop db:reset db:schema:load"),
    ("prisma npx", "reset db:reset --force-reset"),
    ("mix", "ecto.drop ecto.reset"),
    ("php artisan", "migrate:fresh migrate:reset db:wipe"),
    ("kill pkill killall", ""),
];
const DRASTIC: [&str; 10] = [
    "down -v",
    "drop table",
    "drop database",
    "drop schema",
    "truncate table",
    "delete from",
    "kill $(",
    "kill -9",
    "-k 'not ",
    "-k \"not ",
];
/// Flags and settings by which what failed is not run.
const LEAVING_OUT: [&str; 13] = [
    "--deselect",
    "--ignore",
    "--exclude",
    "--skip",
    "-DskipTests",
    "-Dmaven.test.skip",
    "--no-verify",
    "--no-check",
    "SKIP=",
    "HUSKY=0",
    "--allow-dirty",
    "--passWithNoTests",
    "--continue-on-collection-errors",
];
const MADE: &str = ".build build target dist out node_modules .next .nuxt .cache .turbo .parcel-cache .gradle __pycache__ \
    .pytest_cache .mypy_cache .tox .nox .venv venv DerivedData _build deps .dart_tool bin obj coverage .svelte-kit CMakeCache.txt";
const LOOKING_GIT: &str = "status diff log show branch blame rev-parse";
const LOOKING_TOOLS: &str = "ps logs images inspect version --version list info";
/// What these change, another command does not see.
const ENDING: &str = "kill pkill killall open xdg-open unset alias";
const KEEPING_GIT: &str =
    "add commit stash checkout switch restore reset fetch pull merge rebase remote tag worktree cherry-pick";
const REWRITING_GIT: &str = "checkout switch stash reset restore pull merge rebase revert apply cherry-pick";
const FORMATTERS: &str = "sed perl patch prettier rustfmt black gofmt goimports gofumpt shfmt";
