//! A home of its own for each test, the real binary run in it, and its answers made comparable.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value as Json;
use tempfile::TempDir;

/// Makes two tests of each named function: `sqlite::name` and `postgres::name`.
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[test] fn $name() { super::$name(&crate::fixture::Home::sqlite()); })*
        }
        mod postgres {
            $(#[test]
            #[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
            fn $name() { super::$name(&crate::fixture::Home::postgres()); })*
        }
    };
}
pub(crate) use on_both;

/// Compares with the text in the source after ids, changing times and temporary paths have got fixed names.
macro_rules! shows {
    ($home:expr, $text:expr, @$snapshot:literal) => {
        insta::assert_snapshot!($home.plain(&$text), @$snapshot)
    };
}
pub(crate) use shows;

/// Times of this day are written by tests and stay readable; all others become `TIME`.
pub(crate) const DAY: &str = "2026-01-15";

/// A time of that day: `at("10:00:00")`.
pub(crate) fn at(clock: &str) -> String {
    format!("{DAY}T{clock}Z")
}

/// A database and the folders around it.
pub(crate) struct Home {
    folder: TempDir,
    /// The address of a schema on the test server; without one it is the SQLite file in the data folder.
    server: Option<String>,
}

impl Home {
    pub(crate) fn sqlite() -> Home {
        Home::of(None)
    }

    pub(crate) fn postgres() -> Home {
        Home::of(Some(schema()))
    }

    /// A database of its own on the server with pgvector, where it is not created yet.
    pub(crate) fn pgvector() -> Home {
        Home::of(Some(database()))
    }

    /// Whether it is on PostgreSQL.
    pub(crate) fn is_server(&self) -> bool {
        self.server.is_some()
    }

    /// The same database as another user sees it.
    pub(crate) fn server_as(&self, user: &str) -> String {
        self.server.as_ref().unwrap().replace("postgres@", &format!("{user}@"))
    }

    /// Has the server's administrator do something in this database.
    pub(crate) fn administer(&self, sql: &str) {
        let server = self.server.as_ref().unwrap();
        postgres::Client::connect(server, postgres::NoTls).unwrap().batch_execute(sql).unwrap();
    }

    /// Another, empty one on the same kind of database.
    pub(crate) fn fresh(&self) -> Home {
        if self.server.is_some() { Home::postgres() } else { Home::sqlite() }
    }

    fn of(server: Option<String>) -> Home {
        let folder = tempfile::tempdir().unwrap();
        for name in ["data", "user", "work/shop"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        Home { folder, server }
    }

    /// The whole of what belongs to the test.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// `THROUGHLINE_HOME`.
    pub(crate) fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    /// A project's folder; `shop` is where commands run unless told otherwise.
    pub(crate) fn work(&self, name: &str) -> PathBuf {
        let folder = self.path().join("work").join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn call(&self, args: &[&str]) -> Call {
        let mut env = HashMap::from([
            ("PATH", std::env::var_os("PATH").unwrap_or_default()),
            ("HOME", self.path().join("user").into_os_string()),
            ("USER", "tester".into()),
            ("THROUGHLINE_HOME", self.data().into_os_string()),
        ]);
        if let Some(server) = &self.server {
            env.insert("THROUGHLINE_DATABASE_URL", server.into());
        }
        Call {
            wrapper: Vec::new(),
            program: env!("CARGO_BIN_EXE_throughline").to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            folder: self.path().join("work/shop"),
            env,
            input: None,
        }
    }

    /// What the command prints when it succeeds, and says nothing else.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        self.call(args).ok()
    }

    /// The one JSON document that the command prints.
    pub(crate) fn json(&self, args: &[&str]) -> Json {
        self.call(args).json()
    }

    /// What the command says when it fails.
    pub(crate) fn fails(&self, args: &[&str]) -> String {
        self.call(args).run().fails()
    }

    /// Records the lines, all or none.
    pub(crate) fn batch(&self, lines: &[Json]) -> Json {
        self.call(&["log", "append", "--batch", "-"]).input(jsonl(lines)).json()
    }

    pub(crate) fn events(&self) -> Vec<Json> {
        self.events_with(&[])
    }

    pub(crate) fn events_with(&self, filter: &[&str]) -> Vec<Json> {
        let args = [&["log", "tail", "-n", "100000"], filter].concat();
        self.json(&args)["events"].as_array().unwrap().clone()
    }

    /// The database is whole and the log obeys its laws.
    pub(crate) fn check(&self) {
        let health = self.json(&["check"]);
        assert_eq!(health["sound"], true, "{health:#}");
    }

    /// The text with temporary paths, ids and changing times replaced; the same id gets the same name.
    pub(crate) fn plain(&self, text: &str) -> String {
        let real = fs::canonicalize(self.path()).unwrap();
        let text = text
            .replace(self.server.as_deref().unwrap_or("no server"), "[SERVER]")
            .replace(&real.display().to_string(), "[TMP]")
            .replace(&self.path().display().to_string(), "[TMP]")
            .replace(&format!("folder:{}", machine()), "folder:");
        plain(&text)
    }

    /// The same for every text in a JSON value.
    pub(crate) fn plain_json(&self, value: &Json) -> Json {
        serde_json::from_str(&self.plain(&value.to_string())).unwrap()
    }

    /// Makes the database look as if a later Throughline had written it.
    pub(crate) fn pretend_newer_schema(&self) {
        match &self.server {
            Some(server) => {
                let mut admin = postgres::Client::connect(server, postgres::NoTls).unwrap();
                admin.batch_execute("insert into schema_version (version) values (99)").unwrap();
            }
            None => {
                // A purge moves everything from the write-ahead log into the file, whose header has the version.
                self.ok(&["log", "purge", "--after", "0", "--reason", "checkpoint"]);
                let file = self.data().join("throughline.db");
                let mut bytes = fs::read(&file).unwrap();
                bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
                fs::write(&file, bytes).unwrap();
            }
        }
    }

    /// Where the needle is found in any file of the data folder.
    pub(crate) fn files_with(&self, needle: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.data()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if entry.is_dir() {
                    folders.push(entry);
                } else if contains(&fs::read(&entry).unwrap(), needle.as_bytes()) {
                    found.push(entry);
                }
            }
        }
        found
    }
}

