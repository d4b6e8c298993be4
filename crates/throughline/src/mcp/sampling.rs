//! The client's own model, which it lends through sampling: where it was chosen, the client offers it, and the protocol's
//! era lets a server ask its client.

#![expect(deprecated, reason = "what clients of the eras with a handshake offer, for as long as they do")]

use std::sync::mpsc::channel;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CreateMessageRequestParams, CreateMessageResult, ProtocolVersion, SamplingMessage,
    SamplingMessageContentBlock,
};
use rmcp::service::{Peer, RequestContext};
use throughline_engine::complete::{Choice, ClientModel, Completion, Error, Question};
use tokio::runtime::Handle;

use super::Server;

/// The answer of the runtime comes in any case; this is for a runtime that is gone.
const GRACE: Duration = Duration::from_secs(1);

impl Server {
    /// Whether the client's own model was chosen.
    pub(super) fn borrows_model(&self) -> bool {
        matches!(self.places.door().config.settings.model.choice, Some(Choice::Client))
    }

    /// To be called with each request: the engine may be opened by the first.
    pub(super) fn lend_model(&self, context: &RequestContext<RoleServer>) {
        // A process with many clients must not show one what another said.
        if !self.borrows_model() || !self.surroundings.has_one_client() || is_stateless(context) {
            return;
        }
        let offers = context.client_capabilities().is_some_and(|client| client.sampling.is_some());
        if let Some(engine) = self.places.door().opened_engine().filter(|_| offers) {
            engine.lend_model(model(context.peer.clone()));
        }
    }
}

/// Since then a server may not ask its client anything on its own.
fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_none_or(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

fn model(peer: Peer<RoleServer>) -> ClientModel {
    let runtime = Handle::current();
    ClientModel::from_fn(move |question, timeout| {
        let (sender, answered) = channel();
        let (peer, params) = (peer.clone(), params(question));
        runtime.spawn(async move {
            let answer = tokio::time::timeout(timeout, peer.create_message(params)).await;
            // Nobody waits any more for an answer that comes too late.
            let _ = sender.send(answer);
        });
        match answered.recv_timeout(timeout + GRACE) {
            Ok(Ok(Ok(result))) => Ok(Completion { text: text(result), usage: None }),
            Ok(Ok(Err(error))) => {
                Err(Error::Unavailable(format!("the client did not ask its model: {error}; allow it there")))
            }
            Ok(Err(_)) | Err(_) => Err(Error::Unavailable(format!(
                "the client's model did not answer within {} ms; raise model.timeout",
                timeout.as_millis()
            ))),
        }
    })
}

fn params(question: &Question) -> CreateMessageRequestParams {
    let message = SamplingMessage::user_text(question.prompt_in_words());
    let max_tokens = u32::try_from(question.max_tokens).unwrap_or(u32::MAX);
    let mut params = CreateMessageRequestParams::new(vec![message], max_tokens);
    params.system_prompt = Some(question.system.clone());
    params
}

fn text(result: CreateMessageResult) -> String {
    let texts = result.message.content.into_vec().into_iter().filter_map(|block| match block {
        SamplingMessageContentBlock::Text(text) => Some(text.text),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}
