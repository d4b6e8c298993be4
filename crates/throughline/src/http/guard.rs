//! By which name a server is called, and from which page: no web page from elsewhere is let in.
//!
//! A page can make its own name point at this machine (DNS rebinding); the browser then sends the page's name as
//! `Host` and as `Origin`, which is how it is recognised.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::Uri;
use axum::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use axum::http::uri::Authority;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::problem::Refused;

/// By which names this server may be called.
#[derive(Debug)]
pub(super) struct Hosts {
    is_loopback: bool,
    /// Beside those that are always right.
    named: Vec<String>,
}

impl Hosts {
    pub(super) fn new(listen: IpAddr, named: &[String]) -> Hosts {
        Hosts { is_loopback: listen.is_loopback(), named: named.to_vec() }
    }

    /// Any port: a tunnel brings requests with the port of its own end. Beyond this machine any number will do: only names can
    /// be made to point elsewhere.
    fn has(&self, host: &Authority) -> bool {
        let name = host.host().trim_start_matches('[').trim_end_matches(']');
        name.eq_ignore_ascii_case("localhost")
            || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback() || !self.is_loopback)
            || self.named.iter().any(|named| named.eq_ignore_ascii_case(name))
    }
}

pub(super) async fn only_from_here(
    State(hosts): State<Arc<Hosts>>,
    request: Request,
    next: Next,
) -> Response {
    match admitted(&hosts, request.headers(), request.uri()) {
        Ok(()) => next.run(request).await,
        Err(why) => Refused::forbidden(why).into_response(),
    }
}

fn admitted(hosts: &Hosts, headers: &HeaderMap, uri: &Uri) -> Result<(), &'static str> {
    let host = match only(headers, HOST)? {
        Some(host) => host.parse::<Authority>().ok(),
        None => uri.authority().cloned(),
    };
    let host = host.filter(|host| hosts.has(host)).ok_or(
        "the Host header must name this machine, as localhost does; server.allowed_hosts can name more",
    )?;
    if is_of_another_site(headers) {
        return Err("pages of other sites are not let in; open the address of the server itself");
    }
    let Some(origin) = only(headers, ORIGIN)? else { return Ok(()) };
    // Behind a proxy that speaks TLS, a page's address begins otherwise.
    let page = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://").filter(|_| !hosts.is_loopback));
    if page.and_then(|page| page.parse::<Authority>().ok()).is_some_and(|page| page == host) {
        return Ok(());
    }
    Err("the Origin header must name this server: pages of other sites are not let in")
}

/// Browsers say so of every request, also of those that have no Origin. Whoever follows a link to here is welcome.
fn is_of_another_site(headers: &HeaderMap) -> bool {
    let says = |name: &str, value: &str| {
        headers.get(name).is_some_and(|header| header.as_bytes() == value.as_bytes())
    };
    says("sec-fetch-site", "cross-site") && !says("sec-fetch-mode", "navigate")
}

/// A header's value; two values could be read as different ones by different readers.
fn only(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, &'static str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().map(|value| value.to_str()).transpose();
    match (value, values.next()) {
        (Ok(value), None) => Ok(value),
        _ => Err("a Host or Origin header is there twice, or is no text; send it once"),
    }
}
