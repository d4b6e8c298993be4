//! A server of the test's own, and just enough HTTP to say exactly what goes over the wire.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStdout};

use serde_json::{Value as Json, json};

use crate::fixture::{Call, Home, command};

pub(super) struct Served {
    child: Child,
    _stdout: BufReader<ChildStdout>,
    pub(super) address: SocketAddr,
}

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Served {
    /// The fixtures of the conformance suite, which need no database.
    pub(super) fn fixtures(home: &Home) -> Served {
        Served::start(home, &["--conformance"])
    }

    pub(super) fn start(home: &Home, args: &[&str]) -> Served {
        let args = [&["serve", "--listen", "127.0.0.1:0", "--json"], args].concat();
        Served::run(home.call(&args))
    }

    /// The fixtures, and warnings on stderr.
    pub(super) fn logging(home: &Home) -> Served {
        let args = ["serve", "--listen", "127.0.0.1:0", "--json", "--conformance"];
        Served::run(home.call(&args).env("THROUGHLINE_LOG", "warn"))
    }

    pub(super) fn run(call: Call) -> Served {
        let mut child = call.spawn();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let listening: Json = serde_json::from_str(&line).unwrap();
        let address = listening["url"].as_str().unwrap().strip_prefix("http://").unwrap().parse().unwrap();
        assert_eq!(
            listening,
            json!({"url": format!("http://{address}"), "mcp": format!("http://{address}/mcp")})
        );
        Served { child, _stdout: stdout, address }
    }

    pub(super) fn get(&self, path: &str, headers: &[&str]) -> Answer {
        self.request(&format!("GET {path}"), headers, "")
    }

    /// A JSON-RPC message to `/mcp`, with the headers that every client sends.
    pub(super) fn post(&self, headers: &[&str], message: &Json) -> Answer {
        let usual = [&self.host() as &str, ACCEPT, "Content-Type: application/json"];
        self.request("POST /mcp", &[&usual, headers].concat(), &message.to_string())
    }

    /// A request to the interface; with a body where one is given.
    pub(super) fn ask(&self, line: &str, body: Option<&Json>) -> Answer {
        self.ask_with(line, &[], body)
    }

    pub(super) fn ask_with(&self, line: &str, headers: &[&str], body: Option<&Json>) -> Answer {
        let usual = [&self.host() as &str, "Content-Type: application/json"];
        let text = body.map(Json::to_string).unwrap_or_default();
        self.request(line, &[&usual, headers].concat(), &text)
    }

    pub(super) fn request(&self, line: &str, headers: &[&str], body: &str) -> Answer {
        let mut stream = self.open(line, headers, body);
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        Answer::of(&answer)
    }

    /// Sends a request and leaves the answer to be read. In the old version of HTTP an answer ends with its
    /// connection, so that nothing has to be taken apart.
    pub(super) fn open(&self, line: &str, headers: &[&str], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let length = format!("Content-Length: {}", body.len());
        let head = [&[&format!("{line} HTTP/1.0") as &str], headers, &[&length]].concat().join("\r\n");
        write!(stream, "{head}\r\n\r\n{body}").unwrap();
        stream
    }

    /// A number of `/metrics`; 0 where it is not there yet.
    pub(super) fn metric(&self, name: &str) -> f64 {
        let told = self.ask("GET /metrics", None).body;
        let line = told.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.map_or(0.0, |number| number.parse().unwrap())
    }

    /// Looks until it is so; not for ever.
    pub(super) fn looks_until(&self, what: &str, is_so: impl Fn(&Served) -> bool) {
        let looks = (0..3000).any(|_| {
            std::thread::yield_now();
            is_so(self)
        });
        assert!(looks, "{what}, which did not come about: {}", self.ask("GET /metrics", None).body);
    }

    pub(super) fn host(&self) -> String {
        format!("Host: {}", self.address)
    }

    pub(super) fn signal(&self, name: &str) {
        let sent = command("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Its exit status and what it said on stderr.
    pub(super) fn ended(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().unwrap();
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (status.code(), said)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended, as most tests want it to.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(super) const ACCEPT: &str = "Accept: application/json, text/event-stream";

impl Answer {
    fn of(text: &str) -> Answer {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let named =
            |line: &'_ str| line.split_once(": ").is_some_and(|(key, _)| key.eq_ignore_ascii_case(name));
        self.head.lines().find(|line| named(line)).map(|line| line.split_once(": ").unwrap().1)
    }

    /// The one JSON-RPC message, sent alone or on a stream.
    pub(super) fn message(&self) -> Json {
        let sent =
            self.body.lines().filter_map(|line| line.strip_prefix("data: ")).find(|sent| !sent.is_empty());
        serde_json::from_str(sent.unwrap_or(&self.body)).unwrap_or_else(|why| panic!("{why}: {self:?}"))
    }

    /// The HTTP status with the code of the JSON-RPC error.
    pub(super) fn refusal(&self) -> (u16, i64) {
        (self.status, self.message()["error"]["code"].as_i64().unwrap_or_default())
    }
}
