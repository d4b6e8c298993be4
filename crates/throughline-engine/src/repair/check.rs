//! Whether the database is whole, the log obeys its laws, everything is found that should be, and jobs can run.

use throughline_store::{integrity, job, project};

use super::own;
use crate::{Engine, Result};

/// What `check` looked at and found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// Damage of the database's own files, tables and indexes.
    pub damage: Vec<String>,
    pub projects: Vec<ProjectHealth>,
    /// What searches cannot find, by project.
    pub search: Vec<String>,
    /// What background work will never do by itself.
    pub jobs: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectHealth {
    pub name: String,
    pub events: i64,
    pub violations: Vec<String>,
}

impl Health {
    pub fn is_sound(&self) -> bool {
        self.damage.is_empty()
            && self.projects.iter().all(|project| project.violations.is_empty())
            && self.search.is_empty()
            && self.jobs.is_empty()
    }

    /// Every problem as a sentence.
    pub fn problems(&self) -> Vec<String> {
        let of_project = |project: &ProjectHealth| {
            let name = project.name.clone();
            project.violations.clone().into_iter().map(move |violation| format!("{name}: {violation}"))
        };
        let mut all = self.damage.clone();
        all.extend(self.projects.iter().flat_map(of_project));
        all.extend(self.search.iter().chain(&self.jobs).cloned());
        all
    }
}

impl Engine {
    pub fn check(&self) -> Result<Health> {
        let damage = self.store.problems()?;
        if !damage.is_empty() {
            // What the database cannot read is not asked for.
            return Ok(Health { damage, projects: vec![], search: vec![], jobs: vec![] });
        }
        let projects = self.store.read(|conn| {
            let projects = project::list(conn)?;
            let health = projects.into_iter().map(|project| {
                let violations = integrity::violations(conn, &project.id)?;
                Ok(ProjectHealth { name: project.name, events: project.last_position, violations })
            });
            health.collect::<Result<Vec<_>>>()
        })?;
        Ok(Health { damage, projects, search: self.search_faults()?, jobs: self.stuck_jobs()? })
    }

    fn search_faults(&self) -> Result<Vec<String>> {
        let mut faults = vec![];
        for project in self.store.read(project::list)? {
            let found = self.index_faults(&own(project.id))?;
            faults.extend(found.into_iter().map(|fault| format!("{}: {fault}", project.name)));
        }
        Ok(faults)
    }

    fn stuck_jobs(&self) -> Result<Vec<String>> {
        let (lease_end, due_end) = self.ends();
        let stuck = self.store.read(|conn| job::stuck(conn, lease_end, due_end))?;
        let said = [
            (stuck.orphans, "jobs belong to projects that do not exist"),
            (stuck.leases, "jobs are leased for longer than any worker leases"),
        ];
        // What is due too late holds nobody up, and the next worker brings it forward.
        let found = said.into_iter().filter(|(count, _)| *count > 0);
        Ok(found.map(|(count, what)| format!("{count} {what}")).collect())
    }
}
