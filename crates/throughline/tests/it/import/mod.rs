//! History that was there before: transcripts of clients, commits, files of instructions, brought in as often as one
//! likes.

mod git;
mod knowledge;
mod opencode;
mod recorded_before;
mod tools;
mod tour;
mod transcripts;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::fixture::{Home, at, jsonl};

/// A transcript that a client wrote, with its folders in this home.
pub(crate) fn transcript(home: &Home, name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/transcripts/{name}.jsonl"));
    let shop = home.work("shop").canonicalize().unwrap().display().to_string();
    fs::read_to_string(path).unwrap().replace("/home/dev/shop", &shop)
}

/// Lines of Claude Code's transcript of session `s1`, a minute of the day after another.
pub(crate) struct Claude {
    folder: PathBuf,
    session: String,
    lines: Vec<Json>,
}

impl Claude {
    pub(crate) fn of(home: &Home, session: &str) -> Claude {
        let folder = home.work("shop").canonicalize().unwrap();
        Claude { folder, session: session.to_owned(), lines: vec![] }
    }

    pub(crate) fn within(self, folder: &Path) -> Claude {
        Claude { folder: folder.canonicalize().unwrap(), ..self }
    }

    fn line(mut self, kind: &str, message: Json, more: Json) -> Claude {
        let number = self.lines.len();
        let mut line = json!({
            "type": kind, "uuid": format!("u{number}"), "sessionId": self.session, "cwd": self.folder,
            "timestamp": at(&format!("10:{number:02}:00")), "message": message, "isSidechain": false,
        });
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.lines.push(line);
        self
    }

    pub(crate) fn asks(self, prompt: &str, text: &str) -> Claude {
        self.line("user", json!({ "role": "user", "content": text }), json!({ "promptId": prompt }))
    }

    /// A prompt that the client made.
    pub(crate) fn made(self, prompt: &str, text: &str) -> Claude {
        let more = json!({ "promptId": prompt, "promptSource": "system" });
        self.line("user", json!({ "role": "user", "content": text }), more)
    }

    pub(crate) fn meta(self, text: &str) -> Claude {
        self.line("user", json!({ "role": "user", "content": text }), json!({ "isMeta": true }))
    }

    pub(crate) fn answers(self, text: &str) -> Claude {
        let content = json!([{ "type": "text", "text": text }]);
        self.line("assistant", json!({ "role": "assistant", "content": content }), json!({}))
    }

    pub(crate) fn writes(self, id: &str, path: &str) -> Claude {
        let input = json!({ "file_path": path, "content": "x" });
        let call = json!([{ "type": "tool_use", "id": id, "name": "Write", "input": input }]);
        let result = json!([{ "type": "tool_result", "tool_use_id": id, "content": "written" }]);
        self.line("assistant", json!({ "role": "assistant", "content": call }), json!({})).line(
            "user",
            json!({ "role": "user", "content": result }),
            json!({ "toolUseResult": { "type": "create" } }),
        )
    }

    pub(crate) fn text(&self) -> String {
        jsonl(&self.lines)
    }

    /// Puts it where the client keeps it.
    pub(crate) fn keep(&self, home: &Home) -> PathBuf {
        home.write(&format!("user/.claude/projects/-shop/{}.jsonl", self.session), self.text())
    }
}

/// What an import says that it did: imported, already there.
#[track_caller]
pub(crate) fn imports(home: &Home, source: &str) -> (i64, i64) {
    let answer = home.json(&["import", source]);
    (answer["imported"].as_i64().unwrap(), answer["already_there"].as_i64().unwrap())
}

#[test]
fn help_of_every_source() {
    let home = Home::sqlite();
    let mut text = home.ok(&["import", "--help"]);
    for source in ["claude-code", "opencode", "git", "agents-md", "mem0", "project"] {
        text.push_str(&format!("\n$ import {source} --help\n{}", home.ok(&["import", source, "--help"])));
    }
    insta::assert_snapshot!(home.plain(&text));
}
