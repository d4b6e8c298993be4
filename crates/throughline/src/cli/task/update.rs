//! `throughline task update`: what is given replaces what is there, `--clear` empties.

use std::process::ExitCode;

use anyhow::Result;
use clap::builder::NonEmptyStringValueParser;
use throughline_engine::backlog::{Patch, Set, date, title};
use throughline_engine::store::id::text_enum;
use throughline_engine::store::item::{Context, Priority, Status, Validation};

use super::super::app::App;
use super::super::one_of::one_of;
use super::{Within, changed, reference, text_or_stdin};
use crate::wire::error::Usage;
use crate::wire::item::{Reference, priority, status};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Its id
    #[arg(value_name = "ID")]
    id: String,
    /// What is to be done, in a few words
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// All about it; - reads it from stdin
    #[arg(short, long, value_name = "TEXT")]
    description: Option<String>,
    /// open, in_progress, blocked, done or cancelled
    #[arg(long, value_name = "STATUS", value_parser = status)]
    status: Option<Status>,
    /// The item it belongs to
    #[arg(long, value_name = "ID")]
    parent: Option<String>,
    /// What to read for it, in place of what was; may be given several times
    #[arg(long = "reference", value_name = "URL[=TITLE]", value_parser = reference)]
    references: Vec<Reference>,
    /// What must come first, in place of what did; may be given several times
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    depends_on: Vec<String>,
    /// What waits for it, in place of what did; may be given several times
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    blocks: Vec<String>,
    /// What shows that it is done, in place of what did; may be given several times
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    evidence: Vec<String>,
    /// The same, beside what is there
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    add_evidence: Vec<String>,
    /// Why it is blocked, in place of why it was; may be given several times
    #[arg(long, value_name = "TEXT")]
    blocked_reason: Vec<String>,
    /// How urgent: critical, high, medium, low, lowest, or 0 to 4
    #[arg(long, value_name = "PRIORITY", value_parser = priority)]
    priority: Option<Priority>,
    /// Until when: a date, or a time
    #[arg(long, value_name = "DATE", value_parser = date)]
    due: Option<String>,
    /// What is put beside it: history and code (required), or nothing (isolated)
    #[arg(long, value_name = "CONTEXT", value_parser = one_of::<Context>(Context::ALL.iter().map(|it| it.as_str())))]
    context: Option<Context>,
    /// What was done
    #[arg(long, value_name = "TEXT")]
    summary: Option<String>,
    /// Empty a field; may be given several times
    #[arg(long, value_name = "FIELD", value_delimiter = ',', value_parser = one_of::<Field>(Field::ALL.iter().map(|it| it.as_str())))]
    clear: Vec<Field>,
    #[command(flatten)]
    within: Within,
}

text_enum! {
    /// What can be emptied.
    Field {
        Description = "description",
        Parent = "parent",
        References = "references",
        DependsOn = "depends-on",
        Blocks = "blocks",
        Evidence = "evidence",
        BlockedReason = "blocked-reason",
        Priority = "priority",
        Due = "due",
        Context = "context",
        Summary = "summary",
        Validation = "validation",
    }
}

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    let (id, within, patch) = patch(args)?;
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let during = within.during(app)?;
    Ok(changed(engine.update_item(&caller, &id, &patch, &during)?, "updated", app))
}

fn patch(args: Args) -> Result<(String, Within, Patch)> {
    let clear = Clear(args.clear);
    let references = args.references.into_iter().map(Into::into).collect();
    let patch = Patch {
        title: args.title.as_deref().map(title).transpose().map_err(Usage::of)?,
        description: clear.text(Field::Description, args.description.map(text_or_stdin).transpose()?)?,
        status: args.status,
        parent: clear.field(Field::Parent, args.parent)?,
        references: clear.list(Field::References, references)?,
        depends_on: clear.list(Field::DependsOn, args.depends_on)?,
        blocks: clear.list(Field::Blocks, args.blocks)?,
        evidence: clear.list(Field::Evidence, args.evidence)?,
        add_evidence: args.add_evidence,
        blocked_reason: clear.list(Field::BlockedReason, args.blocked_reason)?,
        priority: clear.field(Field::Priority, args.priority)?,
        due_date: clear.field(Field::Due, args.due)?,
        context: clear.field(Field::Context, args.context)?,
        summary: clear.field(Field::Summary, args.summary)?,
        validation: clear.field(Field::Validation, None::<Validation>)?,
        extra: Set::Keep,
    };
    if patch == Patch::default() {
        return Err(Usage("nothing to change; see `throughline task update --help`".to_owned()).into());
    }
    Ok((args.id, args.within, patch))
}

/// The fields to be emptied.
struct Clear(Vec<Field>);

impl Clear {
    fn field<T>(&self, field: Field, given: Option<T>) -> Result<Set<T>> {
        match (given, self.0.contains(&field)) {
            (Some(_), true) => {
                Err(Usage(format!("{field} cannot be given and cleared at once; choose one")).into())
            }
            (Some(value), false) => Ok(Set::To(value)),
            (None, true) => Ok(Set::Clear),
            (None, false) => Ok(Set::Keep),
        }
    }

    fn text(&self, field: Field, given: Option<String>) -> Result<Option<String>> {
        Ok(match self.field(field, given)? {
            Set::Keep => None,
            Set::Clear => Some(String::new()),
            Set::To(text) => Some(text),
        })
    }

    fn list<T>(&self, field: Field, given: Vec<T>) -> Result<Option<Vec<T>>> {
        Ok(match self.field(field, Some(given).filter(|given| !given.is_empty()))? {
            Set::Keep => None,
            Set::Clear => Some(vec![]),
            Set::To(list) => Some(list),
        })
    }
}
