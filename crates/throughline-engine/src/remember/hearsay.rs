//! Whose word a statement is: what an agent repeats of a tool, a page or a file is that one's word, whoever asks for it to be kept.

use crate::words::is_in;
use throughline_store::actor::{Actor, ActorKind};
use throughline_store::memory::Kind;

const SPEAKERS: &str = "tool output page webpage website site readme readme.md file log response issue email document script comment \
    error result it";
const SAYING: &str = "say says said state states stated read reads tell tells told instruct instructs instructed ask asks asked demands";
const ORDERING: &str = "always never must should ignore run curl disable don't not only";

/// Whether it tells others what to do in the name of somebody who cannot.
pub(super) fn is_hearsay(actor: &Actor, kind: Kind, content: &str) -> bool {
    let words: Vec<String> = content
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).replace('’', "'").to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    let binds =
        matches!(kind, Kind::Rule | Kind::Preference) || words.iter().any(|word| is_in(ORDERING, word));
    actor.kind == ActorKind::Agent && binds && (quotes(&words) || is_labelled(content))
}

/// "the page says …", "README.md tells users to …"
fn quotes(words: &[String]) -> bool {
    words.windows(2).any(|pair| {
        let speaker = pair[0].as_str();
        let is_file =
            speaker.rsplit_once('.').is_some_and(|(_, end)| matches!(end, "md" | "txt" | "html" | "json"));
        (is_file || is_in(SPEAKERS, speaker)) && is_in(SAYING, &pair[1])
    })
}

/// "Tool output: …"
fn is_labelled(content: &str) -> bool {
    let lead = content.split_once(':').map(|(lead, _)| lead.trim().to_lowercase());
    lead.is_some_and(|lead| lead.split_whitespace().count() <= 3 && lead.ends_with("output"))
}
