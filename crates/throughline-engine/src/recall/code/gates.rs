//! Nothing is shown of a file but what is in it now: it is there, inside the root, text, and the chunk is still in it.

use std::collections::HashMap;
use std::path::Path;

use throughline_code::chunk::{self, Chunk};
use throughline_code::walk;

use super::super::{Found, Hit, Recalled};
use super::{Code, CodeSearch};
use crate::index::code::take;

/// The same file is looked at once for all its chunks.
struct Now {
    hash: String,
    text: String,
    chunks: Option<Vec<Chunk>>,
}

/// How much is shown: what comes after so many results is not looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) hits: usize,
    pub(super) bytes: usize,
}

pub(super) fn check(root: &Path, room: Room, recalled: &mut Recalled, search: &mut CodeSearch) {
    let refused = check_hits(root, room, &mut recalled.hits, search);
    recalled.total = recalled.total.saturating_sub(refused);
}

/// Tells how many were looked at and not let through.
pub(super) fn check_hits(root: &Path, room: Room, hits: &mut Vec<Hit>, search: &mut CodeSearch) -> usize {
    let Ok(root) = std::fs::canonicalize(root) else {
        let before = hits.len();
        hits.retain(|hit| !matches!(hit.found, Found::Code(_)));
        search.stale += before - hits.len();
        return before - hits.len();
    };
    let mut files: HashMap<String, Option<Now>> = HashMap::new();
    let (mut left, mut kept, mut refused) = (room.bytes, 0, 0);
    hits.retain_mut(|hit| {
        if kept == room.hits {
            return false;
        }
        kept += 1;
        let Found::Code(code) = &mut hit.found else { return true };
        let now = files.entry(code.file.path.clone()).or_insert_with(|| look(&root, &code.file.path));
        let passes = now.as_mut().is_some_and(|now| is_still_there(code, now));
        if !passes {
            search.stale += 1;
            kept -= 1;
            refused += 1;
            return false;
        }
        search.reread += usize::from(code.reread);
        let length = code.text.as_ref().map_or(0, String::len);
        if length > left {
            code.text = None;
        } else {
            left -= length;
        }
        true
    });
    refused
}

fn look(root: &Path, path: &str) -> Option<Now> {
    if walk::is_foreign(path) {
        return None;
    }
    let (bytes, _) = take::read(root, path).ok()?;
    let text = throughline_code::read(&bytes).ok()?.into_owned();
    Some(Now { hash: take::hash(&bytes), text, chunks: None })
}

/// Puts the text there; where the file has changed, that of the same symbol.
fn is_still_there(code: &mut Code, now: &mut Now) -> bool {
    if now.hash != code.file.hash {
        let chunks = now.chunks.get_or_insert_with(|| chunk::chunks(&code.file.path, &now.text));
        let Some(same) = chunks.iter().find(|chunk| is_same(code, chunk)) else { return false };
        code.chunk.first_line = same.first_line as i64;
        code.chunk.last_line = same.last_line as i64;
        code.reread = true;
    }
    let line = |number: i64| usize::try_from(number).unwrap_or(0);
    let text = chunk::text_of(&now.text, line(code.chunk.first_line), line(code.chunk.last_line));
    code.text = Some(crate::capture::redacted(text.to_owned(), &mut 0));
    true
}

fn is_same(code: &Code, chunk: &Chunk) -> bool {
    let first = code.chunk.symbols.first();
    first.is_some() && first == chunk.symbols.first().map(|symbol| &symbol.path)
}
