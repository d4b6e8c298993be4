//! What matters now: one call from "I need to work on this" to everything that bears on it, inside a budget.
//!
//! `hydrate` is the list of its stages, in order, on one state of the database.

mod activity;
mod answer;
mod budget;
mod cache;
mod code;
mod cut;
mod dependencies;
mod focal;
mod found;
mod last_session;
mod references;
mod related;
mod relations;
mod request;
mod suggest;

use std::sync::Arc;

use throughline_store::event;
use throughline_store::id::ItemId;
use throughline_store::item::Context;
use throughline_store::{Connection, item, project};

pub use answer::{
    Action, Activity, Brief, Dependency, Document, Entity, Fidelity, Full, Hydration, Known, Metadata,
    Omission, Outcome, Passage, Relation, ResolvedFrom, SessionSummary, Stage, Step, Suggestion, Summary,
};
pub use budget::{Piece, Rendering};
pub(crate) use cache::Cache;
pub use request::{Depth, Focus, Include, Limits, MaxTokens, Request, Role};

use budget::Draft;
use cache::Key;
use found::Found;
use related::Related;
use relations::Candidates;

use crate::index::code::CHUNK;
use crate::span::Operation;
use crate::{Caller, Engine, Error, Result, backlog};

impl Engine {
    /// Everything that matters for an item, as much of it as fits when it is written by `rendering`.
    pub fn hydrate(
        &self,
        caller: &Caller,
        request: &Request,
        rendering: &dyn Rendering,
    ) -> Result<Arc<Hydration>> {
        let key =
            Key { project: caller.project.clone(), request: request.clone(), rendering: rendering.name() };
        let span = Operation::Retrieval.begin(caller);
        span.ended(self.store.read(|conn| {
            let position = project::by_id(conn, &caller.project)?.map_or(0, |project| project.last_position);
            // Files change without a word in the log.
            let code = item::last_number(conn, &caller.project, CHUNK)?;
            if let Some(answer) = self.hydrations.get(&key, (position, code), self.now()) {
                return Ok(answer);
            }
            let draft = self.gather(conn, caller, request)?;
            let answer = Arc::new(budget::fit(draft, rendering));
            self.hydrations.put(key.clone(), (position, code), &answer);
            Ok(answer)
        }))
    }

    fn gather(&self, conn: &mut dyn Connection, caller: &Caller, request: &Request) -> Result<Draft> {
        let Request { depth, limits, .. } = request;
        let mut found = Found::default();
        let mut stages = vec![Stage::Focal, Stage::Relational];

        let (focal, resolved_from) = focal::resolve(self, conn, caller, &request.focus)?;
        let place = found
            .place(&focal)
            .ok_or_else(|| Error::Invalid(format!("{} has a place before it was found", focal.id)))?;
        let (parent, further_up) = relations::above(conn, caller, &focal, *depth, &mut found)?;
        let parent_item = parent.as_ref().map(|parent| parent.item.as_ref());
        let dependencies = dependencies::chain(conn, caller, &focal, limits.dependencies, &mut found)?;
        let relations =
            relations::expand(conn, caller, (&focal, parent_item, further_up), (*depth, limits), &mut found)?;
        let references = references::follow(conn, caller, (&focal, parent_item), limits, &mut found)?;
        if references.forward.total + references.reverse.total > 0 {
            stages.push(Stage::References);
        }
        if dependencies.total > 0 {
            stages.push(Stage::Dependencies);
        }

        let history = focal.context != Some(Context::Isolated);
        let wanted = |include: Include| history && include == Include::Yes;
        let mut documents = references::documents(conn, caller, &focal, limits.resources)?;
        let mut related = Related::default();
        if wanted(request.related) {
            related = related::enrich(self, conn, caller, &focal, (limits, &documents.list), &mut found)?;
            stages.push(Stage::Semantic);
        }
        documents.list.append(&mut related.documents.list);
        documents.total += related.documents.total;

        let mut passages = Candidates::default();
        if wanted(request.related)
            && let Some(found) = code::relevant(self, conn, caller, (&focal, &request.files), limits.code)?
        {
            passages = found;
            stages.push(Stage::Code);
        }

        let children = || relations.children.list.iter().map(|child| child.item.id.clone());
        let mut session = None;
        if wanted(request.session) {
            session = last_session::summarize(conn, caller, &focal, children())?;
            stages.extend(session.is_some().then_some(Stage::Session));
        }
        let mut activity = Candidates::default();
        if wanted(request.activity) {
            let around: Vec<ItemId> = std::iter::once(focal.id.clone())
                .chain(parent_item.map(|parent| parent.id.clone()))
                .chain(children())
                .collect();
            activity = activity::recent(conn, caller, &around, limits.activity)?;
            stages.push(Stage::Temporal);
        }
        let entry = backlog::entry(conn, caller, focal.clone())?;
        let as_of = event::newest(conn, &caller.project)?.map_or(focal.updated_at, |event| event.at);
        let around = suggest::Around {
            focal: &focal,
            parent: parent_item,
            children: relations.children.list.iter().map(|child| child.item.as_ref()).collect(),
            dependencies: &dependencies.list,
            depends_on: &entry.depends_on,
            as_of,
        };
        let suggestions = suggest::next(conn, caller, &around)?;
        stages.extend([Stage::Suggestions, Stage::Budget]);

        Ok(Draft {
            focal: Full { entry, cut: vec![], place },
            parent,
            session: Candidates::all(session.into_iter().collect()),
            suggestions: Candidates::all(suggestions),
            dependencies,
            children: relations.children,
            siblings: relations.siblings,
            cross_referenced: references.forward,
            referenced_by: references.reverse,
            ancestors: relations.ancestors,
            descendants: relations.descendants,
            memories: related.memories,
            decisions: related.decisions,
            related: related.items,
            code: passages,
            resources: documents,
            activity,
            metadata: Metadata {
                depth: *depth,
                resolved_from,
                max_tokens: request.max_tokens,
                token_estimate: 0,
                stages,
                omitted: vec![],
                text_cut: false,
            },
        })
    }
}
