//! Links between records, in JSON.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::graph::Graph as EngineGraph;
use throughline_engine::store::link::{Link, Node};

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Named>,
    pub(crate) edges: Vec<Edge>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Named {
    #[serde(flatten)]
    pub(crate) vertex: Vertex,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Edge {
    pub(crate) from: Vertex,
    pub(crate) kind: String,
    pub(crate) to: Vertex,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct Vertex {
    /// `memory`, `event`, `session`, `item`, `resource` or `option`.
    pub(crate) kind: String,
    pub(crate) id: String,
}

impl From<&Link> for Edge {
    fn from(link: &Link) -> Edge {
        Edge { from: (&link.from).into(), kind: link.kind.to_string(), to: (&link.to).into() }
    }
}

impl From<&Node> for Vertex {
    fn from(node: &Node) -> Vertex {
        Vertex { kind: node.end.to_string(), id: node.id.clone() }
    }
}

impl From<EngineGraph> for Graph {
    fn from(graph: EngineGraph) -> Graph {
        let named =
            |(node, label): &(Node, Option<String>)| Named { vertex: node.into(), label: label.clone() };
        Graph {
            nodes: graph.nodes.iter().map(named).collect(),
            edges: graph.edges.iter().map(Edge::from).collect(),
        }
    }
}

/// The graph in the language of Graphviz.
pub(crate) fn dot(graph: &Graph) -> String {
    let mut lines = vec!["digraph throughline {".to_owned()];
    for node in &graph.nodes {
        let label = node.label.as_deref().unwrap_or(&node.vertex.id);
        let label = format!("{}: {label}", node.vertex.kind);
        lines.push(format!("  {} [label={}];", name(&node.vertex), quoted(&label)));
    }
    for edge in &graph.edges {
        lines.push(format!("  {} -> {} [label={}];", name(&edge.from), name(&edge.to), quoted(&edge.kind)));
    }
    lines.push("}".to_owned());
    lines.join("\n")
}

fn name(vertex: &Vertex) -> String {
    quoted(&format!("{} {}", vertex.kind, vertex.id))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " "))
}
