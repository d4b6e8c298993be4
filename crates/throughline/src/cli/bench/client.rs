//! Just enough of an HTTP client to put load on a server: one connection, one request at a time.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value as Json;

pub(super) struct Client {
    host: String,
    stream: BufReader<TcpStream>,
}

const LONGEST: Duration = Duration::from_secs(60);

impl Client {
    /// `host` is the address with its port.
    pub(super) fn connect(host: &str) -> Result<Client> {
        let stream = TcpStream::connect(host).with_context(|| format!("cannot reach {host}"))?;
        stream.set_read_timeout(Some(LONGEST))?;
        stream.set_nodelay(true)?;
        Ok(Client { host: host.to_owned(), stream: BufReader::new(stream) })
    }

    pub(super) fn get(&mut self, path: &str) -> Result<Json> {
        self.ask("GET", path, "")
    }

    pub(super) fn post(&mut self, path: &str, body: &Json) -> Result<Json> {
        self.ask("POST", path, &body.to_string())
    }

    fn ask(&mut self, method: &str, path: &str, body: &str) -> Result<Json> {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.host,
            body.len()
        );
        self.stream.get_mut().write_all(format!("{head}{body}").as_bytes())?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let mut length = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.parse()?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        if status != "200" {
            bail!("{method} {path} was answered {status}: {}", String::from_utf8_lossy(&body));
        }
        Ok(serde_json::from_slice(&body)?)
    }
}
