//! What a client is to us: which files it reads, what of ours goes into them, and what only its user can do.

use std::path::PathBuf;

use serde_json::Value as Json;

use super::asked::Question;
use super::entries::Ours;
use super::places::{Base, Places, Scope, System};
use super::program::Program;

pub(super) struct Client {
    /// As in `throughline install NAME` and `throughline hook NAME`.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// Any of these folders says that the client is used here.
    pub(super) signs: &'static [(Base, &'static str)],
    pub(super) pieces: &'static [Piece],
    /// Clients whose hooks this one runs as well.
    pub(super) runs_hooks_of: &'static [&'static str],
    /// What in a client's own settings keeps our entries from having an effect.
    pub(super) obstacles: &'static [Obstacle],
    /// What we must not do for the user, or cannot.
    pub(super) steps: &'static [(Scope, &'static str)],
    /// Where it has a command that tells.
    pub(super) question: Option<Question>,
}

/// One thing that is written for a scope.
pub(super) struct Piece {
    pub(super) scope: Scope,
    pub(super) base: Base,
    /// Below the base, with `/`.
    pub(super) path: &'static str,
    pub(super) what: What,
}

/// A setting that somebody should know of.
pub(super) struct Obstacle {
    pub(super) scope: Scope,
    pub(super) base: Base,
    pub(super) path: &'static str,
    pub(super) format: Format,
    /// A JSON pointer.
    pub(super) at: &'static str,
    pub(super) when: When,
    pub(super) says: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    True,
    False,
    /// Whatever it says.
    There,
    /// The file holds comments or trailing commas.
    BeyondJson,
    TrailingComma,
}

pub(super) enum What {
    /// Entries in a file that others write to as well. Of several names the first that is there is taken.
    Entries { format: Format, entries: &'static [Entry], or: &'static [&'static str] },
    /// The slash commands, a file each, in the folder `path`.
    Commands(CommandStyle),
    /// A whole file of ours.
    Text(fn(&Program) -> String),
    /// A hook for each event, an executable file each, in the folder `path`.
    Scripts { client: &'static str, events: &'static [&'static str] },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// With comments or without.
    Json,
    Toml,
    Yaml,
}

pub(super) enum Entry {
    Hooks {
        shape: Shape,
        events: &'static [Event],
        handler: fn(&Program, &Event) -> Json,
    },
    Server {
        within: &'static str,
        entry: fn(&Program) -> Json,
    },
    /// A number that the format asks for.
    Constant {
        name: &'static str,
        value: i64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// `{Event: [{matcher, hooks: [handler]}]}`
    Grouped,
    /// `{Event: [handler]}`
    Flat,
}

pub(super) struct Event {
    pub(super) name: &'static str,
    pub(super) matcher: Option<&'static str>,
    pub(super) timeout_seconds: u32,
}

/// How a client wants its slash commands written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommandStyle {
    /// Markdown with `description` and `argument-hint`, `$ARGUMENTS` for what follows the command.
    Markdown,
    /// The same without front matter, for clients that show the file as it is.
    Plain,
    /// TOML with `prompt`, and `{{args}}`.
    Toml,
    /// `NAME.prompt.md` with `mode`, and `${input:arguments}`.
    Prompt,
}

pub(super) const fn event(name: &'static str, timeout_seconds: u32) -> Event {
    Event { name, matcher: None, timeout_seconds }
}

pub(super) const fn matched(name: &'static str, matcher: &'static str, timeout_seconds: u32) -> Event {
    Event { name, matcher: Some(matcher), timeout_seconds }
}

/// A file of a client on this machine, and what it should hold.
pub(super) struct Target {
    pub(super) path: PathBuf,
    pub(super) content: Content,
}

pub(super) enum Content {
    Entries(Format, &'static [Entry]),
    Text { text: String, kind: TextKind },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    Plain,
    Executable,
}

impl Target {
    /// Nothing for a file that is ours as a whole.
    pub(super) fn ours<'p>(&self, program: &'p Program) -> Option<Ours<'p>> {
        match self.content {
            Content::Entries(format, entries) => Some(Ours { format, entries, program }),
            Content::Text { .. } => None,
        }
    }
}

impl Client {
    pub(super) fn is_here(&self, places: &Places) -> bool {
        self.signs.iter().any(|(base, path)| places.path(*base, path).exists())
    }

    pub(super) fn has(&self, scope: Scope) -> bool {
        self.pieces.iter().any(|piece| piece.scope == scope)
    }

    pub(super) fn targets(&self, scope: Scope, places: &Places, program: &Program) -> Vec<Target> {
        let pieces = self.pieces.iter().filter(|piece| piece.scope == scope);
        pieces.flat_map(|piece| piece.targets(places, program)).collect()
    }
}

impl Piece {
    fn targets(&self, places: &Places, program: &Program) -> Vec<Target> {
        let path = places.path(self.base, self.path);
        match &self.what {
            What::Entries { format, entries, or } => {
                let mut others = or.iter().map(|name| places.path(self.base, name));
                let path = others.rfind(|path| path.exists()).unwrap_or(path);
                vec![Target { path, content: Content::Entries(*format, entries) }]
            }
            What::Commands(style) => super::guidance::commands(*style)
                .map(|(name, text)| Target {
                    path: path.join(name),
                    content: Content::Text { text, kind: TextKind::Plain },
                })
                .collect(),
            What::Text(text) => {
                vec![Target { path, content: Content::Text { text: text(program), kind: TextKind::Plain } }]
            }
            What::Scripts { client, events } => {
                let suffix = if program.system() == System::Windows { ".ps1" } else { "" };
                let text = super::guidance::marked_script(&program.script(&["hook", client]));
                let target = |event: &&str| Target {
                    path: path.join(format!("{event}{suffix}")),
                    content: Content::Text { text: text.clone(), kind: TextKind::Executable },
                };
                events.iter().map(target).collect()
            }
        }
    }
}
