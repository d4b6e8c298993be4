//! What went wrong with a request over HTTP: a problem document of RFC 9457.

use schemars::JsonSchema;
use serde::Serialize;

use super::error::{kind, message, status};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub(crate) struct Details {
    /// What sort of problem, for programs.
    r#type: String,
    title: &'static str,
    status: u16,
    /// What went wrong here, and what to do about it.
    detail: String,
}

impl Details {
    pub(crate) fn new(status: u16, kind: &str, detail: impl Into<String>) -> Details {
        Details {
            r#type: format!("urn:throughline:problem:{kind}"),
            title: title(status),
            status,
            detail: detail.into(),
        }
    }

    pub(crate) fn of(error: &anyhow::Error) -> Details {
        Details::new(status(error), kind(error), message(error))
    }

    pub(crate) fn status(&self) -> u16 {
        self.status
    }

    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }
}

fn title(status: u16) -> &'static str {
    match status {
        400 => "The request cannot be read",
        401 => "A token is needed",
        403 => "Not allowed",
        404 => "Not found",
        405 => "Not a method of this address",
        408 => "The request took too long to come",
        409 => "In conflict with what is there",
        413 => "The request is too large",
        415 => "Not a media type that is read here",
        422 => "The request makes no sense",
        429 => "Too many requests",
        503 => "Not possible just now",
        _ => "The server failed",
    }
}
