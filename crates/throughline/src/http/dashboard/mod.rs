//! The dashboard: the files that the build made, or a page that says why there are none.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};

use files::FILES;

use super::api;
use super::problem::Refused;

mod files {
    //! Made by the build script.
    include!(concat!(env!("OUT_DIR"), "/dashboard.rs"));
}

const NOTICE: &[u8] = include_bytes!("notice.html");
/// Their names change with their contents.
const NAMED_BY_CONTENT: &str = "assets/";
/// What is below them is not for people.
const OTHERS: [&str; 3] = ["api", "mcp", "metrics"];
/// Where programs look whether a server is well; a page would tell them that it always is. `/api/health` says it.
const NOT_HEALTH: [&str; 5] = ["health", "healthz", "livez", "readyz", "ready"];
/// What is below it is a project by its name.
const PROJECTS: &str = "p";

/// A file of the dashboard. Every other path is a page inside it, which it finds itself.
pub(super) async fn show(method: Method, uri: Uri, asked: HeaderMap) -> Response {
    let name = uri.path().trim_start_matches('/');
    match file(name) {
        _ if is_elsewhere(uri.path()) => Refused::not_here().into_response(),
        _ if method != Method::GET && method != Method::HEAD => api::not_allowed().await,
        Some(content) => answer(name, content, &asked),
        None if name.starts_with(NAMED_BY_CONTENT) => Refused::not_here().into_response(),
        None => answer("index.html", file("index.html").unwrap_or(NOTICE), &asked),
    }
}

/// No path of ours: below what is for programs, or written to get out of somewhere. Only names of projects may have anything in
/// them.
fn is_elsewhere(path: &str) -> bool {
    let first = path.split('/').nth(1).unwrap_or_default();
    let gets_out = ["//", "..", "%"].iter().any(|part| path.contains(part));
    OTHERS.contains(&first) || NOT_HEALTH.contains(&first) || (first != PROJECTS && gets_out)
}

fn file(name: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, content)| *content)
}

fn answer(name: &str, content: &'static [u8], asked: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", hex(&Sha256::digest(content)[..12]));
    let kept =
        if name.starts_with(NAMED_BY_CONTENT) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [(CONTENT_TYPE, content_type(name)), (CACHE_CONTROL, kept), (ETAG, tag.as_str())];
    if asked.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, content).into_response()
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        Some("md" | "") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