/// One run of the binary, not yet started.
pub(crate) struct Call {
    wrapper: Vec<String>,
    program: String,
    args: Vec<String>,
    folder: PathBuf,
    env: HashMap<&'static str, OsString>,
    input: Option<Vec<u8>>,
}

impl Call {
    pub(crate) fn within(mut self, folder: &Path) -> Call {
        self.folder = folder.to_owned();
        self
    }

    pub(crate) fn env(mut self, name: &'static str, value: impl Into<OsString>) -> Call {
        self.env.insert(name, value.into());
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Call {
        self.env.remove(name);
        self
    }

    pub(crate) fn input(mut self, input: impl Into<Vec<u8>>) -> Call {
        self.input = Some(input.into());
        self
    }

    /// Runs it by way of another program: `setpriv …`, `sh -c 'ulimit …; exec "$@"' sh`.
    pub(crate) fn wrapped(mut self, wrapper: &[&str]) -> Call {
        self.wrapper = wrapper.iter().map(|arg| (*arg).to_owned()).collect();
        self
    }

    /// Runs a copy of the binary that lies elsewhere.
    pub(crate) fn program(mut self, path: &Path) -> Call {
        self.program = path.to_str().unwrap().to_owned();
        self
    }

    pub(crate) fn ok(self) -> String {
        self.run().ok()
    }

    pub(crate) fn json(mut self) -> Json {
        self.args.push("--json".to_owned());
        let text = self.run().ok();
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("not one JSON document: {e}\n{text}"))
    }

    pub(crate) fn run(mut self) -> Ran {
        let input = self.input.take().unwrap_or_default();
        let mut child = self.spawn();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || {
            // Whoever refuses its input may stop reading it.
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ran::of(output)
    }

    /// Started, with pipes at both ends.
    pub(crate) fn spawn(self) -> Child {
        let mut line = self.wrapper;
        line.push(self.program);
        line.extend(self.args);
        let mut command = command(&line[0]);
        command.args(&line[1..]).current_dir(self.folder).env_clear().envs(self.env);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    fn of(output: Output) -> Ran {
        Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn ok(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{}", self.stdout);
        self.stdout
    }

    pub(crate) fn fails(self) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (1, ""), "{}", self.stderr);
        self.stderr
    }

    pub(crate) fn refuses(self) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (2, ""), "{}", self.stderr);
        self.stderr
    }
}

/// What a server at the address answers, head and body.
pub(crate) fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// What a server in this home answers to one request.
pub(crate) fn served(home: &Home, path: &str) -> String {
    let mut child = home.call(&["serve", "--listen", "127.0.0.1:0", "--json"]).spawn();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let listening: Json = serde_json::from_str(&line).unwrap();
    let answer = get(listening["url"].as_str().unwrap().strip_prefix("http://").unwrap(), path);
    child.kill().unwrap();
    child.wait().unwrap();
    answer.split_once("\r\n\r\n").unwrap().1.to_owned()
}

