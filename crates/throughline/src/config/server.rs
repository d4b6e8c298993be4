//! Where the server listens and what it takes in, as it is written and as it is meant.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Result, anyhow};
use serde::Deserialize;

use super::duration;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerSettings {
    pub(crate) listen: SocketAddr,
    pub(crate) max_request_bytes: usize,
    /// Also of programs of this machine.
    pub(crate) require_token: bool,
    /// By which names it may be called beside those of this machine.
    pub(crate) allowed_hosts: Vec<String>,
    /// Of each address and of each token; 0 for no limit.
    pub(crate) requests_per_second: u32,
    /// Whoever keeps the server waiting for longer is let go.
    pub(crate) slowest_client: Duration,
}

impl Default for ServerSettings {
    fn default() -> ServerSettings {
        let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 7420));
        ServerSettings {
            listen,
            max_request_bytes: 16 << 20,
            require_token: false,
            allowed_hosts: vec![],
            requests_per_second: 10_000,
            slowest_client: Duration::from_secs(30),
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct ServerTable {
    listen: String,
    max_request_bytes: usize,
    require_token: bool,
    allowed_hosts: Vec<String>,
    requests_per_second: u32,
    slowest_client: String,
}

impl ServerTable {
    pub(super) fn meant(&self) -> Result<ServerSettings> {
        let listen = listen_address(&self.listen).map_err(|why| anyhow!("server.listen: {why}"))?;
        Ok(ServerSettings {
            listen,
            max_request_bytes: self.max_request_bytes,
            require_token: self.require_token,
            allowed_hosts: self.allowed_hosts.clone(),
            requests_per_second: self.requests_per_second,
            slowest_client: duration("server.slowest_client", &self.slowest_client)?,
        })
    }
}

/// `ADDRESS:PORT`, where the address may be `localhost`; other names could mean any machine.
pub(crate) fn listen_address(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix("localhost:").and_then(|port| port.parse().ok());
    port.map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
        .or_else(|| text.parse().ok())
        .ok_or_else(|| format!("{text:?} is no address with a port; write for instance 127.0.0.1:7420"))
}
