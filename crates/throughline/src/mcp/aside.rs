//! Work at the side: background jobs that are due, one at a time, after a call and only while nobody asks for anything.

use super::Server;

/// So many at most after each call: a client pays for this process.
const JOBS_AFTER_A_CALL: usize = 8;

impl Server {
    pub(super) fn work_aside(&self) {
        let Ok(turn) = self.aside.clone().try_acquire_owned() else { return };
        let server = self.clone();
        tokio::spawn(async move {
            let _turn = turn;
            for _ in 0..JOBS_AFTER_A_CALL {
                if !server.places.are_all_free() || !server.did_a_job().await {
                    break;
                }
            }
        });
    }

    async fn did_a_job(&self) -> bool {
        if self.places.door().opened_engine().is_none() {
            return false;
        }
        self.places.work_one(&self.surroundings.worker()).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "a background job could not be run");
            false
        })
    }
}
