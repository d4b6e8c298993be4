//! Answers that need the client's input first: what is still wanted, and whether the state came back untouched.

use rmcp::ErrorData;
use rmcp::model::{
    ClientCapabilities, InputRequest, InputRequests, InputRequiredResult, InputResponses, RequestStateCodec,
};

use super::fixtures::{Fixtures, Inputs};

/// What came with a call.
pub(super) struct Given {
    pub(super) responses: Option<InputResponses>,
    pub(super) state: Option<String>,
    pub(super) capabilities: ClientCapabilities,
}

/// What a call must be made again with, or nothing when all is there.
pub(super) fn wanted(
    fixtures: &Fixtures,
    name: &str,
    given: &Given,
) -> Result<Option<InputRequiredResult>, ErrorData> {
    let Some(inputs) = fixtures.inputs.get(name) else { return Ok(None) };
    let round = next_round(name, inputs, given)?;
    let Some(requests) = inputs.requests.get(round) else { return Ok(None) };
    let state = inputs.stateful.then(|| codec().seal(format!("{name} {round}").as_bytes()));
    Ok(Some(InputRequiredResult::new(Some(possible(requests, &given.capabilities)), state)))
}

/// The fixtures hold nothing to protect; the key only has to be the same for every request.
fn codec() -> RequestStateCodec {
    RequestStateCodec::try_new(*b"the conformance fixtures keep no secret").expect("the key is long enough")
}

fn next_round(name: &str, inputs: &Inputs, given: &Given) -> Result<usize, ErrorData> {
    let asked = match (&given.state, inputs.stateful) {
        (Some(state), true) => Some(round_of(name, state)?),
        (None, true) => None,
        (_, false) => Some(0),
    };
    let answered = |round: usize| inputs.requests.get(round).is_none_or(|requests| covers(given, requests));
    Ok(match asked {
        Some(round) if answered(round) => round + 1,
        Some(round) => round,
        None => 0,
    })
}

fn round_of(name: &str, state: &str) -> Result<usize, ErrorData> {
    let refused = || ErrorData::invalid_params("requestState is not what this server gave", None);
    let opened = codec().open(state).map_err(|_| refused())?;
    let text = String::from_utf8(opened).map_err(|_| refused())?;
    let (of, round) = text.split_once(' ').ok_or_else(refused)?;
    round.parse().ok().filter(|_| of == name).ok_or_else(refused)
}

/// Every answer is there, and is an object as all of the protocol's answers are.
fn covers(given: &Given, requests: &InputRequests) -> bool {
    let responses = given.responses.as_ref();
    requests
        .keys()
        .all(|key| responses.and_then(|all| all.get(key)).is_some_and(serde_json::Value::is_object))
}

/// Only what the client said it can do.
fn possible(requests: &InputRequests, capabilities: &ClientCapabilities) -> InputRequests {
    let can = |request: &InputRequest| match request {
        InputRequest::CreateMessage(_) => capabilities.sampling.is_some(),
        InputRequest::Elicitation(_) => capabilities.elicitation.is_some(),
        InputRequest::ListRoots(_) => capabilities.roots.is_some(),
        _ => false,
    };
    requests.iter().filter(|(_, request)| can(request)).map(|(k, r)| (k.clone(), r.clone())).collect()
}
