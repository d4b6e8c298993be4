//! Spans as `tracing` tells of them: begun, told more about, ended.

use std::fmt;

use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::otlp::{Kind, Span, Value};
use super::send::Queue;

pub(super) struct Spans {
    queue: Queue,
    clock: Clock,
    ids: Ids,
}

impl Spans {
    pub(super) fn new(queue: Queue) -> Spans {
        Spans { queue, clock: Clock::system(), ids: Ids::system() }
    }

    /// No id is 0.
    fn id(&self) -> u64 {
        self.ids.below(u64::MAX) + 1
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Spans {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(open) = context.span(id) else { return };
        let mut span = Span {
            trace: (u128::from(self.id()) << 64) | u128::from(self.id()),
            id: self.id(),
            parent: None,
            name: attributes.metadata().name().to_owned(),
            kind: Kind::Internal,
            began: self.clock.now(),
            ended: None,
            attributes: vec![],
        };
        if let Some(parent) = open.parent()
            && let Some(parent) = parent.extensions().get::<Span>()
        {
            (span.trace, span.parent) = (parent.trace, Some(parent.id));
        }
        attributes.record(&mut Told(&mut span));
        open.extensions_mut().insert(span);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(open) = context.span(id) else { return };
        if let Some(span) = open.extensions_mut().get_mut::<Span>() {
            values.record(&mut Told(span));
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let span = context.span(&id).and_then(|open| open.extensions_mut().remove::<Span>());
        if let Some(span) = span {
            self.queue.push(Span { ended: Some(self.clock.now()), ..span });
        }
    }
}

/// What is said of a span; some of it is about the span itself.
struct Told<'a>(&'a mut Span);

impl Told<'_> {
    fn add(&mut self, field: &Field, value: Value) {
        self.0.attributes.retain(|(name, _)| *name != field.name());
        self.0.attributes.push((field.name(), value));
    }
}

impl Visit for Told<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "otel.name" => self.0.name = value.to_owned(),
            "otel.kind" if value == "server" => self.0.kind = Kind::Server,
            "otel.kind" => {}
            "otel.parent" => {
                if let Some((trace, parent)) = parent(value) {
                    (self.0.trace, self.0.parent) = (trace, Some(parent));
                }
            }
            _ => self.add(field, Value::Text(value.to_owned())),
        }
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, Value::Number(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, Value::Number(i64::try_from(value).unwrap_or(i64::MAX)));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field, Value::Text(format!("{value:?}")));
    }
}

/// What the header `traceparent` names: the trace and the span that this one is part of.
fn parent(header: &str) -> Option<(u128, u64)> {
    let mut parts = header.split('-');
    let (version, trace, parent) = (parts.next()?, parts.next()?, parts.next()?);
    if (version.len(), trace.len(), parent.len()) != (2, 32, 16) || version == "ff" {
        return None;
    }
    let named = (u128::from_str_radix(trace, 16).ok()?, u64::from_str_radix(parent, 16).ok()?);
    (named.0 != 0 && named.1 != 0).then_some(named)
}

#[cfg(test)]
mod tests {
    use super::parent;

    #[test]
    fn a_parent_is_named_by_two_numbers_that_are_not_0() {
        let (trace, span) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
        let known = Some((0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736, 0x00f0_67aa_0ba9_02b7));
        assert_eq!(parent(&format!("00-{trace}-{span}-01")), known);
        assert_eq!(parent(&format!("cc-{trace}-{span}-01-what")), known, "later versions may add to it");
        for wrong in [
            String::new(),
            format!("ff-{trace}-{span}-01"),
            format!("00-{}-{span}-01", "0".repeat(32)),
            format!("00-{trace}-{}-01", "0".repeat(16)),
            format!("00-{}-{span}-01", "x".repeat(32)),
            format!("00-{trace}-{span}0-01"),
        ] {
            assert_eq!(parent(&wrong), None, "{wrong}");
        }
    }
}
