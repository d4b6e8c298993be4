//! Files as people write them, and the chunks they fall into.

use super::{Chunk, chunks, text_of};

/// Each chunk as its lines, its symbols and its doc.
fn shown(path: &str, text: &str) -> Vec<String> {
    let line = |chunk: &Chunk| {
        let symbols: Vec<String> =
            chunk.symbols.iter().map(|symbol| format!("{} {}", symbol.kind, symbol.path)).collect();
        let doc = if chunk.doc.is_empty() { String::new() } else { format!(" | {}", chunk.doc) };
        format!("{}-{} {}{doc}", chunk.first_line, chunk.last_line, symbols.join(", "))
    };
    chunks(path, text).iter().map(line).collect()
}

/// Enough lines that a definition is a chunk of its own.
fn body(indent: &str, comment: &str) -> String {
    (0..8).map(|n| format!("{indent}{comment} a line that says something, number {n}\n")).collect()
}

#[test]
fn rust_is_told_by_items_and_their_impls() {
    let filler = body("        ", "//");
    let text = format!(
        "//! A store.\n\nuse std::fmt;\n\n/// Keeps things.\n#[derive(Debug)]\npub struct Store {{\n{filler}}}\n\nimpl Store {{\n    /// Opens it.\n    pub fn open(path: &str) -> Store {{\n{filler}    }}\n\n    fn close(&self) {{\n{filler}    }}\n}}\n"
    );
    assert_eq!(
        shown("store.rs", &text),
        [
            "1-16 type Store | Keeps things.",
            "18-29 type Store, function Store::open | Opens it.",
            "31-41 function Store::close",
        ]
    );
    assert_eq!(chunks("store.rs", &text)[2].signature, "fn close(&self)");
    assert!(text_of(&text, 31, 31).contains("fn close"));
}

#[test]
fn python_has_classes_decorators_and_texts() {
    let filler = body("        ", "#");
    let text = format!(
        "import os\n\n\nclass Shop(Base):\n    \"\"\"Sells things.\"\"\"\n\n    @property\n    def open(self):\n        \"\"\"Whether anybody\n        may come in.\n        \"\"\"\n{filler}        return True\n\n    def close(self):\n{filler}        return False\n"
    );
    assert_eq!(
        shown("shop.py", &text),
        [
            "1-20 type Shop, function Shop.open | Sells things. Whether anybody may come in.",
            "22-31 function Shop.close",
        ]
    );
}

#[test]
fn other_languages_are_told_by_their_definitions() {
    let wide = |open: &str, close: &str| format!("{open}\n{}{close}\n", body("    ", "//"));
    let cases = [
        ("a.ts", wide("export const load = async (id: string) => {", "};"), "function load"),
        ("a.tsx", wide("export function App() { return <b>x</b>;", "}"), "function App"),
        ("a.js", wide("function run(x) {", "}"), "function run"),
        ("a.go", wide("func (s *Server) Run() error {", "}"), "function Server.Run"),
        ("a.c", wide("static int *find(const char *name) {", "}"), "function find"),
        ("a.h", wide("struct point {", "};"), "type point"),
        ("a.cpp", wide("int Shop::open(int x) {", "}"), "function Shop::open"),
        ("a.php", format!("<?php\n{}", wide("function pay($x) {", "}")), "function pay"),
        ("a.sh", format!("deploy() {{\n{}}}\n", body("  ", "#")), "function deploy"),
        (
            "a.rb",
            format!("module Shop\n  def self.pay(x)\n{}  end\nend\n", body("    ", "#")),
            "function Shop::pay",
        ),
        (
            "A.java",
            format!("class A {{\n{}}}\n", wide("  public void pay(int x) {", "  }")),
            "function A.pay",
        ),
        (
            "A.cs",
            format!("namespace N {{\nclass A {{\n{}}}\n}}\n", wide("  void Pay() {", "  }")),
            "function N.A.Pay",
        ),
        ("a.sql", "create table if not exists orders (\n  id bigint\n);\n".to_owned(), "table orders"),
        ("a.toml", "[package]\nname = \"x\"\n".to_owned(), "key package"),
        ("a.yaml", "jobs:\n  test:\n    x: 1\n".to_owned(), "key jobs"),
        ("a.json", "{\n  \"scripts\": {\n    \"a\": 1\n  }\n}\n".to_owned(), "key scripts"),
        ("a.md", "# Title\n\ntext\n\n```\n# no heading\n```\n".to_owned(), "section Title"),
    ];
    for (path, text, symbol) in cases {
        let shown = shown(path, &text).join("\n");
        assert!(shown.contains(symbol), "{path}: {shown}");
        assert!(!shown.contains("no heading"), "{path}: {shown}");
    }
}

#[test]
fn what_is_long_is_cut_and_every_line_is_in_one_chunk() {
    let long: String =
        (0..300).map(|n| format!("    let x{n} = {n};\n{}", if n % 20 == 19 { "\n" } else { "" })).collect();
    let samples = [
        ("long.rs", format!("fn long() {{\n{long}}}\n")),
        ("notes.txt", long.clone()),
        ("broken.rs", format!("fn (((\n{long}")),
        ("one.rs", "fn a() {} fn b() {}\nfn c() {}\n".to_owned()),
        ("crlf.py", "def f():\r\n    pass\r\n".to_owned()),
        ("empty.rs", String::new()),
        ("blank.rs", "\n \n\t\n".to_owned()),
    ];
    for (path, text) in samples {
        let chunks = chunks(path, &text);
        let mut covered = vec![0; text.lines().count()];
        for chunk in &chunks {
            assert!(chunk.last_line - chunk.first_line < 64, "{path}");
            covered[chunk.first_line - 1..chunk.last_line].iter_mut().for_each(|count| *count += 1);
        }
        for (line, count) in text.lines().zip(covered) {
            assert!(count == 1 || (count == 0 && line.trim().is_empty()), "{path}: {line:?} in {count}");
        }
    }
}
