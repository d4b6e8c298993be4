//! What is put before the model at a moment of its work: the one place that decides it.

use anyhow::Result;
use throughline_engine::capture::mark;
use throughline_engine::orient::{Orientation, Request, Shown};
use throughline_engine::recall::Files;
use throughline_engine::turn::{Need, Told, Turn};
use throughline_engine::{Caller, Engine};

use super::place::Place;
use super::{Client, Heard, Moment, Start};
use crate::config::{HookSettings, non_empty_env};
use crate::wire;

/// A prompt with this in it is answered without anything of ours.
const SILENCE: &str = "[no context]";

/// Nothing when nothing is worth saying.
pub(super) fn inject(
    engine: &Engine,
    caller: &Caller,
    (heard, place): (&Heard, &Place),
    settings: &HookSettings,
) -> Result<Option<Told>> {
    let Some(need) = need(heard).filter(|need| is_wanted(*need, settings)) else { return Ok(None) };
    let limits = heard.client.limits();
    let max_tokens = match need {
        Need::Prompt(_) => settings.prompt_tokens,
        Need::Subagent | Need::Fork => settings.start_tokens / 2,
        Need::Beginning | Need::Return | Need::Compacted | Need::Compaction => settings.start_tokens,
    };
    let turn = Turn {
        session: &heard.session,
        need,
        orientation: orientation(
            engine,
            caller,
            (heard, place),
            need,
            max_tokens.min(settings.start_tokens),
        )?,
        max_tokens: room_for_all(need, max_tokens).min(limits.max_tokens),
        max_chars: limits.max_chars,
        files: Files::In(place.folder.root.clone()),
    };
    Ok(engine.turn(caller, &turn, &|context| mark::wrap(&wire::turn::text(context)))?)
}

/// What the moment is to the model; nothing where it needs nothing, or the client would not show it.
fn need(heard: &Heard) -> Option<Need<'_>> {
    if !heard.client.takes(&heard.moment) {
        return None;
    }
    match &heard.moment {
        // What OpenCode is given when a session begins is gone when the program ends.
        Moment::SessionStart(Start::Resume) if heard.client == Client::OpenCode => Some(Need::Beginning),
        Moment::SessionStart(Start::Startup | Start::Clear) => Some(Need::Beginning),
        Moment::SessionStart(Start::Resume) => Some(Need::Return),
        Moment::SessionStart(Start::Fork) => Some(Need::Fork),
        Moment::SessionStart(Start::Compact) => Some(Need::Compacted),
        Moment::Prompt(text) => Some(Need::Prompt(text)),
        Moment::SubagentStart => Some(Need::Subagent),
        Moment::BeforeCompaction => Some(Need::Compaction),
        Moment::BeforeTool(_)
        | Moment::AfterTool
        | Moment::ToolFailed
        | Moment::SubagentStop
        | Moment::AfterCompaction
        | Moment::Stop
        | Moment::SessionEnd
        | Moment::Other => None,
    }
}

fn is_wanted(need: Need<'_>, settings: &HookSettings) -> bool {
    let is_on = settings.inject && non_empty_env("THROUGHLINE_INJECT").as_deref() != Some("off");
    is_on
        && match need {
            Need::Prompt(text) => settings.prompt_tokens > 0 && !is_silenced(text),
            _ => settings.start_tokens > 0,
        }
}

fn is_silenced(prompt: &str) -> bool {
    prompt.to_ascii_lowercase().contains(SILENCE)
}

/// The digest keeps to its own budget; a thread that was lost comes on top of it.
fn room_for_all(need: Need<'_>, max_tokens: u64) -> u64 {
    match need {
        Need::Compacted => max_tokens * 2,
        _ => max_tokens,
    }
}

/// A client that takes nothing when a session begins gets it with the first prompt.
fn orients(engine: &Engine, caller: &Caller, heard: &Heard, need: Need<'_>) -> Result<bool> {
    let begins_silently = !heard.client.takes(&Moment::SessionStart(Start::Startup));
    Ok(match need {
        Need::Compaction => false,
        Need::Prompt(_) => begins_silently && !engine.is_oriented(caller, &heard.session)?,
        Need::Beginning | Need::Return | Need::Fork | Need::Compacted | Need::Subagent => true,
    })
}

/// Where the project stands, as far as it is not this session itself.
fn orientation(
    engine: &Engine,
    caller: &Caller,
    (heard, place): (&Heard, &Place),
    need: Need<'_>,
    max_tokens: u64,
) -> Result<Option<Orientation>> {
    if !orients(engine, caller, heard, need)? {
        return Ok(None);
    }
    let write =
        |orientation: &Orientation| mark::wrap(&wire::orient::text(&wire::orient::Orient::from(orientation)));
    // Who comes back knows the folder and what came before.
    let returns = matches!(need, Need::Return);
    let request = Request {
        focus: None,
        max_tokens,
        folder: (!returns).then_some(&place.folder),
        asking: Some(&heard.session),
    };
    let mut orientation = engine.orient(caller, request, &write)?;
    orientation.last_session.take_if(|_| returns);
    if returns {
        orientation.unfinished = Shown { shown: vec![], total: 0 };
    }
    Ok(Some(orientation))
}
