//! Who may speak to a server without tokens: programs of this machine, and no web page from elsewhere.
//!
//! A page can make its own name point at this machine (DNS rebinding); the browser then sends the page's name as
//! `Host` and as `Origin`, which is how it is recognised.

use std::net::IpAddr;

use axum::extract::Request;
use axum::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;

use super::refusal;

pub(super) async fn only_from_here(request: Request, next: Next) -> Response {
    match admitted(request.headers(), request.uri()) {
        Ok(()) => next.run(request).await,
        Err(why) => refusal(StatusCode::FORBIDDEN, "forbidden", why),
    }
}

fn admitted(headers: &HeaderMap, uri: &Uri) -> Result<(), &'static str> {
    let host = match only(headers, HOST)? {
        Some(host) => host.parse::<Authority>().ok(),
        None => uri.authority().cloned(),
    };
    let host =
        host.filter(is_this_machine).ok_or("the Host header must name this machine, as localhost does")?;
    let Some(origin) = only(headers, ORIGIN)? else { return Ok(()) };
    let page = origin.strip_prefix("http://").and_then(|page| page.parse::<Authority>().ok());
    if page.is_some_and(|page| page == host) {
        return Ok(());
    }
    Err("the Origin header must name this server: pages of other sites are not let in")
}

/// A header's value; two values could be read as different ones by different readers.
fn only(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, &'static str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().map(|value| value.to_str()).transpose();
    match (value, values.next()) {
        (Ok(value), None) => Ok(value),
        _ => Err("a Host or Origin header is there twice, or is no text"),
    }
}

/// Any port: a tunnel brings requests with the port of its own end.
fn is_this_machine(host: &Authority) -> bool {
    let name = host.host().trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}
