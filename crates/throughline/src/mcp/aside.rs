//! Work at the side: background jobs that are due, one at a time, when a client has come and after each call, and only while
//! nobody asks for anything. Many clients never call anything, and what their hooks recorded is to become memories all the same.

use super::Server;

/// So many at most each time: a client pays for this process.
const JOBS_EACH_TIME: usize = 8;

impl Server {
    pub(super) fn work_aside(&self) {
        let Ok(turn) = self.aside.clone().try_acquire_owned() else { return };
        let server = self.clone();
        tokio::spawn(async move {
            let _turn = turn;
            for _ in 0..JOBS_EACH_TIME {
                if !server.places.are_all_free() || !server.did_a_job().await {
                    break;
                }
            }
        });
    }

    async fn did_a_job(&self) -> bool {
        self.places.work_one(&self.surroundings.worker()).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "a background job could not be run");
            false
        })
    }
}
