//! Completion: the ids that the beginning of an argument may mean.

use anyhow::Result;
use rmcp::model::{CompleteRequestParams, CompletionInfo, Reference};
use throughline_engine::store::beginning::Named;

use super::call::Call;
use super::{prompts, resources};

/// What the protocol allows in one answer.
const MOST: usize = CompletionInfo::MAX_VALUES;

/// The records whose ids are asked for; nothing where every text is as good as another.
pub(super) fn asked_for(request: &CompleteRequestParams) -> Option<Named> {
    match &request.r#ref {
        Reference::Prompt(prompt) => prompts::named_by(&prompt.name, &request.argument.name),
        Reference::Resource(template) if request.argument.name == "id" => resources::named_by(&template.uri),
        _ => None,
    }
}

pub(super) fn ids(call: &Call<'_>, named: Named, beginning: &str) -> Result<CompletionInfo> {
    let one_more = i64::try_from(MOST).unwrap_or(i64::MAX).saturating_add(1);
    let mut ids = call.engine.ids_beginning(&call.reader()?, named, beginning, one_more)?;
    let more = ids.len() > MOST;
    ids.truncate(MOST);
    CompletionInfo::with_pagination(ids, None, more).map_err(anyhow::Error::msg)
}
