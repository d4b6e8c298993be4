//! A memory server as a process, asked over its stdin and stdout: as much of MCP as a client needs to call tools.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use serde_json::{Value as Json, json};

use super::super::cost::clock;
use super::super::process::alone;
use super::profile::{Profile, filled};
use super::tree;

pub(super) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    asked: u64,
}

/// What a tool answered.
pub(super) struct Answer {
    pub(super) is_error: bool,
    /// Everything that would stand before a model.
    pub(super) text: String,
    pub(super) structured: Json,
}

const LONGEST: Duration = Duration::from_secs(300);
/// A server may take a moment to end when its input does.
const LONGEST_END: Duration = Duration::from_secs(10);
const REVISION: &str = "2025-06-18";

impl Server {
    #[expect(clippy::disallowed_methods, reason = "the servers that are compared are programs of their own")]
    pub(super) fn start(profile: &Profile, places: &[(&str, &str)], folder: &Path) -> Result<Server> {
        let mut line = profile.command.iter().map(|part| filled(part, places));
        let program = line.next().context("the profile names no command; give it one")?;
        let mut command = Command::new(&program);
        alone(&mut command);
        command.args(line).current_dir(folder).env("HOME", folder);
        command.envs(profile.env.iter().map(|(name, value)| (name, filled(value, places))));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command
            .spawn()
            .with_context(|| format!("{program} cannot be started; install it, or correct the profile"))?;
        let input = child.stdin.take();
        let output = child.stdout.take().context("the server has no output")?;
        let (tell, lines) = mpsc::channel();
        std::thread::spawn(move || {
            // Ends with the server, or when nobody listens any more.
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| tell.send(line))
        });
        Ok(Server { child, input, lines, asked: 0 })
    }

    /// Says who is there, and asks what there is; the answer is the tools as a client gets them.
    pub(super) fn greet(&mut self) -> Result<Vec<Json>> {
        let client = json!({"name": "throughline-bench", "version": env!("CARGO_PKG_VERSION")});
        let about = json!({"protocolVersion": REVISION, "capabilities": {}, "clientInfo": client});
        self.ask("initialize", &about)?;
        self.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        let (mut tools, mut page) = (vec![], json!({}));
        loop {
            let mut listed = self.ask("tools/list", &page)?;
            tools.extend(listed["tools"].as_array_mut().map(std::mem::take).unwrap_or_default());
            match listed["nextCursor"].as_str() {
                Some(cursor) => page = json!({"cursor": cursor}),
                None => return Ok(tools),
            }
        }
    }

    pub(super) fn call(&mut self, tool: &str, arguments: &Json) -> Result<Answer> {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        let blocks = answer["content"].as_array().into_iter().flatten();
        let texts: Vec<&str> = blocks.filter_map(|block| block["text"].as_str()).collect();
        Ok(Answer {
            is_error: answer["isError"] == true,
            text: texts.join("\n"),
            structured: answer["structuredContent"].clone(),
        })
    }

    pub(super) fn process(&self) -> u32 {
        self.child.id()
    }

    fn ask(&mut self, method: &str, params: &Json) -> Result<Json> {
        self.asked += 1;
        let id = self.asked;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let line = self.lines.recv_timeout(LONGEST).map_err(|_| anyhow!("{method} was not answered"))?;
            // Servers also print what is no protocol.
            let Ok(mut message) = serde_json::from_str::<Json>(&line) else { continue };
            if message.get("method").is_some() {
                self.decline(&message)?;
            } else if message["id"] == id {
                if let Some(error) = message.get("error") {
                    bail!("{method} failed: {error}");
                }
                return Ok(message["result"].take());
            }
        }
    }

    /// Requests to a client, such as for its roots, are for more than this one can do.
    fn decline(&mut self, message: &Json) -> Result<()> {
        match message.get("id") {
            None => Ok(()),
            Some(id) => self.write(&json!({"jsonrpc": "2.0", "id": id,
                "error": {"code": -32601, "message": "this client cannot do that"}})),
        }
    }

    fn write(&mut self, message: &Json) -> Result<()> {
        let input = self.input.as_mut().context("the server's input is closed")?;
        writeln!(input, "{message}").and_then(|()| input.flush()).context("the server does not listen")
    }
}

impl Drop for Server {
    /// Ends it as a client does, and whatever it started with it should that not do.
    fn drop(&mut self) {
        let started = tree::below(self.child.id());
        self.input = None;
        let began = clock();
        while began.elapsed() < LONGEST_END {
            match self.child.try_wait() {
                Ok(Some(_)) | Err(_) => break,
                Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            }
        }
        // Nobody is left to tell when it cannot be ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
        tree::end(&started);
    }
}
