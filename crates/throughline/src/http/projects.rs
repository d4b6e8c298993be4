//! The projects that the database has.

use anyhow::Result;

use super::call::Call;
use super::operation::{Operation, get};
use super::within::Paged;
use crate::wire::page::Page;
use crate::wire::project::Project;

pub(super) fn operations() -> Vec<Operation> {
    vec![get("/api/projects", "The projects, by name; with a token for one project, that one", list)]
}

fn list(call: &Call<'_>, asked: Paged) -> Result<Page<Project>> {
    let only = &call.asked.admitted.project;
    let described = call.engine.projects()?.into_iter();
    let shown = described.filter(|one| only.as_ref().is_none_or(|only| *only == one.project.id));
    let all = shown.map(Project::from).collect();
    Ok(Page::of_all(all, asked.limit.size(), asked.cursor.as_ref(), |one: &Project| {
        format!("{} {}", one.name, one.id)
    }))
}
