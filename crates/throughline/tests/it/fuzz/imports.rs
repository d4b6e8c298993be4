//! Files to import: taken in or refused, and the log stays whole.

use std::path::PathBuf;

use serde_json::json;

use super::{bytes, json as changed, rounds, unbroken};
use crate::fixture::{Home, jsonl};
use crate::import::transcript;

const ROUNDS: usize = 60;

/// A way to import, and something that it takes.
struct Way {
    args: &'static [&'static str],
    file: &'static str,
    good: Vec<u8>,
}

fn ways(home: &Home) -> Vec<Way> {
    home.ok(&["remember", "Boats are green"]);
    home.ok(&["task", "create", "Paint the boat"]);
    let way = |args, file, good: String| Way { args, file, good: good.into_bytes() };
    let graph = jsonl(&[
        json!({"type": "entity", "name": "till", "entityType": "part", "observations": ["takes cards and coins"]}),
        json!({"type": "relation", "from": "till", "to": "printer", "relationType": "drives"}),
    ]);
    let list = json!({"results": [{"id": "1", "memory": "Prefers tea over coffee", "created_at": "2026-01-15T10:00:00Z"}]});
    let issue = json!({"id": "bd-1", "title": "Ship", "status": "open", "priority": 1, "issue_type": "task",
        "created_at": "2026-01-15T10:00:00Z", "updated_at": "2026-01-15T10:00:00Z"});
    let note =
        "---\ntitle: Coffee\ntags: [a, b]\n---\n- [method] Pour over is clear #taste\n- needs [[Grinder]]\n";
    vec![
        way(&["import", "project"], "project.jsonl", home.ok(&["export"])),
        way(&["log", "import"], "log.jsonl", home.ok(&["log", "export"])),
        way(&["import", "server-memory"], "memory.jsonl", graph),
        way(&["import", "mem0"], "mem0.json", list.to_string()),
        way(&["import", "basic-memory"], "note.md", note.to_owned()),
        way(&["import", "beads"], "issues.jsonl", jsonl(&[issue])),
        way(&["import", "claude-code"], "session.jsonl", transcript(home, "claude-code")),
        way(&["import", "codex"], "rollout-1.jsonl", transcript(home, "codex")),
        way(&["import", "gemini"], "session-1.jsonl", transcript(home, "gemini-cli")),
        way(
            &["import", "agents-md"],
            "AGENTS.md",
            "# Rules\n- Never log card numbers\n  - not even short ones\n".to_owned(),
        ),
    ]
}

#[test]
fn files_with_chance_mixed_in_are_taken_or_refused() {
    let home = Home::sqlite();
    let ways = ways(&home);
    let database = claude_mem(&home);
    let mut round = 0;
    rounds(ROUNDS, |chance| {
        round += 1;
        let project = format!("p{}", round % 7);
        let which = chance.below(ways.len() + 1);
        let (args, file, input) = match ways.get(which) {
            None => (&["import", "claude-mem"][..], "claude-mem.db", bytes(database.clone(), chance)),
            Some(way) => (way.args, way.file, one_of_its_lines(&way.good, chance)),
        };
        let path: PathBuf = home.write(&format!("in/{file}"), &input);
        let args = [&["--project", project.as_str()], args, &[path.to_str().unwrap()]].concat();
        unbroken(&home.call(&args).run(), &input);
    });
    home.check();
}

/// One line changed as JSON where it is some, or some bytes of the whole.
fn one_of_its_lines(good: &[u8], chance: &mut crate::processes::Chance) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = good.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let place = chance.below(lines.len());
    match serde_json::from_slice(&lines[place]) {
        Ok(line) if chance.below(4) > 0 => lines[place] = changed(line, chance),
        _ => return bytes(good.to_vec(), chance),
    }
    lines.join(&b'\n')
}

fn claude_mem(home: &Home) -> Vec<u8> {
    let path = home.path().join("good.db");
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute_batch(
        "create table observations (id integer primary key, project text, type text, title text, narrative text, facts text,
             created_at_epoch integer);
         insert into observations values (1, 'shop', 'decision', 'Totals', 'Rounding moved behind the discount', '[\"a\"]', 1);",
    )
    .unwrap();
    drop(db);
    std::fs::read(path).unwrap()
}
