//! The address of a server that texts may be sent to, and what its answers say about time.

use std::time::Duration;

use ureq::Body;
use ureq::http::{Response, Uri};

/// The host, and the port if the address names one; else what is wrong with the address, which is not repeated because it
/// may hold a password.
pub(crate) fn authority(base_url: &str) -> Result<String, &'static str> {
    let uri: Uri = base_url.parse().map_err(|_| "is not an address")?;
    match uri.scheme_str() {
        Some("http") => {}
        Some("https") if cfg!(feature = "https") => {}
        Some("https") => return Err("is https, which this build was made without (feature `https`)"),
        _ => return Err("must start with http:// or https://"),
    }
    let authority = uri.authority().ok_or("names no host")?.as_str();
    if authority.contains('@') {
        return Err("must not hold a user or password: set api_key instead");
    }
    if uri.query().is_some() {
        return Err("must not have a query");
    }
    Ok(authority.to_owned())
}

/// Whether no proxy can lead there.
pub(crate) fn is_loopback(authority: &str) -> bool {
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    host == "localhost" || host.starts_with("127.") || host == "[::1]"
}

/// So many characters of what a server says about a refused request.
pub(crate) const EXCERPT: usize = 200;

/// The beginning of what a server says, of which no more than `limit` bytes are read, without the key that it may repeat.
pub(crate) fn excerpt(response: &mut Response<Body>, limit: u64, key: Option<&str>) -> String {
    let body = response.body_mut().with_config().limit(limit).lossy_utf8(true).read_to_string();
    // What it says only adds to the error that is reported anyway.
    let said = without_key(&body.unwrap_or_default(), key);
    said.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(EXCERPT).collect()
}

pub(crate) fn without_key(text: &str, key: Option<&str>) -> String {
    match key {
        Some(key) if !key.is_empty() => text.replace(key, "[api_key]"),
        _ => text.to_owned(),
    }
}

/// The pause that a server asks for.
pub(crate) fn retry_after(response: &Response<Body>) -> Option<Duration> {
    let seconds = response.headers().get("retry-after")?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}
