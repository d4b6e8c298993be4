//! The real server over stdin and stdout, spoken to line by line in both protocol eras.

mod eras;
mod lines;
mod list;
mod process;
mod prompts;
mod resources;
mod tools;
mod who;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::fixture::{Call, Home};

/// Longer than any answer takes, so that a server that hangs fails the test.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client of a server of its own.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Json>,
    era: Era,
    last_id: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Era {
    /// Every request says who asks and in which version.
    Stateless { client: Option<&'static str> },
    /// After `initialize`.
    Session,
}

pub(crate) const STATELESS: Era = Era::Stateless { client: Some("claude-code") };

impl Client {
    /// Of today's era, as Claude Code speaks it.
    pub(crate) fn of(home: &Home) -> Client {
        Client::started(home.call(&["mcp"]), STATELESS)
    }

    /// Of the era before, as Codex speaks it.
    pub(crate) fn initialized(home: &Home, version: &str) -> Client {
        Client::introduced(home.call(&["mcp"]), version, "codex-mcp-client")
    }

    pub(crate) fn introduced(call: Call, version: &str, name: &str) -> Client {
        let mut client = Client::started(call, Era::Session);
        let hello = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": { "name": name, "version": "1" },
        });
        let answer = client.result("initialize", &hello);
        assert_eq!(answer["protocolVersion"], version);
        client.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    pub(crate) fn started(call: Call, era: Era) -> Client {
        let mut child = call.spawn();
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let line = line.unwrap();
                let message = serde_json::from_str(&line);
                let message = message.unwrap_or_else(|e| panic!("stdout is not the protocol's: {e}\n{line}"));
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        Client { child, stdin, lines, era, last_id: 0 }
    }

    /// One line, as it is.
    pub(crate) fn write(&mut self, line: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line).and_then(|()| stdin.write_all(b"\n")).and_then(|()| stdin.flush()).unwrap();
    }

    pub(crate) fn tell(&mut self, message: &Json) {
        self.write(message.to_string().as_bytes());
    }

    /// Sends a request and gives its id.
    pub(crate) fn ask(&mut self, method: &str, params: &Json) -> u64 {
        self.last_id += 1;
        let mut params = params.clone();
        if let Era::Stateless { client } = &self.era {
            let meta = &mut params["_meta"];
            meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
            if let Some(name) = client {
                meta["io.modelcontextprotocol/clientInfo"] = json!({ "name": name, "version": "2" });
            }
        }
        let id = self.last_id;
        self.tell(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The next message of the server.
    pub(crate) fn heard(&mut self) -> Json {
        self.lines.recv_timeout(PATIENCE).expect("the server answers")
    }

    pub(crate) fn answer(&mut self, method: &str, params: &Json) -> Json {
        let id = self.ask(method, params);
        let answer = self.heard();
        assert_eq!(answer["id"], id, "{answer:#}");
        answer
    }

    pub(crate) fn result(&mut self, method: &str, params: &Json) -> Json {
        let mut answer = self.answer(method, params);
        assert_eq!(answer.get("error"), None, "{method} {params}");
        answer["result"].take()
    }

    /// The code and the text of a protocol error.
    pub(crate) fn fault(&mut self, method: &str, params: &Json) -> (i64, String) {
        let answer = self.answer(method, params);
        let error = answer.get("error").unwrap_or_else(|| panic!("no error: {answer:#}"));
        (error["code"].as_i64().unwrap(), error["message"].as_str().unwrap().to_owned())
    }

    /// What a tool answers; the text is the same JSON as the structured content.
    pub(crate) fn tool(&mut self, name: &str, arguments: &Json) -> Json {
        let result = self.result("tools/call", &json!({ "name": name, "arguments": arguments }));
        answered(&result)
    }

    /// What a tool says is wrong.
    pub(crate) fn refusal(&mut self, name: &str, arguments: &Json) -> String {
        let result = self.result("tools/call", &json!({ "name": name, "arguments": arguments }));
        assert_eq!(result["isError"], true, "{result:#}");
        assert_eq!(result.get("structuredContent"), None, "an error does not have the shape of an answer");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    pub(crate) fn remember(&mut self, content: &str) -> String {
        self.tool("remember", &json!({ "content": content }))["id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn tools(&mut self) -> Vec<Json> {
        self.result("tools/list", &json!({}))["tools"].as_array().unwrap().clone()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Closes the server's stdin and sees it end within a second.
    pub(crate) fn leave(mut self) -> i32 {
        drop(self.stdin.take());
        self.ended_within(Duration::from_secs(1))
    }

    pub(crate) fn ended_within(&mut self, patience: Duration) -> i32 {
        loop {
            match self.lines.recv_timeout(patience) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the server is still there"),
            }
        }
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A test that failed leaves no server behind; one that has ended cannot be killed again.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn answered(result: &Json) -> Json {
    assert_eq!(result["isError"], false, "{result:#}");
    let content = result["content"].as_array().unwrap();
    assert_eq!(content.len(), 1, "{result:#}");
    let text: Json = serde_json::from_str(content[0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"]);
    text
}
