//! Definitions as a grammar sees them.

use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, Parser};

use super::grammar::Grammar;
use super::lines::Lines;
use super::shape::Span;
use super::{Symbol, SymbolKind, doc};

/// A text that takes longer to understand is not worth it; counted in looks, so that it is the same everywhere.
const MAX_LOOKS: usize = 20_000;
/// So many steps below a definition the next ones are looked for: `export default`, decorators, `#ifdef`, bodies.
const MAX_STEPS: usize = 5;
const MAX_NESTING: usize = 8;
const SIGNATURE_BYTES: usize = 240;

pub(super) fn spans(grammar: &Grammar, text: &str, lines: &Lines<'_>) -> Option<Vec<Span>> {
    let mut parser = Parser::new();
    parser.set_language(&grammar.language.into()).ok()?;
    let mut looks = 0;
    let mut enough = |_: &tree_sitter::ParseState| {
        looks += 1;
        if looks > MAX_LOOKS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut enough);
    let tree = parser.parse_with_options(
        &mut |at, _| text.as_bytes().get(at..).unwrap_or_default(),
        None,
        Some(options),
    )?;
    let mut reading = Reading { grammar, text, lines, spans: vec![], containers: 0 };
    reading.look(tree.root_node(), &Within { path: String::new(), id: 0, depth: 0 }, 0);
    reading.spans.sort_by_key(|span| span.lines.start);
    Some(reading.spans)
}

struct Reading<'a> {
    grammar: &'a Grammar,
    text: &'a str,
    lines: &'a Lines<'a>,
    spans: Vec<Span>,
    containers: usize,
}

/// What a definition stands in.
struct Within {
    path: String,
    id: usize,
    depth: usize,
}

impl Reading<'_> {
    fn look(&mut self, node: Node<'_>, within: &Within, steps: usize) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor).collect::<Vec<_>>() {
            let outer = kind_in(self.grammar.outer, child.kind());
            let inner = kind_in(self.grammar.inner, child.kind());
            match (outer, inner) {
                (Some(kind), _) if within.depth < MAX_NESTING => self.outer(child, kind, within),
                (Some(kind), _) | (None, Some(kind)) => self.inner(child, kind, within),
                (None, None) if steps < MAX_STEPS => self.look(child, within, steps + 1),
                (None, None) => {}
            }
        }
    }

    /// Its own lines up to where the first definition in it begins, then those.
    fn outer(&mut self, node: Node<'_>, kind: SymbolKind, within: &Within) {
        let Some(name) = self.name(node) else { return self.look(node, within, 1) };
        let own = self.spans.len();
        self.push(node, Symbol { path: self.path(&name, within), kind }, within);
        // While what is in it is looked at it ends with its first line, so that comments there are free to take.
        let whole_end = self.spans[own].lines.end;
        self.spans[own].lines.end = node.start_position().row + 1;
        self.containers += 1;
        let inside = Within { path: self.path(&name, within), id: self.containers, depth: within.depth + 1 };
        let before = self.spans.len();
        self.look(node, &inside, 0);
        let first = self.spans[before..].iter().map(|span| span.lines.start).min();
        let span = &mut self.spans[own];
        span.lines.end = first.map_or(whole_end, |first| first.max(span.lines.start + 1));
        span.within = if first.is_some() { inside.id } else { within.id };
    }

    fn inner(&mut self, node: Node<'_>, kind: SymbolKind, within: &Within) {
        let kind = match kind {
            SymbolKind::Constant if holds_function(node) => SymbolKind::Function,
            SymbolKind::Type if is_mention(node) => return,
            kind => kind,
        };
        let Some(name) = self.name(node) else { return };
        self.push(node, Symbol { path: self.path(&name, within), kind }, within);
    }

    fn push(&mut self, node: Node<'_>, symbol: Symbol, within: &Within) {
        let whole = decorated(node);
        let (first, last) = (whole.start_position().row, whole.end_position().row);
        let not_before = self.spans.last().map_or(0, |span| span.lines.end.min(first));
        let start = doc::start(self.lines, first, not_before);
        let definition = node.start_position().row;
        self.spans.push(Span {
            lines: start..last + 1,
            symbols: vec![symbol],
            signature: self.signature(node),
            doc: doc::text(self.lines, start, definition, last + 1),
            within: within.id,
        });
    }

    fn path(&self, name: &str, within: &Within) -> String {
        match within.path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}{}{name}", self.grammar.joint),
        }
    }

    /// What the grammar calls a name, else what a declarator declares.
    fn name(&self, node: Node<'_>) -> Option<String> {
        let text = |node: Node<'_>| one_line(&self.text[node.byte_range()]);
        if node.kind() == "impl_item" {
            return node
                .child_by_field_name("type")
                .map(|of| text(of).split('<').next().unwrap_or_default().to_owned());
        }
        if let Some(name) = node.child_by_field_name("name") {
            let receiver = node.child_by_field_name("receiver").map(text);
            let of = receiver.as_deref().and_then(receiving);
            return Some(of.map_or_else(|| text(name), |of| format!("{of}.{}", text(name))));
        }
        let mut declared = node.child_by_field_name("declarator")?;
        while let Some(inside) = declared.child_by_field_name("declarator") {
            declared = inside;
        }
        let name = text(declared);
        (!name.is_empty() && name.len() < SIGNATURE_BYTES).then_some(name)
    }

    fn signature(&self, node: Node<'_>) -> String {
        let body = node.child_by_field_name("body").or_else(|| {
            let value = node.child_by_field_name("value")?;
            value.child_by_field_name("body")
        });
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        let text = &self.text[node.start_byte()..end.max(node.start_byte())];
        let mut signature = one_line(text);
        signature.truncate(signature.floor_char_boundary(SIGNATURE_BYTES));
        signature.trim_end_matches(['{', ':', ' ']).to_owned()
    }
}

fn kind_in(kinds: &[(&str, SymbolKind)], name: &str) -> Option<SymbolKind> {
    kinds.iter().find(|(kind, _)| *kind == name).map(|(_, kind)| *kind)
}

/// The type that a Go method is of: `(s *Server)`.
fn receiving(receiver: &str) -> Option<&str> {
    let receiver = receiver.trim_matches(['(', ')']);
    receiver.rsplit(' ').next().map(|of| of.trim_start_matches('*')).filter(|of| !of.is_empty())
}

/// With what wraps a definition: decorators, `export`, templates.
fn decorated(node: Node<'_>) -> Node<'_> {
    const WRAPPERS: [&str; 7] = [
        "decorated_definition",
        "export_statement",
        "template_declaration",
        "lexical_declaration",
        "variable_declaration",
        "type_declaration",
        "declaration",
    ];
    let mut whole = node;
    while let Some(parent) =
        whole.parent().filter(|parent| WRAPPERS.contains(&parent.kind()) && parent.named_child_count() <= 3)
    {
        whole = parent;
    }
    whole
}

fn holds_function(node: Node<'_>) -> bool {
    node.child_by_field_name("value").is_some_and(|value| {
        matches!(value.kind(), "arrow_function" | "function_expression" | "generator_function" | "function")
    })
}

/// `struct point p` names a type that is defined elsewhere.
fn is_mention(node: Node<'_>) -> bool {
    matches!(node.kind(), "struct_specifier" | "union_specifier" | "enum_specifier" | "class_specifier")
        && node.child_by_field_name("body").is_none()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
