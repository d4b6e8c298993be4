//! Markdown with front matter, wherever it is read: items, workflows, memory files.

use serde_json::json;

use super::{bytes, rounds, unbroken};
use crate::fixture::Home;

const ROUNDS: usize = 40;

const ITEM: &str = "---\nid: TASK-0001\ntitle: \"Paint: the boat\"\ntype: task\nstatus: in_progress\npriority: high\n\
    depends_on: [TASK-0002]\nreferences:\n  - url: https://example.com\n    title: One\ntags: [a, 'b']\n---\n\n# Paint\n\nGreen.\n";
const MEMORY: &str =
    "---\nname: retries\ndescription: how often\ntype: feedback\n---\nNever retry more than 3 times.\n";
const WORKFLOW: &str = "---\nname: ship\nroles:\n  - architect\n  - engineer\ngates: [review]\n---\n# Ship\n\n## architect\nDraw it.\n";

#[test]
fn front_matter_with_chance_mixed_in_is_read_or_refused() {
    let home = Home::sqlite();
    home.batch(&[json!({"kind": "read", "session": "s", "workflow": "ship", "chatmode": "architect"})]);
    rounds(ROUNDS, |chance| {
        let (file, good, args): (&str, &str, &[&str]) = match chance.below(3) {
            0 => ("items/TASK-0001.md", ITEM, &["task", "import", "../items"]),
            1 => ("work/shop/.claude/memory/a.memory.md", MEMORY, &["import", "claude-memory"]),
            _ => ("work/shop/.throughline/workflows/ship.md", WORKFLOW, &["session", "status", "s"]),
        };
        let input = bytes(good.as_bytes().to_vec(), chance);
        home.write(file, &input);
        unbroken(&home.call(args).run(), &input);
    });
    home.check();
}
