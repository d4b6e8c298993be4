//! Commands in documents are run: a block of `sh` in a home and a project of its document's own, one after the other. A
//! block that cannot be run here says why: ```` ```sh not run: it goes on until it is stopped ````.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::{Block, Page, pages};
use crate::fixture::{Home, command, git, repository};

const NOT_RUN: &str = "sh not run: ";

#[test]
fn every_command_in_the_documents_runs() {
    let mut failed = Vec::new();
    let mut ran = 0;
    for page in pages() {
        let runnable: Vec<Block> = page.blocks().into_iter().filter(|block| block.info == "sh").collect();
        if runnable.is_empty() {
            continue;
        }
        let home = prepared();
        for block in runnable {
            ran += 1;
            failed.extend(run(&home, &page, &block).err());
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(ran > 20, "only {ran} blocks were found");
}

#[test]
fn every_command_in_the_documents_says_whether_it_runs() {
    let mut unmarked = Vec::new();
    for page in pages().iter().filter(|page| page.path != "docs/cli.md") {
        for block in page.blocks() {
            let is_command = block.text.lines().any(|line| {
                let line = line.trim_start_matches("$ ");
                line.starts_with("throughline ") && !line.contains('…') || line.contains("| throughline ")
            });
            let is_marked = block.info == "sh"
                || (block.info.starts_with(NOT_RUN) && block.info.len() > NOT_RUN.len() + 5);
            let is_text = ["text", "json", "toml", "yaml", "rust"].contains(&block.info.as_str());
            if is_command && !is_marked && !is_text {
                unmarked.push(format!("{}:{}: `{}`", page.path, block.line, block.info));
            }
        }
    }
    assert!(unmarked.is_empty(), "say `sh`, or `{NOT_RUN}WHY`:\n{}", unmarked.join("\n"));
}

/// A project with a little of everything, which documents may speak about.
fn prepared() -> Home {
    let home = Home::sqlite();
    let shop = home.work("shop");
    for (name, text) in [
        ("README.md", "# shop\n\nA small web shop.\n"),
        ("AGENTS.md", "# Rules\n\n- Run `cargo test` before you commit.\n"),
        (
            "src/cart.rs",
            "/// Prices are rounded half to even.\npub fn total(cents: &[i64]) -> i64 {\n    cents.iter().sum()\n}\n",
        ),
        (
            "issues.json",
            r#"[{"number": 7, "title": "Carts lose lines", "body": "above a hundred", "state": "open", "html_url": "https://example.org/issues/7"}]"#,
        ),
    ] {
        fs::create_dir_all(shop.join(name).parent().unwrap()).unwrap();
        fs::write(shop.join(name), text).unwrap();
    }
    repository(&shop);
    git(&shop, &["add", "-A"]);
    git(&shop, &["commit", "-q", "-m", "A shop"]);
    fs::create_dir_all(home.path().join("bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_throughline"), home.path().join("bin/throughline")).unwrap();
    // Where it is for whoever has set nothing.
    let said = |args: &[&str]| home.call(args).without("THROUGHLINE_HOME").ok();
    said(&["task", "create", "Checkout that survives large carts", "--type", "epic"]);
    said(&["task", "create", "Read every page of the cart", "--parent", "EPIC-0001"]);
    said(&["remember", "We deploy on Tuesdays, never on Fridays", "--kind", "rule"]);
    home
}

fn run(home: &Home, page: &Page, block: &Block) -> Result<(), String> {
    let script = format!("set -euo pipefail\n{}", block.text);
    let path = format!("{}:{}", home.path().join("bin").display(), std::env::var("PATH").unwrap());
    let output = command("bash")
        .args(["-c", &script])
        .current_dir(home.work("shop"))
        .env_clear()
        .env("PATH", path)
        .env("HOME", home.path().join("user"))
        .env("USER", "tester")
        .env("TMPDIR", ready(&home.path().join("tmp")))
        .output()
        .unwrap();
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{}:{}: {}\n{}\n{said}", page.path, block.line, output.status, block.text))
}

fn ready(folder: &Path) -> &Path {
    fs::create_dir_all(folder).unwrap();
    folder
}
