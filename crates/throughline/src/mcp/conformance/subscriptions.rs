//! Who listens for changes of the lists, and what they are told.

use rmcp::model::ServerNotification;
use rmcp::service::SubscriptionContext;
use serde_json::json;
use tokio::sync::broadcast;

use super::fixtures::read;

#[derive(Debug, Clone)]
pub(super) struct Changes(broadcast::Sender<ServerNotification>);

impl Default for Changes {
    fn default() -> Changes {
        Changes(broadcast::channel(16).0)
    }
}

impl Changes {
    pub(super) fn announce(&self, change: ServerNotification) {
        // Nobody may be listening, which is no failure.
        let _ = self.0.send(change);
    }

    /// Passes changes on until the client stops listening.
    pub(super) async fn tell(&self, subscription: &SubscriptionContext) {
        let mut changes = self.0.subscribe();
        loop {
            let change = tokio::select! {
                change = changes.recv() => change,
                () = subscription.cancelled() => return,
            };
            match change {
                // The sink refuses what this client did not ask for.
                Ok(change) => drop(subscription.sink().send(change).await),
                Err(broadcast::error::RecvError::Lagged(_)) => {}
                Err(broadcast::error::RecvError::Closed) => return,
            }
        }
    }
}

/// The notification that a list has changed: `tools` or `prompts`.
pub(super) fn list_changed(list: &str) -> ServerNotification {
    read(&json!({"method": format!("notifications/{list}/list_changed")}))
}
