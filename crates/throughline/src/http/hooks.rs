//! What hooks on other machines heard.

use anyhow::Result;
use throughline_engine::capture::{Observation, Outcome};
use throughline_engine::project::{Folder, Git};
use throughline_engine::store::actor::Actor;
use throughline_engine::store::event::Kind;
use throughline_engine::{Caller, Error};

use super::call::Call;
use super::operation::{Operation, post};
use crate::wire::error::Usage;
use crate::wire::heard::{Kept, Taken, Waiting};

pub(super) fn operations() -> Vec<Operation> {
    vec![post(
        "/api/hooks",
        "Record what a hook on another machine heard; sent twice it is recorded once",
        record,
    )]
}

/// What a project is recognised by is a key of the database.
const MAX_NAME_BYTES: usize = 500;

fn record(call: &Call<'_>, heard: Waiting) -> Result<Taken> {
    if [&heard.name, &heard.remote].into_iter().flatten().any(|text| text.len() > MAX_NAME_BYTES) {
        return Err(Usage(format!("name and remote have at most {MAX_NAME_BYTES} bytes")).into());
    }
    let agent = heard.agent.parse().map_err(Usage)?;
    let person = match &call.asked.admitted.token {
        // Whose token it is does not depend on what is said.
        Some(_) => call.asked.admitted.actor.clone(),
        None => heard.person.parse().map_err(Usage)?,
    };
    let project = match &call.asked.admitted.project {
        Some(only) => only.clone(),
        None => call.engine.project(&elsewhere(&heard), heard.project.as_deref())?.id,
    };
    let caller = Caller { project, actor: agent };
    let observations = heard.observations.into_iter().map(Kept::observation).collect::<Result<Vec<_>>>()?;
    if observations.iter().any(|observation| observation.client_key.is_none()) {
        return Err(Error::Invalid(
            "every observation needs a client_key, by which it is recorded once; give each its own".into(),
        )
        .into());
    }
    let observations =
        observations.into_iter().map(|observation| attributed(observation, &person, &caller.actor));
    let recorded = call.engine.capture(&caller, observations.collect())?;
    let already_there = recorded.iter().filter(|event| event.outcome == Outcome::AlreadyThere).count();
    Ok(Taken { recorded: recorded.len() - already_there, already_there })
}

/// Paths of another machine mean nothing here: the repository's remote says which project it is, else its name.
fn elsewhere(heard: &Waiting) -> Folder {
    let name = heard.name.as_deref().unwrap_or("elsewhere");
    let root = std::path::Path::new("/elsewhere").join(name.trim_start_matches('/'));
    let git = heard.remote.clone().map(|remote| Git {
        common_dir: root.join(".git"),
        remote: Some(remote),
        branch: None,
    });
    Folder { root, git }
}

fn attributed(observation: Observation, person: &Actor, agent: &Actor) -> Observation {
    let actor = if observation.kind == Kind::UserMessage { person } else { agent };
    Observation { actor: Some(actor.clone()), ..observation }
}