#[expect(clippy::disallowed_methods, reason = "tests run the real binary")]
pub(crate) fn command(program: &str) -> Command {
    Command::new(program)
}

/// What one database cannot hold must be kept or refused on both, and never be an internal error.
#[track_caller]
pub(crate) fn kept_or_refused(ran: &Ran) {
    let answer: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert!(ran.code == 0 || answer["error"]["kind"] == "invalid", "{answer:#}");
}

/// Runs git in a folder, untouched by whatever the machine's own settings say.
pub(crate) fn git(folder: &Path, args: &[&str]) {
    let settings =
        ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"];
    let output = command("git")
        .args(settings)
        .args(args)
        .current_dir(folder)
        .env_remove("GIT_DIR")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A repository with one commit.
pub(crate) fn repository(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    git(folder, &["init", "-q", "-b", "main"]);
    git(folder, &["commit", "-q", "--allow-empty", "-m", "first"]);
}

pub(crate) fn jsonl(lines: &[Json]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

pub(crate) fn texts<'a>(events: &'a [Json], field: &str) -> Vec<&'a str> {
    events.iter().map(|event| event[field].as_str().unwrap_or_default()).collect()
}

pub(crate) fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

fn database() -> String {
    static DATABASES: AtomicU32 = AtomicU32::new(0);
    let server = std::env::var("TEST_PGVECTOR").expect("TEST_PGVECTOR names the test server with pgvector");
    let name = format!("it_{}_{}", std::process::id(), DATABASES.fetch_add(1, Ordering::Relaxed));
    let mut admin = postgres::Client::connect(&server, postgres::NoTls).unwrap();
    admin.batch_execute(&format!("drop database if exists {name}")).unwrap();
    admin.batch_execute(&format!("create database {name}")).unwrap();
    format!("{}/{name}", server.rsplit_once('/').unwrap().0)
}

fn schema() -> String {
    static SCHEMAS: AtomicU32 = AtomicU32::new(0);
    let server = std::env::var("TEST_POSTGRES").expect("TEST_POSTGRES names the test server");
    let schema = format!("it_{}_{}", std::process::id(), SCHEMAS.fetch_add(1, Ordering::Relaxed));
    let mut admin = postgres::Client::connect(&server, postgres::NoTls).unwrap();
    admin.batch_execute(&format!("drop schema if exists {schema} cascade; create schema {schema}")).unwrap();
    format!("{server}?options=-csearch_path%3D{schema}")
}

const ID: &str = "0xxxxxxxxxxxxxxxxxxx";
const SHORT_ID: &str = "0xxxxxxxxxxxxx";
const EXACT_TIME: &str = "dddd-dd-ddTdd:dd:dd.ddddddZ";
const READABLE_TIME: &str = "dddd-dd-dd dd:dd:dd";

fn plain(text: &str) -> String {
    let mut ids: HashMap<String, usize> = HashMap::new();
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let inside_word = out.ends_with(|c: char| c.is_alphanumeric());
        let shapes = [ID, SHORT_ID, EXACT_TIME, READABLE_TIME];
        let taken = shapes.into_iter().filter(|_| !inside_word).find_map(|shape| {
            let (candidate, after) = rest.split_at_checked(shape.len())?;
            let ends = !after.starts_with(|c: char| c.is_alphanumeric());
            (ends && fits(candidate, shape)).then_some((candidate, shape))
        });
        match taken {
            Some((id, ID)) => {
                let next = ids.len() + 1;
                out.push_str(&format!("ID{}", ids.entry(id.to_owned()).or_insert(next)));
            }
            Some((_, SHORT_ID)) => out.push_str("ID"),
            Some((time, _)) if time.starts_with(DAY) => out.push_str(time),
            Some(_) => out.push_str("TIME"),
            None => out.push(first),
        }
        rest = &rest[taken.map_or(first.len_utf8(), |(text, _)| text.len())..];
    }
    out
}

fn fits(text: &str, shape: &str) -> bool {
    text.bytes().zip(shape.bytes()).all(|(byte, wanted)| match wanted {
        b'x' => byte.is_ascii_digit() || byte.is_ascii_lowercase(),
        b'd' => byte.is_ascii_digit(),
        literal => byte == literal,
    })
}

/// What a shared database adds to the key of a folder.
fn machine() -> String {
    let named = ["/etc/machine-id", "/etc/hostname"].iter().find_map(|path| fs::read_to_string(path).ok());
    named.unwrap_or_default().trim().to_owned()
}
