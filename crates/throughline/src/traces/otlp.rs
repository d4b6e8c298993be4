//! Spans as a collector reads them: OTLP in its JSON form.

use serde_json::{Value as Json, json};
use throughline_engine::store::time::Timestamp;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Span {
    pub(super) trace: u128,
    pub(super) id: u64,
    pub(super) parent: Option<u64>,
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) began: Timestamp,
    pub(super) ended: Option<Timestamp>,
    pub(super) attributes: Vec<(&'static str, Value)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Internal,
    Server,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(i64),
}

/// Where the conventions for generative AI are at home; their names may change while they are in development.
const SCHEMA: &str = "https://opentelemetry.io/schemas/1.41.0";
/// The conventions' name for what went wrong; a span that has it ended badly.
const ERROR: &str = "error.type";

/// One request to a collector.
pub(super) fn request(spans: &[Span]) -> Json {
    let version = env!("CARGO_PKG_VERSION");
    let service = [("service.name", "throughline"), ("service.version", version)];
    let service = service.map(|(name, text)| attribute(name, &Value::Text(text.to_owned())));
    let spans: Vec<Json> = spans.iter().map(span).collect();
    json!({"resourceSpans": [{
        "resource": {"attributes": service},
        "scopeSpans": [{"scope": {"name": "throughline", "version": version}, "spans": spans, "schemaUrl": SCHEMA}],
    }]})
}

fn span(span: &Span) -> Json {
    let failed = span.attributes.iter().any(|(name, _)| *name == ERROR);
    let mut written = json!({
        "traceId": format!("{:032x}", span.trace),
        "spanId": format!("{:016x}", span.id),
        "name": span.name,
        "kind": match span.kind {
            Kind::Internal => 1,
            Kind::Server => 2,
        },
        "startTimeUnixNano": nanoseconds(span.began),
        "endTimeUnixNano": nanoseconds(span.ended.unwrap_or(span.began)),
        "attributes": span.attributes.iter().map(|(name, value)| attribute(name, value)).collect::<Vec<_>>(),
        "status": if failed { json!({"code": 2}) } else { json!({}) },
    });
    if let Some(parent) = span.parent {
        written["parentSpanId"] = format!("{parent:016x}").into();
    }
    written
}

fn attribute(name: &str, value: &Value) -> Json {
    let value = match value {
        Value::Text(text) => json!({"stringValue": text}),
        Value::Number(number) => json!({"intValue": number.to_string()}),
    };
    json!({"key": name, "value": value})
}

/// As text: JSON has no whole numbers of that size.
fn nanoseconds(at: Timestamp) -> String {
    (i128::from(at.0) * 1000).to_string()
}
