//! A server on loopback that speaks as models' servers do, well or badly, and keeps what it was asked.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value as Json, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    Anthropic,
    OpenAi,
}

/// How a request is answered.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reply {
    /// With what the model thinks.
    Thought,
    /// With this text in the place of it.
    Text(&'static str),
    /// With what the model thinks, which it claims to have taken so many tokens.
    Dear(u64),
    Status(&'static str),
    /// A header, and then nothing.
    Hang,
    /// A byte now and then.
    Drip,
    /// JSON that breaks off.
    Cut,
    /// More than anybody should read.
    Huge,
    /// A page for people.
    Page,
}

/// What the model thinks about a prompt.
type Thinking = dyn Fn(&str) -> Json + Send + Sync;

#[derive(Clone)]
pub(crate) struct Loopback {
    pub(crate) url: String,
    wire: Wire,
    script: Arc<Vec<Reply>>,
    thinking: Arc<Thinking>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) head: String,
    pub(crate) prompt: String,
}

impl Loopback {
    /// Replies in the order of the script, whose last entry holds for all that follow.
    pub(crate) fn serve(
        wire: Wire,
        script: &[Reply],
        thinking: impl Fn(&str) -> Json + Send + Sync + 'static,
    ) -> Loopback {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Loopback {
            url: format!("http://{}", listener.local_addr().unwrap()),
            wire,
            script: Arc::new(script.to_vec()),
            thinking: Arc::new(thinking),
            asked: Arc::default(),
        };
        let serving = server.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let serving = serving.clone();
                thread::spawn(move || serving.answer(stream.unwrap()));
            }
        });
        server
    }

    pub(crate) fn wire(&self) -> Wire {
        self.wire
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    fn answer(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream);
        let Some((head, body)) = request(&mut reader) else { return };
        let prompt = self.prompt(&body);
        let place = {
            let mut asked = self.asked.lock().unwrap();
            asked.push(Asked { head, prompt: prompt.clone() });
            asked.len() - 1
        };
        let reply = *self.script.get(place).or(self.script.last()).unwrap();
        // A client that has given up does not listen any more.
        let _ = self.reply(reader.get_mut(), reply, &prompt);
    }

    fn prompt(&self, body: &Json) -> String {
        let messages = body["messages"].as_array().unwrap();
        messages.last().unwrap()["content"].as_str().unwrap().to_owned()
    }

    fn reply(&self, stream: &mut TcpStream, reply: Reply, prompt: &str) -> std::io::Result<()> {
        let json = "200 OK\r\ncontent-type: application/json";
        match reply {
            Reply::Thought => whole(stream, json, &self.wrapped(&(self.thinking)(prompt).to_string())),
            Reply::Text(text) => whole(stream, json, &self.wrapped(text)),
            Reply::Dear(tokens) => {
                let body = self.wrapped(&(self.thinking)(prompt).to_string());
                let dear = format!(":{tokens}");
                whole(stream, json, &body.replace(":1000", &dear).replace(":100", &dear))
            }
            Reply::Status(status) => whole(stream, status, "{\"error\":\"so it is\"}"),
            Reply::Page => whole(stream, "200 OK\r\ncontent-type: text/html", "<html>Welcome</html>"),
            Reply::Cut => {
                let body = self.wrapped("{\"memories\":[]}");
                whole(stream, json, &body[..body.len() / 2])
            }
            Reply::Hang => {
                write!(stream, "HTTP/1.1 200 OK\r\n")?;
                // Until the client gives up.
                stream.read(&mut [0]).map(|_| ())
            }
            Reply::Drip => {
                write!(stream, "HTTP/1.1 {json}\r\ncontent-length: 1000000\r\n\r\n")?;
                loop {
                    stream.write_all(b" ")?;
                    thread::sleep(Duration::from_millis(20));
                }
            }
            Reply::Huge => {
                write!(stream, "HTTP/1.1 {json}\r\n\r\n")?;
                loop {
                    stream.write_all(&[b' '; 65_536])?;
                }
            }
        }
    }

    fn wrapped(&self, text: &str) -> String {
        let parsed: Option<Json> = serde_json::from_str(text).ok();
        match (self.wire, parsed) {
            (Wire::Anthropic, Some(input)) => json!({
                "content": [{ "type": "tool_use", "id": "t", "name": "answer", "input": input }],
                "usage": { "input_tokens": 1000, "output_tokens": 100 },
            }),
            (Wire::Anthropic, None) => json!({
                "content": [{ "type": "text", "text": text }],
                "usage": { "input_tokens": 1000, "output_tokens": 100 },
            }),
            (Wire::OpenAi, _) => json!({
                "choices": [{ "message": { "role": "assistant", "content": text } }],
                "usage": { "prompt_tokens": 1000, "completion_tokens": 100 },
            }),
        }
        .to_string()
    }
}

fn whole(stream: &mut TcpStream, status: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    write!(stream, "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

fn request(reader: &mut BufReader<TcpStream>) -> Option<(String, Json)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return None;
        }
    }
    let lower = head.to_lowercase();
    let length = lower.split("content-length: ").nth(1)?.lines().next()?.trim().parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, serde_json::from_slice(&body).unwrap()))
}
