//! The body of a request: JSON, not too large, and not too slow.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde_json::Value as Json;
use tokio::time::timeout;

use super::problem::Refused;

/// Whoever needs longer for a body is not waited for.
const LONGEST: Duration = Duration::from_secs(30);

/// No body at all is an object without anything in it.
pub(super) async fn read(headers: &HeaderMap, body: Body, most: usize) -> Result<Json, Refused> {
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > most as u64) {
        return Err(too_large(most));
    }
    let read = timeout(LONGEST, Limited::new(body, most).collect()).await;
    let bytes = match read.map_err(|_| Refused::too_slow())? {
        Ok(body) => body.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => return Err(too_large(most)),
        Err(error) => return Err(Refused::unreadable(format!("the body broke off: {error}; send it again"))),
    };
    if bytes.is_empty() {
        return Ok(Json::Object(serde_json::Map::new()));
    }
    if !is_json(headers) {
        let detail = "send the body as JSON, with the header Content-Type: application/json";
        return Err(Refused::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", detail));
    }
    parsed(&bytes)
}

fn parsed(bytes: &Bytes) -> Result<Json, Refused> {
    let mut body: Json = serde_json::from_slice(bytes).map_err(|problem| {
        Refused::unreadable(format!("the body is no JSON: {problem}; send one JSON object"))
    })?;
    without_nul(&mut body);
    Ok(body)
}

/// PostgreSQL's text cannot hold U+0000; its picture says that it was there, on both databases alike.
fn without_nul(value: &mut Json) {
    match value {
        Json::String(text) if text.contains('\0') => *text = text.replace('\0', "\u{2400}"),
        Json::Array(list) => list.iter_mut().for_each(without_nul),
        Json::Object(fields) => {
            if fields.keys().any(|key| key.contains('\0')) {
                let whole = std::mem::take(fields);
                fields.extend(whole.into_iter().map(|(key, value)| (key.replace('\0', "\u{2400}"), value)));
            }
            fields.values_mut().for_each(without_nul);
        }
        Json::String(_) | Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

fn too_large(most: usize) -> Refused {
    let detail = format!("the body has more than {most} bytes; server.max_request_bytes sets the limit");
    Refused::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", detail)
}
